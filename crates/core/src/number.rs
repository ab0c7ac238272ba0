//! Exact decimals with DynamoDB's limits: 38 significant digits, magnitudes from 1E-130 to
//! 9.99…E+125. Never a float: `0.1 + 0.2` is `0.3` here.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::message;
use crate::message::Message;
use crate::messages::fields;

mod json;

/// The maximum number of significant digits.
pub const MAX_DIGITS: u32 = 38;
const MAX_MAGNITUDE: i32 = 126;
const MIN_MAGNITUDE: i32 = -129;

/// An exact decimal number.
///
/// Stored as `digits × 10^exponent` with no trailing zero in `digits`, so that equal numbers are
/// equal fields and `1`, `1.0` and `10E-1` are one value, as they are in DynamoDB.
///
/// Packed to 8 bytes: a `u128` would align it to 16 and make every [`crate::Value`] half as large again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(Rust, packed(8))]
pub struct Number {
    negative: bool,
    digits: u128,
    exponent: i16,
}

/// The reason that a text or a sum is not a [`Number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// Not a decimal number at all.
    NotANumber,
    /// More than 38 significant digits.
    TooPrecise,
    /// Larger than 9.99…E+125 or, other than zero, smaller than 1E-130.
    OutOfRange,
}

impl NumberError {
    /// The problem, as the end of a sentence that starts with the number.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            Self::NotANumber => message!(fields::NOT_A_NUMBER),
            Self::TooPrecise => message!(fields::TOO_PRECISE),
            Self::OutOfRange => message!(fields::OUT_OF_RANGE),
        }
    }
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for NumberError {}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self { negative: false, digits: 0, exponent: 0 };

    /// Whether it is negative, its digits without trailing zeros, and the power of ten they are
    /// multiplied with.
    #[must_use]
    pub fn parts(self) -> (bool, u128, i16) {
        (self.negative, self.digits, self.exponent)
    }

    /// The number of these parts, if there is one.
    #[must_use]
    pub fn from_parts(negative: bool, digits: u128, exponent: i16) -> Option<Self> {
        Self::build(negative, digits, i32::from(exponent)).ok()
    }

    /// The value as an `i64`, if it is a whole number that fits.
    #[must_use]
    pub fn to_i64(self) -> Option<i64> {
        if let (0, Ok(whole)) = (self.exponent, i64::try_from(self.digits)) {
            return Some(if self.negative { -whole } else { whole });
        }
        let scale = 10_u128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        let whole = i128::try_from(self.digits.checked_mul(scale)?).ok()?;
        i64::try_from(if self.negative { -whole } else { whole }).ok()
    }

    /// Whether the value is below zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.negative
    }

    /// The exact sum, or an error where DynamoDB would reject it too.
    pub fn checked_add(self, other: Self) -> Result<Self, NumberError> {
        // Zero has no exponent: added to it, a number needs no more digits than it has.
        if self.digits == 0 || other.digits == 0 {
            return Ok(if self.digits == 0 { other } else { self });
        }
        let exponent = self.exponent.min(other.exponent);
        let a = self.scaled_to(exponent)?;
        let b = other.scaled_to(exponent)?;
        let sum = a.checked_add(b).ok_or(NumberError::TooPrecise)?;
        Self::build(sum < 0, sum.unsigned_abs(), i32::from(exponent))
    }

    /// The exact difference, or an error where DynamoDB would reject it too.
    pub fn checked_sub(self, other: Self) -> Result<Self, NumberError> {
        self.checked_add(-other)
    }

    fn scaled_to(self, exponent: i16) -> Result<i128, NumberError> {
        let by = u32::try_from(i32::from(self.exponent) - i32::from(exponent))
            .map_err(|_| NumberError::TooPrecise)?;
        let digits = 10_u128
            .checked_pow(by)
            .and_then(|scale| self.digits.checked_mul(scale))
            .and_then(|digits| i128::try_from(digits).ok())
            .ok_or(NumberError::TooPrecise)?;
        Ok(if self.negative { -digits } else { digits })
    }

    fn build(negative: bool, mut digits: u128, mut exponent: i32) -> Result<Self, NumberError> {
        if digits == 0 {
            return Ok(Self::ZERO);
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent = exponent.saturating_add(1);
        }
        let count = digits.ilog10() + 1;
        if count > MAX_DIGITS {
            return Err(NumberError::TooPrecise);
        }
        let magnitude = exponent.saturating_add(count as i32);
        if !(MIN_MAGNITUDE..=MAX_MAGNITUDE).contains(&magnitude) {
            return Err(NumberError::OutOfRange);
        }
        let exponent = i16::try_from(exponent).map_err(|_| NumberError::OutOfRange)?;
        Ok(Self { negative, digits, exponent })
    }

    /// The power of ten just above the value, which orders numbers of one sign.
    fn magnitude(self) -> i32 {
        i32::from(self.exponent) + self.digits.ilog10() as i32 + 1
    }

    fn cmp_absolute(self, other: Self) -> Ordering {
        match (self.digits, other.digits) {
            (0, 0) => return Ordering::Equal,
            (0, _) => return Ordering::Less,
            (_, 0) => return Ordering::Greater,
            _ => {}
        }
        self.magnitude().cmp(&other.magnitude()).then_with(|| {
            // Of equal magnitude, so aligning them multiplies by at most 10^37 and cannot overflow.
            let low = self.exponent.min(other.exponent);
            let a = self.digits * 10_u128.pow((self.exponent - low) as u32);
            let b = other.digits * 10_u128.pow((other.exponent - low) as u32);
            a.cmp(&b)
        })
    }
}

impl std::ops::Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        Self { negative: !self.negative && self.digits != 0, ..self }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.cmp_absolute(*other),
            (true, true) => other.cmp_absolute(*self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        let mut digits = value.unsigned_abs();
        let mut exponent = 0;
        while digits != 0 && digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Self { negative: value < 0, digits: u128::from(digits), exponent }
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
            Some(at) => (&unsigned[..at], parse_exponent(&unsigned[at + 1..])?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() {
            return Err(NumberError::NotANumber);
        }
        let mut digits: u128 = 0;
        let mut dropped_zeros = 0_i32;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if !byte.is_ascii_digit() {
                return Err(NumberError::NotANumber);
            }
            // Zeros are only counted until another digit follows, so that `1` with a thousand zeros is out of
            // range, not too precise.
            if byte == b'0' {
                dropped_zeros += i32::from(digits != 0);
                continue;
            }
            let shift = 10_u128.checked_pow(dropped_zeros as u32 + 1);
            digits = shift
                .and_then(|shift| digits.checked_mul(shift))
                .and_then(|digits| digits.checked_add(u128::from(byte - b'0')))
                .ok_or(NumberError::TooPrecise)?;
            dropped_zeros = 0;
        }
        let fraction_digits = i32::try_from(fraction.len()).map_err(|_| NumberError::TooPrecise)?;
        Self::build(negative, digits, exponent.saturating_sub(fraction_digits).saturating_add(dropped_zeros))
    }
}

fn parse_exponent(text: &str) -> Result<i32, NumberError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::NotANumber);
    }
    // An exponent too long for an i32 is out of range with any mantissa.
    text.parse().map_err(|_| NumberError::OutOfRange)
}

impl fmt::Display for Number {
    /// Plain notation without an exponent, as in DynamoDB's responses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        let digits = { self.digits }.to_string();
        if self.exponent >= 0 {
            write!(f, "{digits}{:0<width$}", "", width = self.exponent as usize)
        } else {
            let places = usize::from(self.exponent.unsigned_abs());
            if digits.len() > places {
                let (whole, fraction) = digits.split_at(digits.len() - places);
                write!(f, "{whole}.{fraction}")
            } else {
                write!(f, "0.{digits:0>places$}")
            }
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap()
    }

    #[test]
    fn one_value_has_one_form() {
        for (text, shown) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("1.0", "1"),
            ("10E-1", "1"),
            ("+1500e3", "1500000"),
            ("0.00012", "0.00012"),
            ("-12.340", "-12.34"),
            (".5", "0.5"),
        ] {
            assert_eq!(number(text).to_string(), shown, "{text}");
        }
        assert_eq!(number("100"), Number::from(100));
    }

    #[test]
    fn limits_are_those_of_dynamodb() {
        assert!("9".repeat(38).parse::<Number>().is_ok());
        assert_eq!("9".repeat(39).parse::<Number>(), Err(NumberError::TooPrecise));
        assert!("9.9999999999999999999999999999999999999E+125".parse::<Number>().is_ok());
        assert_eq!("1E126".parse::<Number>(), Err(NumberError::OutOfRange));
        assert!("1E-130".parse::<Number>().is_ok());
        assert_eq!("1E-131".parse::<Number>(), Err(NumberError::OutOfRange));
        for exponent in ["2147483647", "-2147483648", "99999999999", "-99999999999"] {
            for mantissa in ["1", "10", "0.001", "1000000000"] {
                let text = format!("{mantissa}E{exponent}");
                assert_eq!(text.parse::<Number>(), Err(NumberError::OutOfRange), "{text}");
            }
        }
        for text in ["", "-", ".", "1e", "1e+", "0x1", "NaN", "1_000", "1 "] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::NotANumber), "{text:?}");
        }
    }

    #[test]
    fn order_and_sums_are_exact() {
        let sorted = ["-1E125", "-2", "-1.5", "0", "1E-130", "0.1", "0.3", "9.99", "10", "1E125"];
        for pair in sorted.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
        assert_eq!(number("0.1").checked_add(number("0.2")), Ok(number("0.3")));
        assert_eq!(number("5").checked_sub(number("7.5")), Ok(number("-2.5")));
        assert_eq!(number("1E100").checked_add(number("1")), Err(NumberError::TooPrecise));
        assert_eq!(number("9007199254740993").to_i64(), Some(9_007_199_254_740_993));
        assert_eq!(number("1.5").to_i64(), None);
    }
}
