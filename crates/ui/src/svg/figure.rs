//! Figures as text, and the ticks of an axis.

/// The ticks of an axis: the multiples of `step` from `first` to `last`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    step: f64,
    first: i64,
    last: i64,
}

impl Scale {
    /// About five ticks at multiples of 1, 2 or 5 times a power of ten that include all values. `from_zero` keeps zero
    /// on the axis, which bars need and lines do not.
    pub(super) fn new(values: impl Iterator<Item = f64> + Clone, from_zero: bool) -> Self {
        let whole = values.clone().all(|value| value.fract() == 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 0.0);
        }
        let span = high - low;
        // Lines zoom in on small changes of large figures; constant figures are shown from zero.
        let far_from_zero = span < 0.5 * low.abs().min(high.abs()) && low * high > 0.0;
        if from_zero || !far_from_zero || span < 1e-6 * high.abs() {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if low == high {
            high = low + 1.0;
        }
        let step = nice_step((high - low) / 5.0);
        // Counts have whole ticks.
        let step = if whole { step.max(1.0) } else { step };
        Self { step, first: rounded(low / step, f64::floor), last: rounded(high / step, f64::ceil) }
    }

    pub(super) fn low(self) -> f64 {
        self.first as f64 * self.step
    }

    pub(super) fn high(self) -> f64 {
        self.last as f64 * self.step
    }

    /// Every tick with its label.
    pub(super) fn marks(self) -> impl Iterator<Item = (f64, String)> {
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        (self.first..=self.last).map(move |index| {
            let value = index as f64 * self.step;
            (value, written(value, decimals))
        })
    }
}

/// The smallest of 1, 2, 5 and 10 times a power of ten that is not less than `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let enough = |factor: &f64| factor * power >= rough * 0.999_999;
    [1.0, 2.0, 5.0].into_iter().find(enough).unwrap_or(10.0) * power
}

/// Rounds up or down, with a tolerance for floating-point errors near whole numbers.
fn rounded(quotient: f64, round: fn(f64) -> f64) -> i64 {
    let nearest = quotient.round();
    if (quotient - nearest).abs() < 1e-6 { nearest as i64 } else { round(quotient) as i64 }
}

/// A figure with the precision of a tooltip.
pub(super) fn figure(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        _ if size >= 100.0 || size == 0.0 => 1,
        _ if size >= 1.0 => 2,
        _ => (2.0 - size.log10().floor()) as usize,
    };
    written(value, decimals)
}

/// A figure with its unit.
pub(super) fn with_unit(value: f64, unit: &str) -> String {
    let between = if unit.is_empty() || unit == "%" { "" } else { " " };
    format!("{}{between}{unit}", figure(value))
}

/// A figure with a maximum number of decimals and a comma between thousands; very large and very small figures as a
/// power of ten.
fn written(value: f64, decimals: usize) -> String {
    if value != 0.0 && (value.abs() >= 1e12 || decimals > 6) {
        let text = format!("{value:.5e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let text = format!("{:.decimals$}", value + 0.0);
    let text = without_zeros(&text);
    let (sign, digits) = match text.strip_prefix('-') {
        Some("0") => ("", "0"),
        Some(digits) => ("−", digits),
        None => ("", text),
    };
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::{Scale, figure, with_unit};

    fn marks(values: &[f64], from_zero: bool) -> String {
        let texts: Vec<String> =
            Scale::new(values.iter().copied(), from_zero).marks().map(|(_, text)| text).collect();
        texts.join(" ")
    }

    #[test]
    fn ticks_are_multiples_of_one_two_or_five() {
        assert_eq!(marks(&[1.0, 9.0], true), "0 2 4 6 8 10");
        assert_eq!(marks(&[3.0, 18.0], true), "0 5 10 15 20");
        assert_eq!(marks(&[0.3, 0.75], true), "0 0.2 0.4 0.6 0.8");
        assert_eq!(marks(&[12_000_000.0], true), "0 5,000,000 10,000,000 15,000,000");
        assert_eq!(marks(&[-30.0, 55.0], true), "−40 −20 0 20 40 60");
        assert_eq!(marks(&[-0.6, -0.1], true), "−0.6 −0.4 −0.2 0");
        assert_eq!(marks(&[0.000_25], true), "0 0.00005 0.0001 0.00015 0.0002 0.00025");
    }

    #[test]
    fn counts_have_whole_ticks() {
        assert_eq!(marks(&[1.0], true), "0 1");
        assert_eq!(marks(&[2.0, 0.0], true), "0 1 2");
        assert_eq!(marks(&[], true), "0 1");
        assert_eq!(marks(&[0.0], false), "0 1");
    }

    #[test]
    fn a_line_far_from_zero_is_zoomed() {
        assert_eq!(marks(&[1000.0, 1040.0], false), "1,000 1,010 1,020 1,030 1,040");
        assert_eq!(marks(&[1000.05, 1000.2], false), "1,000.05 1,000.1 1,000.15 1,000.2");
        assert_eq!(marks(&[-1040.0, -1000.0], false), "−1,040 −1,030 −1,020 −1,010 −1,000");
        // A single figure shows no change, so it is shown from zero.
        assert_eq!(marks(&[1000.0], false), "0 200 400 600 800 1,000");
        assert_eq!(marks(&[10.0, 1000.0], false), "0 200 400 600 800 1,000");
    }

    #[test]
    fn figures_have_the_needed_decimals() {
        let shown = [0.0, -0.0, 7.0, 1234.5, -1_234_567.0, 0.123_456, 12.345, 999_999.96, 3e15, 2e-9, -1e-30];
        let shown = shown.map(figure).join(" ");
        assert_eq!(shown, "0 0 7 1,234.5 −1,234,567 0.123 12.35 1,000,000 3e15 2e-9 -1e-30");
        assert_eq!(with_unit(12.0, "ms"), "12 ms");
        assert_eq!(with_unit(12.0, "%"), "12%");
        assert_eq!(with_unit(12.0, ""), "12");
    }
}
