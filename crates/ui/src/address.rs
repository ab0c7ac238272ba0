//! Addresses of this server with other parameters.

/// The address with these parameters; an empty value removes one. The position in a list and the notice are removed,
/// because they belong to the old parameters.
#[must_use]
pub fn with(address: &str, changes: &[(&str, &str)]) -> String {
    replaced(address, changes, &["cursor", "done"])
}

/// The address with these parameters on the same page of a list.
#[must_use]
pub fn on_page(address: &str, changes: &[(&str, &str)]) -> String {
    replaced(address, changes, &["done"])
}

fn replaced(address: &str, changes: &[(&str, &str)], dropped: &[&str]) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let is_old = |name: &str| dropped.contains(&name) || changes.iter().any(|(changed, _)| *changed == name);
    let kept = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| !is_old(name));
    let mut out = form_urlencoded::Serializer::new(String::new());
    out.extend_pairs(kept);
    out.extend_pairs(changes.iter().filter(|(_, value)| !value.is_empty()));
    match out.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{on_page, with};

    #[test]
    fn parameters_are_replaced() {
        let here = "/console/a?q=%ED%95%9C&sort=name&cursor=x&done=saved";
        assert_eq!(
            with(here, &[("sort", "at"), ("order", "desc")]),
            "/console/a?q=%ED%95%9C&sort=at&order=desc"
        );
        assert_eq!(with(here, &[("q", ""), ("sort", "")]), "/console/a");
        assert_eq!(on_page(here, &[("sort", "")]), "/console/a?q=%ED%95%9C&cursor=x");
        assert_eq!(with("/console/a", &[("q", "a b&c")]), "/console/a?q=a+b%26c");
    }
}
