//! Lists in an order of their own: moved by buttons, by dragging, and by keyboard.

use hansang_ui::form::Form;

use super::words::Badge;

/// A row of an ordered list.
pub(super) struct Ordered {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) link: String,
    pub(super) picture: Option<String>,
    pub(super) badges: Vec<Badge>,
}

/// The order that a form asks for: the whole list after dragging, or one row moved by one position. None if nothing moves.
pub(super) fn asked(sent: &Form, ids: Vec<String>) -> Option<Vec<String>> {
    let mut order = ids;
    if let Some(dragged) = sent.get("order") {
        let mut wanted: Vec<String> = dragged.split(',').map(str::to_owned).collect();
        wanted.retain(|id| order.contains(id));
        // Rows that came meanwhile stay at the end.
        let missing: Vec<String> = order.iter().filter(|id| !wanted.contains(id)).cloned().collect();
        wanted.extend(missing);
        return (wanted != order).then_some(wanted);
    }
    let up = sent.get("up").and_then(|id| order.iter().position(|one| one == id));
    let down = sent.get("down").and_then(|id| order.iter().position(|one| one == id));
    let (one, other) = match (up, down) {
        (Some(index), _) => (index.checked_sub(1)?, index),
        (None, Some(index)) if index + 1 < order.len() => (index, index + 1),
        _ => return None,
    };
    order.swap(one, other);
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(name: &str, value: &str) -> Option<String> {
        let sent = Form::of(vec![(name.to_owned(), value.to_owned())]);
        let ids = ["a", "b", "c"].map(str::to_owned).to_vec();
        asked(&sent, ids).map(|ids| ids.concat())
    }

    #[test]
    fn rows_move_by_one_or_anywhere() {
        assert_eq!(order("up", "b").as_deref(), Some("bac"));
        assert_eq!(order("down", "b").as_deref(), Some("acb"));
        assert_eq!(order("order", "c,a,b").as_deref(), Some("cab"));
        // A row that is gone, and one that came meanwhile.
        assert_eq!(order("order", "c,x,a").as_deref(), Some("cab"));
        for (name, value) in [("up", "a"), ("down", "c"), ("up", "x"), ("order", "a,b,c"), ("other", "a")] {
            assert_eq!(order(name, value), None, "{name} {value}");
        }
    }
}
