//! Submitted forms.

use axum::extract::{FromRequest, Request};

use crate::input::whole_body;
use crate::problem::Problem;

/// A submitted form.
#[derive(Clone, Debug, Default)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// The form in a body.
    pub fn parse(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    /// The form with these values.
    pub fn of(values: Vec<(String, String)>) -> Self {
        Self(values)
    }

    /// The first value of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The value of this name, or the empty text.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// All values in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The redirect target after the form succeeded: only an address on this server.
    pub fn next(&self) -> &str {
        local(self.text("next"))
    }
}

/// The address, if it is on this server; otherwise the start of the console.
pub fn local(address: &str) -> &str {
    let second = address.as_bytes().get(1);
    let is_local = ["/console", "/set-up", "/api/docs"].iter().any(|page| address.starts_with(page));
    let is_clean = address.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    if is_local && is_clean && second != Some(&b'/') { address } else { "/console" }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        // The guard has read the form already, to check the CSRF secret.
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
    fn redirects_stay_on_this_server() {
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
