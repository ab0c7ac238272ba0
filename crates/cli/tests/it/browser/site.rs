//! The public site: every page in both themes, languages and widths, without layout shifts, and small.

use super::console::demo;
use super::{Browser, Visitor};
use crate::root;
use crate::serve::{self, Server};

/// The maximum bytes of the first page without pictures.
const MAX_FIRST: u64 = 60_000;

/// The sum of the layout shifts of the page, down to its end, where pictures load late.
const SHIFTS: &str = "const done = arguments[arguments.length - 1];
    let sum = 0;
    const add = (list) => { for (const shift of list.getEntries()) sum += shift.value; };
    const observer = new PerformanceObserver(add);
    observer.observe({ type: 'layout-shift', buffered: true });
    const frames = (count) => (count === 0 ? Promise.resolve() : new Promise(requestAnimationFrame).then(() => frames(count - 1)));
    (async () => {
      for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
        scrollTo(0, y);
        await frames(2);
      }
      // Those of the next banners load when they are scrolled to.
      const isSeen = ({ left, right, width }) => width > 0 && left < innerWidth && right > 0;
      const seen = [...document.images].filter((picture) => isSeen(picture.getBoundingClientRect()));
      for (let waited = 0; waited < 600 && !seen.every(({ complete }) => complete); waited++) await frames(1);
      const missing = seen.filter(({ naturalWidth }) => naturalWidth === 0);
      if (missing.length > 0) return done(`not loaded: ${missing.map(({ src }) => src)}`);
      await frames(3);
      add({ getEntries: () => observer.takeRecords() });
      scrollTo(0, 0);
      done(sum);
    })();";

/// The bytes of the page load without pictures.
const BYTES: &str = "return ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
    .filter(({ name, initiatorType }) => initiatorType !== 'img' && !/\\.(svg|png|jpe?g|webp|gif)$/.test(name))
    .reduce((sum, entry) => sum + entry.transferSize, 0)";

/// Visits every page of the site as a visitor.
fn visit(server: &Server, visitor: Visitor) {
    let browser = Browser::open(&server.address, visitor);
    let say =
        |english: &'static str, korean: &'static str| if visitor.language == "ko" { korean } else { english };
    let check = |path: &str| {
        if !path.is_empty() {
            browser.go(path);
        }
        browser.no_sideways_scroll();
        let shifted = browser.run_async(SHIFTS, &[]);
        assert_eq!(shifted.as_f64(), Some(0.0), "the layout of {} shifts: {shifted}", browser.path());
        browser.accessible();
    };
    browser.go("/site");
    let bytes = browser.run(BYTES, &[]).as_u64().unwrap();
    assert!((1..MAX_FIRST).contains(&bytes), "the first page has {bytes} bytes without pictures");
    check("");
    // A link of a kind that the page has.
    let link = |part: &str| {
        let script =
            "return document.querySelector(`a[href*='${arguments[0]}']`)?.getAttribute('href') ?? ''";
        let link = browser.run(script, &[part.into()]).as_str().unwrap().to_owned();
        assert!(!link.is_empty(), "{} has no link to {part}", browser.path());
        link
    };
    let (category, post) = (link("/categories/"), link("/posts/"));
    for path in ["/site/posts", &category, &post, "/site/about", "/site/search", "/site/search?q=a"] {
        check(path);
    }
    browser.go("/site/nowhere");
    browser.sees(say("Page not found", "페이지를 찾을 수 없습니다"));
    check("");
    check("/site/contact");
    // The server refuses invalid input too, and shows it again.
    browser.run("document.querySelector('form.form').noValidate = true", &[]);
    browser.fill(say("Name", "이름"), "홍길동");
    browser.click(say("Send", "보내기"));
    browser.sees(say("Nothing was sent yet", "아직 보내지 않았습니다"));
    assert_eq!(browser.value(say("Name", "이름")), "홍길동");
    check("");
}

/// The built-in theme, in English on a wide screen.
#[test]
fn the_site_is_steady_small_and_accessible() {
    let (_directory, server) = demo();
    visit(&server, Visitor::default());
}

/// Another theme, in Korean on a phone in the dark.
#[test]
fn another_theme_is_steady_small_and_accessible_on_a_phone() {
    let (_directory, data) = serve::temporary_data();
    let theme = root().join("examples/themes/paper");
    let server = Server::start(&data, &["--demo", "--content-theme", theme.to_str().unwrap()]);
    visit(&server, Visitor { language: "ko", dark: true, width: 390, height: 844, ..Visitor::default() });
}
