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
    /// A time of the day.
    Clock,
    /// A month.
    Month,
    /// An amount of money. The script adds separators; [`crate::number::typed`] reads it.
    Money {
        /// The unit behind the field, such as `원`.
        unit: String,
    },
    /// A percentage.
    Percent,
    /// A whole number with buttons to change it by one.
    Count {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// The key of another record, chosen by its title.
    Reference {
        /// Keys and titles to choose from, before anything is typed.
        options: Vec<(String, String)>,
        /// An address that answers `?q=…` with `[{"value": …, "label": …}]`; empty if the options are all there are.
        search: String,
    },
    /// A file, which can be dropped on the field.
    File {
        /// The `accept` of HTML; may be empty.
        accept: &'static str,
    },
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
        // Letters of every script stay, so that Korean names have ids of their own.
        let safe = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
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

    /// Keys and titles of a reference, and the address to search for more.
    pub fn reference(&self) -> Option<(&[(String, String)], &str)> {
        match &self.input {
            Input::Reference { options, search } => Some((options, search)),
            _ => None,
        }
    }

    /// The title of the record that a reference names.
    pub fn chosen(&self) -> &str {
        let options = self.reference().map(|(options, _)| options).unwrap_or_default();
        options.iter().find(|(key, _)| *key == self.value).map_or("", |(_, title)| title)
    }

    /// The unit behind the field.
    pub fn unit(&self) -> Option<&str> {
        match &self.input {
            Input::Money { unit } => Some(unit),
            Input::Percent => Some("%"),
            _ => None,
        }
    }

    /// Whether it is a number with buttons.
    pub fn is_count(&self) -> bool {
        matches!(self.input, Input::Count { .. })
    }

    /// Whether it is a check box.
    pub fn is_check(&self) -> bool {
        self.input == Input::Check
    }

    /// Whether it takes the whole width.
    pub fn is_wide(&self) -> bool {
        matches!(self.input, Input::Area { .. } | Input::File { .. })
    }

    /// The `type` of the input.
    pub fn input_type(&self) -> &'static str {
        match self.input {
            Input::Password => "password",
            Input::Email => "email",
            Input::Url => "url",
            Input::Date => "date",
            Input::Time => "datetime-local",
            Input::Clock => "time",
            Input::Month => "month",
            Input::Count { .. } => "number",
            Input::File { .. } => "file",
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
        match &self.input {
            Input::Number | Input::Percent => rules.push_str(" inputmode=\"decimal\""),
            Input::Money { .. } => rules.push_str(" inputmode=\"numeric\" data-money"),
            Input::Time => rules.push_str(" step=\"any\""),
            Input::Count { min, max } => rules.push_str(&format!(" min=\"{min}\" max=\"{max}\"")),
            Input::File { accept: "" } => rules.push_str(" class=\"drop\""),
            Input::File { accept } => {
                rules.push_str(&format!(" class=\"drop\" accept=\"{}\"", escape(accept)));
            }
            Input::Reference { search, .. } => {
                rules.push_str(&format!(" list=\"{}-list\"", escape(&self.id())));
                if !search.is_empty() {
                    rules.push_str(&format!(" data-search=\"{}\"", escape(search)));
                }
            }
            _ => {}
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
        if self.reference().is_some() {
            by.push(format!("{id}-chosen"));
        }
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

    /// The problem of a field.
    pub fn of(&self, field: &str) -> Option<String> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, problem)| problem.clone())
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.message.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_every_script_have_ids_of_their_own() {
        let id = |name: &str| Field::text(name, "").id();
        assert_ne!(id("short:여행"), id("short:운동"));
        assert_eq!(id("a b.c"), "f-a-b-c");
    }
}
