//! Differences as text, grouped by the migration that they need.

use std::fmt::Write as _;

use super::{Difference, Need, Severity};

/// The differences as text, grouped by severity.
#[must_use]
pub fn render(differences: &[Difference]) -> String {
    if differences.is_empty() {
        return "The two versions mean the same: nothing to do.\n".to_owned();
    }
    let groups = [
        Severity::Rebuild,
        Severity::Reindex,
        Severity::Breaking,
        Severity::Check,
        Severity::Backfill,
        Severity::Nothing,
    ];
    let texts = groups.into_iter().filter_map(|severity| group(severity, differences));
    texts.collect::<Vec<_>>().join("\n")
}

fn group(severity: Severity, differences: &[Difference]) -> Option<String> {
    let members: Vec<&Difference> =
        differences.iter().filter(|difference| difference.need.severity() == severity).collect();
    if members.is_empty() {
        return None;
    }
    let (title, todo) = heading(severity);
    let mut text = format!("{title} ({}): {todo}\n", members.len());
    for Difference { location, what, need } in members {
        let _ = writeln!(text, "  {location}: {what}");
        let _ = match need {
            Need::Nothing => Ok(()),
            Need::Breaking { why } | Need::Reindex { why, .. } => writeln!(text, "    → {why}"),
            Need::Backfill { entities, why }
            | Need::Check { entities, why }
            | Need::Rebuild { entities, why } => writeln!(text, "    → {}: {why}", entities.join(", ")),
        };
    }
    Some(text)
}

/// The name of a group and the advice for it.
fn heading(severity: Severity) -> (&'static str, &'static str) {
    match severity {
        Severity::Rebuild => {
            ("Rebuild", "copy these items to their new keys, switch over, then delete the old ones")
        }
        Severity::Reindex => ("Reindex", "make these indexes anew"),
        Severity::Breaking => ("Breaking", "change the callers together with the model"),
        Severity::Check => ("Check", "verify the stored items before the new model is used"),
        Severity::Backfill => ("Backfill", "run `hansang table backfill` with the new model"),
        Severity::Nothing => ("Safe", "nothing to do"),
    }
}
