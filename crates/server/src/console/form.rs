//! Forms: their fields on a page, and what comes back of them.

use axum::extract::{FromRequest, Request};
use hansang_core::validate::Violation;

use super::language::Language;
use crate::escape::escape;
use crate::input::whole_body;
use crate::problem::Problem;

/// A field of a form.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) label: String,
    /// What helps to fill it in.
    pub(crate) hint: String,
    pub(crate) value: String,
    /// What is wrong with the value.
    pub(crate) problem: Option<String>,
    pub(crate) required: bool,
    /// Whether it is shown but cannot be changed.
    pub(crate) locked: bool,
    /// Whether it holds code, which is written in letters of one width.
    pub(crate) code: bool,
    /// What browsers may fill in by themselves, as HTML names it.
    pub(crate) autocomplete: &'static str,
    pub(crate) input: Input,
}

/// How a field is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Text,
    Password,
    Email,
    Url,
    Number,
    Check,
    Date,
    /// A date and a time.
    Time,
    Area {
        rows: usize,
    },
    /// Values and what they are called.
    Choice(Vec<(String, String)>),
}

impl Field {
    /// A line of text.
    pub(crate) fn text(name: &str, label: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            hint: String::new(),
            value: String::new(),
            problem: None,
            required: true,
            locked: false,
            code: false,
            autocomplete: "off",
            input: Input::Text,
        }
    }

    /// The same field with the value that was sent, and what is wrong with it.
    pub(crate) fn sent(mut self, sent: &Sent, problems: &Problems) -> Self {
        if let Some(value) = sent.get(&self.name) {
            self.value = value.to_owned();
        }
        self.problem = problems.of(&self.name);
        self
    }

    pub(crate) fn id(&self) -> String {
        let safe = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        format!("f-{}", self.name.chars().map(safe).collect::<String>())
    }

    pub(crate) fn rows(&self) -> Option<usize> {
        match self.input {
            Input::Area { rows } => Some(rows),
            _ => None,
        }
    }

    pub(crate) fn choices(&self) -> Option<&[(String, String)]> {
        match &self.input {
            Input::Choice(choices) => Some(choices),
            _ => None,
        }
    }

    pub(crate) fn is_check(&self) -> bool {
        self.input == Input::Check
    }

    pub(crate) fn is_wide(&self) -> bool {
        matches!(self.input, Input::Area { .. })
    }

    pub(crate) fn input_type(&self) -> &'static str {
        match self.input {
            Input::Password => "password",
            Input::Email => "email",
            Input::Url => "url",
            Input::Date => "date",
            Input::Time => "datetime-local",
            _ => "text",
        }
    }

    /// Attributes for the browser: what it can check and fill in by itself.
    pub(crate) fn rules(&self) -> String {
        let mut rules = format!(" autocomplete=\"{}\"", self.autocomplete);
        if self.required {
            rules.push_str(" required");
        }
        if self.locked {
            // A list of choices has no state between open and shut.
            rules.push_str(if matches!(self.input, Input::Choice(_)) { " disabled" } else { " readonly" });
        }
        if self.code {
            rules.push_str(" class=\"code\" spellcheck=\"false\"");
        }
        if self.input == Input::Number {
            rules.push_str(" inputmode=\"decimal\"");
        }
        if self.autocomplete == "username" {
            rules.push_str(" autocapitalize=\"none\" spellcheck=\"false\"");
        }
        rules
    }

    /// Attributes that tie the hint and the problem to the field for those who do not see them.
    pub(crate) fn described(&self) -> String {
        let id = escape(&self.id());
        let mut by = Vec::new();
        if self.problem.is_some() {
            by.push(format!("{id}-problem"));
        }
        if !self.hint.is_empty() {
            by.push(format!("{id}-hint"));
        }
        let invalid = if self.problem.is_some() { " aria-invalid=\"true\"" } else { "" };
        if by.is_empty() { String::new() } else { format!(" aria-describedby=\"{}\"{invalid}", by.join(" ")) }
    }
}

/// What is wrong with a form that was sent: with its fields, and otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems {
    violations: Vec<Violation>,
    /// What concerns no single field.
    pub(crate) message: Option<String>,
}

impl Problems {
    /// What an error says, in a language. Fields that the form does not show are told above it.
    pub(crate) fn of_error(problem: &Problem, shown: &[&str], language: Language) -> Self {
        let (known, other): (Vec<_>, Vec<_>) =
            problem.violations.iter().cloned().partition(|one| shown.contains(&&*one.attribute));
        let message = if problem.violations.is_empty() {
            Some(language.sentence(&problem.message))
        } else {
            let lines: Vec<String> = other.iter().map(|one| language.sentence(one.message())).collect();
            (!lines.is_empty()).then(|| lines.join(" "))
        };
        let translated = known.into_iter().map(|one| Violation {
            problem: language.sentence(&one.problem).into(),
            attribute: one.attribute,
        });
        Self { violations: translated.collect(), message }
    }

    fn of(&self, field: &str) -> Option<String> {
        self.violations.iter().find(|one| one.attribute == field).map(|one| one.problem.to_string())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.violations.is_empty() && self.message.is_none()
    }
}

/// A form as it was sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent(Vec<(String, String)>);

impl Sent {
    /// The form in a body.
    pub(crate) fn parse(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    /// The first value of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The value of this name, or nothing as text.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// All values in their order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Where to go after the form was done: an address on this server and nowhere else.
    pub(crate) fn next(&self) -> &str {
        local(self.text("next"))
    }
}

/// The address, if it is one on this server; otherwise the start of the console.
pub(crate) fn local(address: &str) -> &str {
    let second = address.as_bytes().get(1);
    let is_local = ["/console", "/set-up", "/api/docs"].iter().any(|page| address.starts_with(page));
    let is_clean = address.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    if is_local && is_clean && second != Some(&b'/') { address } else { "/console" }
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        // The guard of a page has read the form already, to see that it is ours.
        if let Some(sent) = request.extensions().get::<Self>() {
            return Ok(sent.clone());
        }
        Ok(Self::parse(&whole_body(request, state).await?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_away() {
        for (next, gone_to) in [
            ("/console/systems/content", "/console/systems/content"),
            ("/console?a=b", "/console?a=b"),
            ("https://evil.example", "/console"),
            ("//evil.example", "/console"),
            ("/\\evil.example", "/console"),
            ("/console\r\nx: y", "/console"),
            ("javascript:alert(1)", "/console"),
            ("", "/console"),
        ] {
            assert_eq!(local(next), gone_to, "{next}");
        }
    }
}
