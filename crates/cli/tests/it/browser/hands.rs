//! User input: clicks, form fields and keys.

use std::time::Duration;

use serde_json::{Value as Json, json};
use thirtyfour::error::WebDriverResult;
use thirtyfour::{By, Key, TypingData, WebElement};

use super::Browser;

const FIND: &str = include_str!("find.js");

/// Modifier keys, which are held while the next ones are pressed.
const HELD: [Key; 4] = [Key::Shift, Key::Control, Key::Alt, Key::Meta];

/// Errors of chromedriver when a key opens another page.
const OPENED: [&str; 2] = ["no such execution context", "aborted by navigation"];

impl Browser {
    /// Clicks the only control with this accessible name, or the only element with this CSS selector.
    #[track_caller]
    pub(crate) fn click(&self, target: &str) {
        self.until(|| {
            let element = self.find("click", target)?;
            self.runtime.block_on(press(&element)).map_err(|error| format!("{target:?}: {error}"))
        });
    }

    /// Replaces the value of the only field with this label. Selects the option with this text in a list; dates and
    /// times are in HTML format.
    #[track_caller]
    pub(crate) fn fill(&self, label: &str, value: &str) {
        self.until(|| {
            let element = self.find("fill", label)?;
            self.runtime.block_on(enter(&element, value)).map_err(|error| format!("{label:?}: {error}"))
        });
    }

    /// The value of the field with this label.
    #[track_caller]
    pub(crate) fn value(&self, label: &str) -> String {
        let element = self.until(|| self.find("fill", label));
        self.wait(element.prop("value")).unwrap_or_default()
    }

    /// The validation message of the browser for the field with this label; empty if it is valid.
    #[track_caller]
    pub(crate) fn complaint(&self, label: &str) -> String {
        let element = self.until(|| self.find("fill", label));
        self.wait(element.prop("validationMessage")).unwrap_or_default()
    }

    /// Presses keys at the current focus: `Key::Tab`, `"text"`, `"text" + Key::Enter`. Shift, Control, Alt and Meta
    /// stay down until the end: `Key::Shift + Key::Tab`.
    #[track_caller]
    pub(crate) fn press(&self, keys: impl Into<TypingData>) {
        let mut chain = self.web.action_chain_with_delay(None, Some(Duration::ZERO));
        let mut down = Vec::new();
        for key in keys.into().as_vec() {
            chain = chain.key_down(key);
            if HELD.map(char::from).contains(&key) {
                down.push(key);
            } else {
                chain = chain.key_up(key);
            }
        }
        for key in down.into_iter().rev() {
            chain = chain.key_up(key);
        }
        match self.runtime.block_on(chain.perform()) {
            // The last key opened another page before chromedriver was done with this one.
            Err(error) if OPENED.iter().any(|sign| error.to_string().contains(sign)) => {}
            other => self.wait(async { other }),
        }
    }

    /// Presses keys that open a page, maybe one with the same address, and waits until it has loaded.
    #[track_caller]
    pub(crate) fn opens(&self, keys: impl Into<TypingData>) {
        self.run("window.left = false", &[]);
        self.press(keys);
        self.has_loaded("return window.left === undefined");
    }

    /// Waits until a page has loaded of which this script says that it is the right one.
    #[track_caller]
    pub(crate) fn has_loaded(&self, script: &str) {
        let script = format!("if (document.readyState !== 'complete') return false; {script}");
        self.until(|| {
            let found = self.runtime.block_on(self.web.execute(&script, []));
            match found.map_err(|error| error.to_string())?.json() == true {
                true => Ok(()),
                false => Err("the page has not loaded".to_owned()),
            }
        });
    }

    /// Drags the element with the first CSS selector onto the upper half of the one with the second.
    #[track_caller]
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let [from, to] = [from, to].map(|selector| self.wait(self.web.find(By::Css(selector))));
        let chain = self.web.action_chain_with_delay(None, Some(Duration::ZERO));
        let chain = chain.move_to_element_center(&from).click_and_hold().move_by_offset(0, -6);
        // Chromium tells a target that something is dragged over it with the second movement there.
        let chain = chain.move_to_element_center(&to).move_by_offset(0, -4).move_by_offset(0, -2);
        self.wait(chain.release().perform());
    }

    /// The accessible name of the focused element.
    #[track_caller]
    pub(crate) fn focused(&self) -> String {
        self.run(FIND, &[json!("focused")]).as_str().unwrap().to_owned()
    }

    /// The only element with this name, or the reason that there is none.
    fn find(&self, deed: &str, wanted: &str) -> Result<WebElement, String> {
        let asked = self.runtime.block_on(self.web.execute(FIND, [json!(deed), json!(wanted)]));
        let found = asked.map_err(|error| error.to_string())?.json().clone();
        let elements = found["elements"].as_array().cloned().unwrap_or_default();
        match <[Json; 1]>::try_from(elements) {
            Ok([one]) => {
                WebElement::from_json(one, self.web.handle().clone()).map_err(|error| error.to_string())
            }
            Err(elements) => Err(format!(
                "there are {} things to {deed} called {wanted:?}: a story needs one; there is {}",
                elements.len(),
                found["names"]
            )),
        }
    }
}

/// WebDriver does not scroll to an element that is behind the bar at the top of pages.
async fn press(element: &WebElement) -> WebDriverResult<()> {
    let clicked = element.click().await;
    if clicked.is_err() {
        element.scroll_into_view().await?;
    }
    clicked
}

async fn enter(element: &WebElement, value: &str) -> WebDriverResult<()> {
    match element.prop("type").await?.unwrap_or_default().as_str() {
        "select-one" | "select-multiple" => {
            for option in element.find_all(By::Tag("option")).await? {
                if option.prop("label").await?.is_some_and(|label| label.trim() == value) {
                    return option.click().await;
                }
            }
            Err(thirtyfour::error::no_such_element(format!("there is no option {value:?}")))
        }
        // Typing into these depends on the browser's language.
        "date" | "time" | "datetime-local" | "month" | "week" | "color" | "range" => {
            let script = "arguments[0].value = arguments[1];
                for (const name of ['input', 'change'])
                  arguments[0].dispatchEvent(new Event(name, { bubbles: true }));";
            element.handle().execute(script, [element.to_json()?, json!(value)]).await.map(drop)
        }
        "file" => element.send_keys(value).await,
        _ => {
            element.clear().await?;
            element.send_keys(value).await
        }
    }
}
