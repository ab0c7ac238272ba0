//! Any bytes are a model or a list of problems whose places lie in the file.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(problems) = hansang_core::compile(bytes) {
        assert!(!problems.is_empty());
        let text = String::from_utf8_lossy(bytes);
        // A lone `\r` ends a line in YAML too.
        let lines = text.split(['\n', '\r']).count();
        for problem in &problems {
            assert!(problem.span.line >= 1 && problem.span.line <= lines, "{problem:?}");
            assert!(problem.span.column >= 1 && !problem.help.is_empty(), "{problem:?}");
        }
        hansang_core::diagnostic::render("fuzz.yaml", &text, &problems);
    }
});
