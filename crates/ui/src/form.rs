//! Forms: their fields on a page, and the problems of submitted values.

use hansang_core::message::Language;

use crate::escape::escape;
use crate::language::sentence;
use hansang_http::problem::Problem;

pub use hansang_http::form::Form;

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name in the form.
    pub name: String,
    /// The label.
    pub label: String,
    /// A hint that helps to fill it in.
    pub hint: String,
    /// The value.
    pub value: String,
    /// The problem with the value.
    pub problem: Option<String>,
    /// Whether it is required.
    pub required: bool,
    /// Whether it is read-only.
    pub locked: bool,
    /// Whether it holds code, which is shown in a monospaced font.
    pub code: bool,
    /// The `autocomplete` of HTML.
    pub autocomplete: &'static str,
    /// The kind of input.
    pub input: Input,
}

/// The kind of input of a field.
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
    /// Values and their labels.
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

    /// The same field with the submitted value, and its problem.
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

    /// Attributes by which the browser validates and fills the field.
    pub fn rules(&self) -> String {
        let mut rules = format!(" autocomplete=\"{}\"", self.autocomplete);
        if self.required {
            rules.push_str(" required");
        }
        if self.locked {
            // A select has no read-only state.
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

    /// Attributes that link the hint and the problem to the field for screen readers.
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

/// The problems of a submitted form: of its fields, and others.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    /// Names of fields, and the problem of each.
    fields: Vec<(String, String)>,
    /// The problem of the whole form.
    pub message: Option<String>,
}

impl Problems {
    /// The problems of an error, in a language. Those of fields that the form does not show are shown above it.
    pub fn of_error(problem: &Problem, shown: &[&str], language: Language) -> Self {
        let (known, other): (Vec<_>, Vec<_>) =
            problem.violations.iter().partition(|one| shown.contains(&&*one.attribute));
        let message = if problem.violations.is_empty() {
            Some(sentence(language, &problem.message))
        } else {
            let lines: Vec<String> = other.iter().map(|one| sentence(language, one.message())).collect();
            (!lines.is_empty()).then(|| lines.join(" "))
        };
        let fields = known.iter().map(|one| (one.attribute.clone(), sentence(language, &one.problem)));
        Self { fields: fields.collect(), message }
    }

    fn of(&self, field: &str) -> Option<String> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, problem)| problem.clone())
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.message.is_none()
    }
}
