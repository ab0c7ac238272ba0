//! The five model files and the example items of their documents.

#[test]
fn content_compiles() {
    let source = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/content.yaml")).unwrap();
    if let Err(problems) = hansang_core::compile(&source) {
        panic!(
            "{}",
            hansang_core::diagnostic::render("content.yaml", &String::from_utf8_lossy(&source), &problems)
        );
    }
}
