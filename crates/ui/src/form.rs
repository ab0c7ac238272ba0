//! Forms: their fields on a page, and what comes back of them.

use hansang_core::validate::Violation;

use crate::escape::escape;
use crate::language::Language;
use hansang_http::problem::Problem;

pub use hansang_http::form::Form;

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name in the form.
    pub name: String,
    /// The label.
    pub label: String,
    /// What helps to fill it in.
    pub hint: String,
    /// The value.
    pub value: String,
    /// What is wrong with the value.
    pub problem: Option<String>,
    /// Whether it must be filled in.
    pub required: bool,
    /// Whether it is shown but cannot be changed.
    pub locked: bool,
    /// Whether it holds code, which is written in letters of one width.
    pub code: bool,
    /// What browsers may fill in by themselves, as HTML names it.
    pub autocomplete: &'static str,
    /// The kind of input.
    pub input: Input,
}

/// How a field is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line of text.
    Text,
    /// A password.
    Password,
    /// An email address.
    Email,
    /// A URL.
    Url,
    /// A number.
    Number,
    /// A check box.
    Check,
    /// A date.
    Date,
    /// A date and a time.
    Time,
    /// Several lines of text.
    Area {
        /// The number of lines.
        rows: usize,
    },
    /// Values and what they are called.
    Choice(Vec<(String, String)>),
}

impl Field {
    /// A line of text.
    pub fn text(name: &str, label: &str) -> Self {
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
    pub fn sent(mut self, sent: &Form, problems: &Problems) -> Self {
        if let Some(value) = sent.get(&self.name) {
            self.value = value.to_owned();
        }
        self.problem = problems.of(&self.name);
        self
    }

    /// The id of the input in the page.
    pub fn id(&self) -> String {
        let safe = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        format!("f-{}", self.name.chars().map(safe).collect::<String>())
    }

    /// The rows of a text area.
    pub fn rows(&self) -> Option<usize> {
        match self.input {
            Input::Area { rows } => Some(rows),
            _ => None,
        }
    }

    /// The choices of a select.
    pub fn choices(&self) -> Option<&[(String, String)]> {
        match &self.input {
            Input::Choice(choices) => Some(choices),
            _ => None,
        }
    }

    /// Whether it is a check box.
    pub fn is_check(&self) -> bool {
        self.input == Input::Check
    }

    /// Whether it takes the whole width.
    pub fn is_wide(&self) -> bool {
        matches!(self.input, Input::Area { .. })
    }

    /// The `type` of the input.
    pub fn input_type(&self) -> &'static str {
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
    pub fn rules(&self) -> String {
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
    pub fn described(&self) -> String {
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
pub struct Problems {
    violations: Vec<Violation>,
    /// What concerns no single field.
    pub message: Option<String>,
}

impl Problems {
    /// What an error says, in a language. Fields that the form does not show are told above it.
    pub fn of_error(problem: &Problem, shown: &[&str], language: Language) -> Self {
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

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty() && self.message.is_none()
    }
}
