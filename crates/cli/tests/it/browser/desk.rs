//! The editors' desk: a post is written, published and changed by two people; categories and inquiries are managed.

use super::console::{administrator, demo};
use super::{Browser, Visitor};
use thirtyfour::Key;

/// All pages with a fixed address.
const PAGES: [&str; 14] = [
    "/console/content",
    "/console/content/posts",
    "/console/content/posts?state=draft&q=x",
    "/console/content/posts/new",
    "/console/content/categories",
    "/console/content/categories/new",
    "/console/content/banners",
    "/console/content/banners/new",
    "/console/content/media",
    "/console/content/inquiries",
    "/console/content/templates",
    "/console/content/company",
    "/console/content/authors",
    "/console/content/webhooks/new",
];

/// Creates a draft and returns the address of its editor.
fn new_post(browser: &Browser, title: &str) -> String {
    browser.go("/console/content/posts/new");
    browser.fill("Title", title);
    browser.click("Create");
    browser.sees("Created.");
    browser.path().split('?').next().unwrap().to_owned()
}

#[test]
fn a_post_is_written_with_a_preview_and_published() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/console/content");
    browser.sees("Inquiries to answer");
    browser.accessible();
    browser.screenshot("content");
    let editor = new_post(&browser, "Autumn news");
    browser.accessible();

    // The preview follows the text, and the draft is saved by itself.
    browser.fill("Contents", "First **bold** words");
    browser.sees("Draft saved automatically");
    assert_eq!(browser.run("return document.querySelector('#preview strong').textContent", &[]), "bold");
    // Shortcuts mark the selected text.
    browser.run(
        "const area = document.getElementById('f-contents'); area.focus(); area.setSelectionRange(0, 5)",
        &[],
    );
    browser.run("document.querySelector('[data-mark=italic]').click()", &[]);
    assert_eq!(browser.value("Contents"), "*First* **bold** words");
    browser.sees("Draft saved automatically");
    browser.screenshot("content-editor");
    keys_mark_and_save(&browser);
    pictures_are_inserted(&browser);
    browser.click("Publish");
    browser.sees("Published.");
    browser.click("View on site");
    browser.sees("Autumn news");
    browser.accessible();

    browser.go(&editor);
    browser.fill("Title", "Autumn news, again");
    browser.click("Save as draft");
    browser.sees("Unpublished changes");
    browser.click("History");
    browser.sees("Changes since the version before.");
    browser.accessible();
    browser.screenshot("content-history");
}

/// Selects a part of the contents.
fn select(browser: &Browser, from: usize, to: usize) {
    let script = "const area = document.getElementById('f-contents'); area.focus(); area.setSelectionRange(...arguments)";
    browser.run(script, &[from.into(), to.into()]);
}

/// The keys that mark a selection, and the one that saves.
fn keys_mark_and_save(browser: &Browser) {
    select(browser, 17, 22);
    browser.press(Key::Control + "i");
    assert_eq!(browser.value("Contents"), "*First* **bold** *words*");
    select(browser, 18, 23);
    browser.press(Key::Control + "b");
    assert_eq!(browser.value("Contents"), "*First* **bold** ***words***");
    select(browser, 10, 14);
    browser.press(Key::Control + "k");
    assert_eq!(browser.value("Contents"), "*First* **[bold](https://)** ***words***");
    // The address is selected.
    browser.press("https://example.com");
    assert_eq!(browser.value("Contents"), "*First* **[bold](https://example.com)** ***words***");
    browser.press(Key::Control + "s");
    browser.sees("Saved.");
    assert_eq!(browser.value("Contents"), "*First* **[bold](https://example.com)** ***words***");
}

/// A picture that is pasted and one that is dropped are uploaded, and the preview shows them.
fn pictures_are_inserted(browser: &Browser) {
    for (number, (event, kind, holder)) in
        [("paste", "ClipboardEvent", "clipboardData"), ("drop", "DragEvent", "dataTransfer")]
            .into_iter()
            .enumerate()
    {
        let script = "const [event, kind, holder, done] = arguments;
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [16, 12];
            canvas.getContext('2d').fillRect(0, 0, 16, 6);
            canvas.toBlob((blob) => {
              const data = new DataTransfer();
              data.items.add(new File([blob], `${event}.png`, { type: 'image/png' }));
              const area = document.getElementById('f-contents');
              area.focus();
              area.setSelectionRange(area.value.length, area.value.length);
              area.dispatchEvent(new window[kind](event, { [holder]: data, bubbles: true, cancelable: true }));
              done(true);
            }, 'image/png');";
        browser.run_async(script, &[event.into(), kind.into(), holder.into()]);
        browser.until(|| {
            let shown = "return [...document.querySelectorAll('#preview img')].filter((one) => one.naturalWidth === 16).length";
            let shown = browser.run(shown, &[]).as_u64().unwrap_or_default();
            if shown == number as u64 + 1 { Ok(()) } else { Err(format!("{shown} pictures after {event}")) }
        });
        assert_eq!(browser.value("Contents").matches("](/media/").count(), number + 1);
    }
}

/// Whether the browser would ask before the page is closed.
fn asks_before_closing(browser: &Browser) -> bool {
    let script = "const event = new Event('beforeunload', { cancelable: true });
        dispatchEvent(event);
        return event.defaultPrevented";
    browser.run(script, &[]) == true
}

#[test]
fn two_editors_lose_nothing() {
    let (_directory, server) = demo();
    let one = administrator(&server, Visitor::default());
    let editor = new_post(&one, "Shared");
    one.fill("Contents", "First paragraph\n\nSecond paragraph");
    one.click("Save");
    one.sees("Saved.");
    // The same post in a second window, which is saved first.
    let save = format!(
        "return fetch('{editor}').then((page) => page.text()).then((text) => {{
           const form = new DOMParser().parseFromString(text, 'text/html').getElementById('editor');
           const fields = new URLSearchParams(new FormData(form));
           fields.set('contents', 'First paragraph\\n\\nSecond paragraph, longer');
           fields.set('do', 'save');
           return fetch('{editor}', {{ method: 'POST', body: fields }});
         }}).then((answer) => answer.status)"
    );
    one.go(&editor);
    assert_eq!(one.run(&save, &[]), 200);
    one.fill("Contents", "First paragraph, longer\n\nSecond paragraph");
    one.sees("Changed elsewhere. Save to review both versions.");
    // Nothing is saved by itself any more, so closing the tab would lose what was typed.
    assert!(asks_before_closing(&one));
    one.click("Save");
    one.sees("The changes do not overlap");
    assert_eq!(one.value("Contents"), "First paragraph, longer\n\nSecond paragraph, longer");
    one.accessible();
    one.screenshot("content-conflict");
    one.click("Save");
    one.sees("Saved.");
    assert!(!asks_before_closing(&one), "everything is saved");
}

#[test]
fn categories_are_ordered_by_keyboard_and_inquiries_answered() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/console/content/categories");
    let names =
        "return [...document.querySelectorAll('.ordered strong')].map((name) => name.textContent).join('|')";
    let before = browser.run(names, &[]);
    browser.run("document.querySelector('.ordered li:last-child button[name=up]').focus()", &[]);
    browser.press(Key::Enter);
    browser.run(
        "return new Promise((done) => addEventListener('load', done, { once: true, passive: true }) || setTimeout(done, 500))",
        &[],
    );
    assert_ne!(browser.run(names, &[]), before);
    browser.accessible();
    // A row is dragged back to the end by dragging the one behind it before it.
    browser.drag(".ordered li:last-child .grip", ".ordered li:nth-last-child(2)");
    browser.until(|| match browser.run(names, &[]) {
        now if now == before => Ok(()),
        now => Err(format!("{now} instead of {before}")),
    });
    browser.go("/console/content/categories");
    assert_eq!(browser.run(names, &[]), before, "the order is stored");

    browser.go("/console/content/inquiries");
    browser.accessible();
    browser.run("document.querySelector('tbody a').click()", &[]);
    browser.sees("Send reply");
    browser.fill("Reply", "Thank you for your message.");
    browser.click("Send reply");
    browser.sees("The reply is being sent.");
    browser.accessible();
    browser.screenshot("content-inquiry");
}

#[test]
fn the_desk_works_on_a_phone_in_korean() {
    let (_directory, server) = demo();
    let phone = Visitor { language: "ko", dark: true, width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, phone);
    for page in PAGES {
        browser.go(page);
        browser.no_sideways_scroll();
        browser.accessible();
    }
    browser.go("/console/content/posts");
    browser.run("document.querySelector('.table a, tbody a, .cards a').click()", &[]);
    browser.sees("게시 일시");
    browser.no_sideways_scroll();
    browser.accessible();
    browser.screenshot("phone-content-editor");
}

#[test]
fn the_desk_works_without_scripts() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { scripts: false, ..Visitor::default() });
    new_post(&browser, "Plain");
    browser.fill("Contents", "Text without scripts");
    // A change of language keeps what was typed, as the frame says.
    browser.click("한국어");
    browser.sees("입력한 내용이 그대로 있습니다. 아직 저장되지 않았습니다.");
    assert_eq!(browser.value("내용"), "Text without scripts");
    browser.click("English");
    browser.sees("Your input is still here.");
    browser.click("Publish");
    browser.sees("Published.");
    browser.click("View on site");
    browser.sees("Text without scripts");
}
