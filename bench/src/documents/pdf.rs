//! The text of a PDF file: each program reads it in a process of its own, from its start to its end.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hansang_documents_adapters::{Event, Options, Scans, extract};

use crate::goal;
use crate::server::memory;

const PAGES: usize = 300;
/// The number of rounds; the best one counts.
const ROUNDS: usize = 3;
const PYTHON: &str = ".tools/documents/bin/python";

/// Prints the text of a file: the program that is measured.
pub(crate) fn print(arguments: &[String]) -> Result<(), String> {
    let [file] = arguments else { return Err("give a file".to_owned()) };
    let options = Options { images: None, scans: Scans::None, ..Options::default() };
    let mut out = std::io::stdout().lock();
    extract(Path::new(file), &options, &mut |event| {
        if let Event::Segment(segment) = event {
            writeln!(out, "{}", segment.text)?;
        }
        Ok(())
    })
    .map_err(|trouble| format!("{trouble:?}"))
}

pub(super) fn measure(directory: &Path) -> Result<(), String> {
    eprintln!("{PAGES} pages…");
    let file = directory.join("pages.pdf");
    let mut make = Command::new(PYTHON);
    make.args(["bench/documents/pages.py", "make", &PAGES.to_string()]).arg(&file);
    if !make.status().map_err(|error| format!("{PYTHON}: {error}"))?.success() {
        return Err("the file was not made".to_owned());
    }
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let ours = read(Command::new(program).arg("documents-pdf").arg(&file), directory)?;
    let python = |name: &str| {
        read(Command::new(PYTHON).args(["bench/documents/pages.py", name]).arg(&file), directory)
    };
    let peers = [
        ("pypdf", python("pypdf")?),
        ("pdfminer.six", python("pdfminer")?),
        ("pdftotext, the limit", read(Command::new("pdftotext").arg(&file).arg("-"), directory)?),
    ];
    println!("| the text of a PDF file of {PAGES} pages | s | memory, MB | × |\n|---|---|---|---|");
    let line = |name: &str, (time, memory): (Duration, u64)| {
        let ratio = time.as_secs_f64() / ours.0.as_secs_f64();
        println!("| {name} | {:.2} | {:.0} | {ratio:.1} |", time.as_secs_f64(), memory as f64 / 1e6);
    };
    line("Hansang", ours);
    peers.iter().for_each(|(name, figures)| line(name, *figures));
    println!();
    let fastest = peers[0].1.0.min(peers[1].1.0);
    goal(
        "the text of 300 pages is read at least 3 times as fast as by pypdf and pdfminer.six",
        fastest >= ours.0 * 3,
    );
    println!();
    Ok(())
}

/// The best time of a program that prints the text of all pages, and its peak of memory.
fn read(command: &mut Command, directory: &Path) -> Result<(Duration, u64), String> {
    let (mut best, mut most) = (Duration::MAX, 0);
    let text: PathBuf = directory.join("text");
    for _ in 0..ROUNDS {
        let out = std::fs::File::create(&text).map_err(|error| error.to_string())?;
        let start = Instant::now();
        let child = command.stdout(Stdio::from(out)).spawn();
        let mut child = child.map_err(|error| format!("{command:?}: {error}"))?;
        let process = child.id().to_string();
        let status = loop {
            most = most.max(memory(&process, "VmHWM:").unwrap_or_default());
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                break status;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        best = best.min(start.elapsed());
        let text = std::fs::read_to_string(&text).map_err(|error| error.to_string())?;
        let found = (0..PAGES).filter(|page| text.contains(&format!("page{page:04}end"))).count();
        if !status.success() || found != PAGES {
            return Err(format!("{command:?}: {status}, {found} of {PAGES} pages"));
        }
    }
    Ok((best, most))
}
