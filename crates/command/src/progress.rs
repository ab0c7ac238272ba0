//! Progress bars; hidden if the output is not a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A counter without a known total.
pub fn counting(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what.to_owned());
    bar.set_style(style("{spinner} {msg}: {human_pos} items, {per_sec}, {elapsed}"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A counter with a known total.
pub fn of_total(what: &str, total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64).with_message(what.to_owned());
    bar.set_style(style("{msg} [{wide_bar}] {human_pos} of {human_len}, {eta} left"));
    bar
}

/// The processed bytes of a file.
pub fn reading(what: &str, bytes: u64) -> ProgressBar {
    let bar = ProgressBar::new(bytes).with_message(what.to_owned());
    bar.set_style(style("{msg} [{wide_bar}] {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left"));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
