//! The largest file, through the program.

use std::fs::File;
use std::io::{self, Read as _};

use reqwest::blocking::{Body, Client};

use super::{Api, json_of};
use crate::serve::{Server, temporary_data};

/// 500 MB.
const SIZE: u64 = 500 << 20;
/// The memory that the server may need for it, in KB.
const MEMORY: u64 = 64 << 10;

/// The most memory that a process has had, in KB.
fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// A file of 500 MB is uploaded, kept and downloaded in pieces.
#[test]
fn the_largest_file_needs_little_memory() {
    let (directory, data) = temporary_data();
    let more = ["--documents-processors", "0", "--request-seconds", "600"];
    let server = Server::start(&data, &more);
    let api = Api { token: server.token(), server: &server };
    let project = api.project();
    api.upload(&project, "small.txt", "text");
    let before = peak(&server);
    let path = directory.path().join("large");
    File::create_new(&path).unwrap().set_len(SIZE).unwrap();
    let client = Client::builder().timeout(None).build().unwrap();
    let request = client.put(api.url(&format!("projects/{project}/files/large.bin")));
    let body = Body::sized(File::open(&path).unwrap(), SIZE);
    let sent = json_of(request.bearer_auth(&api.token).body(body).send().unwrap());
    assert_eq!(sent["document"]["file_size"], SIZE);
    let id = sent["document"]["document_id"].as_str().unwrap();
    let request = client.get(api.url(&format!("projects/{project}/documents/{id}/file")));
    let mut download = request.bearer_auth(&api.token).send().unwrap();
    assert_eq!(download.content_length(), Some(SIZE));
    let mut last = Vec::new();
    assert_eq!(io::copy(&mut download.by_ref().take(SIZE - 1), &mut io::sink()).unwrap(), SIZE - 1);
    download.read_to_end(&mut last).unwrap();
    assert_eq!(last, [0]);
    // The system counts the peak in rough steps.
    let needed = peak(&server).saturating_sub(before);
    assert!(needed < MEMORY, "{needed} KB for a file of {SIZE} bytes");
}
