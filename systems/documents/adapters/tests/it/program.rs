//! The program that tests use to read files in a process of its own. The product uses itself.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it plays readers that fail")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["read", request] => hansang_documents_adapters::read_as_child(request),
        ["abort", ..] => std::process::abort(),
        ["panic", ..] => panic!("a bug"),
        ["overflow", ..] => ExitCode::from(u8::try_from(overflow(1) % 200).unwrap_or(1)),
        ["hang", ..] => loop {
            std::thread::park();
        },
        ["flood", ..] => loop {
            eprintln!("{}", "noise ".repeat(1000));
            println!("{{\"facts\":{{\"format\":\"text\"}}}}");
        },
        ["nonsense", ..] => {
            println!("not json");
            ExitCode::SUCCESS
        }
        ["stop", ..] => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}

#[expect(unconditional_recursion, reason = "it uses up the stack")]
fn overflow(depth: u64) -> u64 {
    let room = [depth; 1000];
    overflow(depth + 1) + std::hint::black_box(room)[500]
}
