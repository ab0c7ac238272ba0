//! The table of all servers, and the goals.

use super::Measured;
use super::load::{CONNECTIONS, Figure};
use crate::goal;

type Kind = (&'static str, fn(&Measured) -> Option<Figure>);

const KINDS: [Kind; 3] = [
    ("creates", |measured| measured.creates),
    ("gets", |measured| Some(measured.gets)),
    ("lists of 50", |measured| Some(measured.lists)),
];

/// Prints a column for each server, the first of which is ours, and whether the goals are reached.
pub(super) fn print(all: &[Measured]) -> Result<(), String> {
    let [ours, peers @ ..] = all else { return Err("nothing was measured".to_owned()) };
    let names = all.iter().map(|one| format!(" {} |", one.name)).collect::<String>();
    let ratios = peers.iter().map(|peer| format!(" × {} |", peer.name)).collect::<String>();
    println!("| {CONNECTIONS} connections |{names}{ratios}");
    println!("|---|{}", "---|".repeat(all.len() + peers.len()));
    for (name, kind) in KINDS {
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
        row(&format!("{name}, a second"), all, |one| kind(one).map(|figure| figure.per_second), false);
        row(&format!("{name}, p50, ms"), all, |one| kind(one).map(|figure| ms(figure.p50)), true);
        row(&format!("{name}, p99, ms"), all, |one| kind(one).map(|figure| ms(figure.p99)), true);
    }
    row("memory under load, MB", all, |one| Some(one.memory as f64 / 1e6), true);
    println!();
    for peer in peers {
        let goals: &[(&str, f64)] = match peer.name {
            "PocketBase" => &[("creates", 4.0), ("gets", 8.0), ("lists of 50", 8.0)],
            "a bare route" => &[("gets", 0.5)],
            _ => &[("creates", 20.0), ("lists of 50", 20.0)],
        };
        for (name, least) in goals {
            let Some((_, kind)) = KINDS.iter().find(|(kind, _)| kind == name) else { continue };
            let (Some(a), Some(b)) = (kind(ours), kind(peer)) else { continue };
            goal(
                &format!("{name}: at least {least} times {}", peer.name),
                a.per_second >= least * b.per_second,
            );
        }
    }
    Ok(())
}

/// Prints one figure of all servers, and ours divided by theirs; the other way round where less is better.
fn row(name: &str, all: &[Measured], figure: impl Fn(&Measured) -> Option<f64>, less: bool) {
    let cell =
        |value: Option<f64>, digits| value.map_or_else(|| " |".to_owned(), |v| format!(" {v:.digits$} |"));
    let shown: String = all.iter().map(|one| cell(figure(one), 1)).collect();
    let ours = all.first().and_then(&figure);
    let ratio = |peer| {
        let (ours, theirs) = (ours?, figure(peer)?);
        Some(if less { theirs / ours } else { ours / theirs })
    };
    let ratios: String = all.iter().skip(1).map(|peer| cell(ratio(peer), 2)).collect();
    println!("| {name} |{shown}{ratios}");
}
