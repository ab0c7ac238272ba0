//! Checks of a page besides its text.

use std::path::Path;

use serde_json::Value as Json;

use super::Browser;
use crate::root;

/// The requests of a page load.
pub(crate) struct Load {
    /// The page and all its resources.
    pub(crate) urls: Vec<String>,
    /// The URLs of other hosts.
    pub(crate) elsewhere: Vec<String>,
    /// The transferred bytes; cached resources count as 0.
    pub(crate) bytes: u64,
}

impl Browser {
    /// Panics if axe finds a serious or critical problem.
    #[track_caller]
    pub(crate) fn accessible(&self) {
        let findings = self.findings();
        assert!(findings.is_empty(), "{} at {} pixels:\n{}", self.path(), self.width(), findings.join("\n"));
    }

    /// The findings of axe, one line per element: rule, impact, selector, and help.
    #[track_caller]
    pub(super) fn findings(&self) -> Vec<String> {
        let file = root().join(".tools/axe/package/axe.min.js");
        let axe = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{}: {error}: run ./test, which installs it", file.display()));
        self.run(&axe, &[]);
        let script = "const done = arguments[0];
            axe.run(document, { resultTypes: ['violations'] })
              .then((results) => done(results.violations), (error) => done(String(error)));";
        let found = self.wait(self.web.execute_async(script, [])).json().clone();
        let violations = found.as_array().unwrap_or_else(|| panic!("axe did not run: {found}"));
        let heavy = |one: &&Json| one["impact"] == "serious" || one["impact"] == "critical";
        let mut lines = Vec::new();
        for one in violations.iter().filter(heavy) {
            for node in one["nodes"].as_array().unwrap() {
                let [rule, impact, help] = ["id", "impact", "help"].map(|name| one[name].as_str().unwrap());
                let why = node["failureSummary"].as_str().unwrap_or_default().replace('\n', " ");
                lines.push(format!("{rule} ({impact}) at {}: {help}. {why}", node["target"]));
            }
        }
        lines
    }

    /// The width of the page in pixels.
    #[track_caller]
    pub(crate) fn width(&self) -> u64 {
        self.run("return document.documentElement.clientWidth", &[]).as_u64().unwrap()
    }

    /// Panics if the page is wider than the viewport, and names the elements that are.
    #[track_caller]
    pub(crate) fn no_sideways_scroll(&self) {
        let wide = self.too_wide();
        let (path, width) = (self.path(), self.width());
        assert!(wide.is_empty(), "{path} scrolls sideways at {width} pixels:\n{}", wide.join("\n"));
    }

    /// The innermost elements that make the page wider than the viewport, except in scroll containers.
    #[track_caller]
    pub(super) fn too_wide(&self) -> Vec<String> {
        let script = "const root = document.documentElement;
            if (root.scrollWidth <= root.clientWidth) return [];
            const clips = (element) => getComputedStyle(element).overflowX !== 'visible';
            const clipped = (element) => element !== document.body && (clips(element) || clipped(element.parentElement));
            const reaches = (element) => {
              const { left, right } = element.getBoundingClientRect();
              return Math.max(right, clips(element) ? 0 : left + element.scrollWidth) > root.clientWidth + 0.5;
            };
            return [...document.body.querySelectorAll('*')]
              .filter((element) => reaches(element) && !clipped(element.parentElement))
              .filter((element) => ![...element.children].some(reaches))
              .map((element) => element.outerHTML.slice(0, 120))
              .concat(`the page is ${root.scrollWidth} pixels wide`);";
        serde_json::from_value(self.run(script, &[])).unwrap()
    }

    /// Panics if a region of a table is wider than it shows, so that the table scrolls or is cut.
    #[track_caller]
    pub(crate) fn tables_fit(&self) {
        let script = "return [...document.querySelectorAll('.wide:has(table)')]
              .filter((region) => region.scrollWidth > region.clientWidth)
              .map((region) => `${region.scrollWidth} of ${region.clientWidth} pixels: ${region.outerHTML.slice(0, 120)}`);";
        let wide: Vec<String> = serde_json::from_value(self.run(script, &[])).unwrap();
        let (path, width) = (self.path(), self.width());
        assert!(wide.is_empty(), "{path} has tables that do not fit at {width} pixels:\n{}", wide.join("\n"));
    }

    /// The requests of the page load. Open a new browser for a first load, because its cache is empty. The icon loads
    /// after the page, so it may be missing.
    #[track_caller]
    pub(crate) fn requests(&self) -> Load {
        let script = "return ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
              .map((entry) => [entry.name, entry.transferSize]);";
        let entries: Vec<(String, u64)> = serde_json::from_value(self.run(script, &[])).unwrap();
        let bytes = entries.iter().map(|(_, bytes)| bytes).sum();
        let urls: Vec<String> = entries.into_iter().map(|(url, _)| url).collect();
        let here = format!("{}/", self.address);
        let elsewhere = urls.iter().filter(|url| !url.starts_with(&here)).cloned().collect();
        Load { urls, elsewhere, bytes }
    }

    /// A screenshot of the viewport: `docs/screenshots/NAME.png` with `UPDATE_SCREENSHOTS=1`, otherwise a temporary
    /// file, so that a test run changes nothing.
    #[track_caller]
    pub(crate) fn screenshot(&self, name: &str) {
        let update = std::env::var_os("UPDATE_SCREENSHOTS").is_some_and(|value| value == "1");
        let directory = if update { root().join("docs/screenshots") } else { self.home.path().to_owned() };
        std::fs::create_dir_all(&directory).unwrap();
        self.photograph(&directory.join(name).with_extension("png"));
    }

    /// Writes a screenshot of the viewport to a file.
    #[track_caller]
    pub(super) fn photograph(&self, file: &Path) {
        self.wait(self.web.screenshot(file));
    }
}
