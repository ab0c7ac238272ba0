//! A real Chromium that visits the real server: stories of the pages as people use them.
//!
//! A story opens a [`Browser`] as a [`Visitor`] and then says what the person does and sees. It is plain,
//! blocking code: everything that takes time in a browser is waited for by looking again until it is so.
//!
//! Each browser has a chromedriver, a Chromium and a directory of its own, which end with it.

mod checks;
mod console;
mod contracts;
mod driver;
mod entry;
mod hands;
mod proof;
mod set_up;

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use thirtyfour::error::WebDriverResult;
use thirtyfour::{Capabilities, WebDriver};
use tokio::runtime::Runtime;

use driver::Driver;

/// How somebody looks at the pages.
#[derive(Clone, Copy)]
pub(crate) struct Visitor {
    /// What the browser asks pages to be in, such as `ko`.
    pub(crate) language: &'static str,
    pub(crate) dark: bool,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Whether the pages' own scripts run.
    pub(crate) scripts: bool,
}

impl Default for Visitor {
    fn default() -> Self {
        Self { language: "en", dark: false, width: 1280, height: 800, scripts: true }
    }
}

pub(crate) struct Browser {
    /// Where the server is.
    address: String,
    /// How long to look for what is not there yet.
    patience: Duration,
    runtime: Runtime,
    web: WebDriver,
    // These end in this order: the processes, then the directory they write to.
    driver: Driver,
    home: tempfile::TempDir,
}

impl Browser {
    /// Opens a browser for the server at this address. It shows nothing yet.
    pub(crate) fn open(address: &str, visitor: Visitor) -> Self {
        let home = tempfile::tempdir().unwrap();
        let driver = Driver::start(home.path());
        let profile = format!("--user-data-dir={}", home.path().join("profile").display());
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--force-color-profile=srgb",
            "--hide-scrollbars",
            // Nothing between the browser and the server, whatever the environment says.
            "--no-proxy-server",
            &profile,
        ];
        let options = json!({ "args": arguments, "prefs": { "intl.accept_languages": visitor.language } });
        let mut wanted = Capabilities::new();
        wanted.set("goog:chromeOptions", options).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let web = runtime.block_on(WebDriver::new(&driver.address, wanted));
        let web = web.unwrap_or_else(|error| {
            panic!("Chromium does not start: run ./test, which installs it\n{error}")
        });
        let patience = Duration::from_secs(20);
        let browser = Self { address: address.to_owned(), patience, runtime, web, driver, home };
        let scheme = if visitor.dark { "dark" } else { "light" };
        // Nothing moves, so that a picture or a contrast is never taken half-way.
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        browser.tell("Emulation.setEmulatedMedia", json!({ "features": features }));
        browser.tell("Emulation.setScriptExecutionDisabled", json!({ "value": !visitor.scripts }));
        browser.resize(visitor.width, visitor.height);
        browser
    }

    /// Opens a path of the server, as typed into the address bar, and waits until it has loaded.
    #[track_caller]
    pub(crate) fn go(&self, path: &str) {
        self.wait(self.web.goto(format!("{}{path}", self.address)));
    }

    /// Changes the size of what is seen of a page. Windows themselves have a least width.
    #[track_caller]
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tell("Emulation.setDeviceMetricsOverride", size);
    }

    /// The path and the query of the page that is open.
    #[track_caller]
    pub(crate) fn path(&self) -> String {
        let url = self.wait(self.web.current_url());
        url.as_str().strip_prefix(&self.address).unwrap_or(url.as_str()).to_owned()
    }

    /// Waits until the page with this path is open.
    #[track_caller]
    pub(crate) fn is_at(&self, path: &str) {
        self.until(|| if self.path() == path { Ok(()) } else { Err(format!("the page is not {path}")) });
    }

    /// The text that can be seen on the page, and by scrolling.
    #[track_caller]
    pub(crate) fn text(&self) -> String {
        self.read().unwrap()
    }

    /// Waits until this text can be seen. Where lines break makes no difference.
    #[track_caller]
    pub(crate) fn sees(&self, text: &str) {
        self.until(|| if self.shows(text)? { Ok(()) } else { Err(format!("{text:?} cannot be seen")) });
    }

    /// Waits until this text can no longer be seen. Say before what must be there once it is gone: a page
    /// that has not loaded yet has no text at all.
    #[track_caller]
    pub(crate) fn does_not_see(&self, text: &str) {
        self.until(|| if self.shows(text)? { Err(format!("{text:?} can be seen")) } else { Ok(()) });
    }

    fn shows(&self, text: &str) -> Result<bool, String> {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(plain(&self.read()?).contains(&plain(text)))
    }

    /// The text of the page, unless it is just being left.
    fn read(&self) -> Result<String, String> {
        let text = self.runtime.block_on(self.web.execute("return document.body?.innerText ?? ''", []));
        text.and_then(|text| text.convert()).map_err(|error| error.to_string())
    }

    /// Runs a script in the page and gives what it returns. The pages' own policy does not apply to it.
    #[track_caller]
    pub(crate) fn run(&self, script: &str, arguments: &[Json]) -> Json {
        self.wait(self.web.execute(script, arguments)).json().clone()
    }

    /// Says something to Chromium that WebDriver has no word for.
    #[track_caller]
    fn tell(&self, method: &str, parameters: Json) {
        let cdp = self.web.cdp();
        self.wait(cdp.send_raw(method, parameters));
    }

    #[track_caller]
    fn wait<T>(&self, doing: impl Future<Output = WebDriverResult<T>>) -> T {
        match self.runtime.block_on(doing) {
            Ok(done) => done,
            // Not in a closure, so that the place that is told is that of the story.
            Err(error) => panic!("the browser refused: {error}"),
        }
    }

    /// Tries until it is so, and otherwise says why it is not, and what is there instead. Each try asks the
    /// browser and waits for its answer, so this is no busy loop.
    #[track_caller]
    fn until<T>(&self, attempt: impl Fn() -> Result<T, String>) -> T {
        let began = Instant::now();
        loop {
            match attempt() {
                Ok(done) => return done,
                Err(_) if began.elapsed() < self.patience => {}
                Err(reason) => panic!("{reason}\n--- {}\n{}\n---", self.path(), self.text()),
            }
        }
    }
}

impl Drop for Browser {
    /// Chromium is asked to end first: it then puts away its own processes. Whether it does or not, its
    /// whole group is killed.
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.web.clone().quit());
    }
}
