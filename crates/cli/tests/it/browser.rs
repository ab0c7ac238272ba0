//! A real Chromium on the real server: stories of the pages as users see them.
//!
//! A story opens a [`Browser`] as a [`Visitor`] and then drives it with blocking calls; a check polls until it holds or
//! times out.
//!
//! Each browser has its own chromedriver, Chromium and directory, which end with it.

mod checks;
mod console;
mod contracts;
mod desk;
mod documents;
mod driver;
mod entry;
mod forms;
mod hands;
mod ledger;
mod ledger_add;
mod ledger_print;
mod operators;
mod parts;
mod proof;
mod records;
mod set_up;
mod site;
mod typed;
mod words;

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use thirtyfour::error::WebDriverResult;
use thirtyfour::{Capabilities, WebDriver};
use tokio::runtime::Runtime;

use driver::Driver;

/// The settings of a visitor's browser.
#[derive(Clone, Copy)]
pub(crate) struct Visitor {
    /// The preferred language, such as `ko`.
    pub(crate) language: &'static str,
    pub(crate) dark: bool,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Whether scripts run.
    pub(crate) scripts: bool,
}

impl Default for Visitor {
    fn default() -> Self {
        Self { language: "en", dark: false, width: 1280, height: 800, scripts: true }
    }
}

pub(crate) struct Browser {
    /// The address of the server.
    address: String,
    /// The timeout of a check.
    patience: Duration,
    runtime: Runtime,
    web: WebDriver,
    // Dropped in this order: the processes, then the directory they write to.
    driver: Driver,
    home: tempfile::TempDir,
}

impl Browser {
    /// Opens a browser for the server at this address, with an empty page.
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
            // Connects directly, even if the environment sets a proxy.
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
        // Disables animations, so that screenshots and contrast checks are stable.
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        browser.tell("Emulation.setEmulatedMedia", json!({ "features": features }));
        browser.tell("Emulation.setScriptExecutionDisabled", json!({ "value": !visitor.scripts }));
        browser.resize(visitor.width, visitor.height);
        browser
    }

    /// Opens a path of the server and waits until it has loaded.
    #[track_caller]
    pub(crate) fn go(&self, path: &str) {
        self.wait(self.web.goto(format!("{}{path}", self.address)));
    }

    /// Changes the size of the viewport. Windows have a minimum width.
    #[track_caller]
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tell("Emulation.setDeviceMetricsOverride", size);
    }

    /// The path and the query of the open page.
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

    /// The visible text of the page, including what needs scrolling.
    #[track_caller]
    pub(crate) fn text(&self) -> String {
        self.read().unwrap()
    }

    /// Waits until this text is visible. Ignores line breaks.
    #[track_caller]
    pub(crate) fn sees(&self, text: &str) {
        self.until(|| if self.shows(text)? { Ok(()) } else { Err(format!("{text:?} cannot be seen")) });
    }

    /// Waits until this text is no longer visible. First check for text that the new page has: a page that has not
    /// loaded yet has no text at all.
    #[track_caller]
    pub(crate) fn does_not_see(&self, text: &str) {
        self.until(|| if self.shows(text)? { Err(format!("{text:?} can be seen")) } else { Ok(()) });
    }

    fn shows(&self, text: &str) -> Result<bool, String> {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(plain(&self.read()?).contains(&plain(text)))
    }

    /// The text of the page; an error during navigation.
    fn read(&self) -> Result<String, String> {
        let text = self.runtime.block_on(self.web.execute("return document.body?.innerText ?? ''", []));
        text.and_then(|text| text.convert()).map_err(|error| error.to_string())
    }

    /// Runs a script in the page and returns its result. The content security policy does not apply to it.
    #[track_caller]
    pub(crate) fn run(&self, script: &str, arguments: &[Json]) -> Json {
        self.wait(self.web.execute(script, arguments)).json().clone()
    }

    /// Runs a script that calls its last argument with its result.
    #[track_caller]
    pub(crate) fn run_async(&self, script: &str, arguments: &[Json]) -> Json {
        self.wait(self.web.execute_async(script, arguments)).json().clone()
    }

    /// Sends a Chromium command that WebDriver does not have.
    #[track_caller]
    fn tell(&self, method: &str, parameters: Json) {
        let cdp = self.web.cdp();
        self.wait(cdp.send_raw(method, parameters));
    }

    /// Asks Chromium for something that WebDriver does not have.
    #[track_caller]
    fn ask(&self, method: &str, parameters: Json) -> Json {
        let cdp = self.web.cdp();
        self.wait(cdp.send_raw(method, parameters))
    }

    #[track_caller]
    fn wait<T>(&self, doing: impl Future<Output = WebDriverResult<T>>) -> T {
        match self.runtime.block_on(doing) {
            Ok(done) => done,
            // Not in a closure, so that the reported location is that of the story.
            Err(error) => panic!("the browser refused: {error}"),
        }
    }

    /// Retries until the attempt succeeds, and panics with its last error after the timeout. Each attempt waits for the
    /// browser, so this is no busy loop.
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
    /// Asks Chromium to quit, so that it ends its own processes, and then kills the whole process group.
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.web.clone().quit());
    }
}
