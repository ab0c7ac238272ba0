//! Entry tokens: short-lived, signed permissions to enter an event, for a waiting room or a challenge in front of it.

use hansang_core::{Error, message};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha2::Sha256;

use crate::{EntryCode, messages};

/// Signs a token for one user and one event that is valid until a time.
#[must_use]
pub fn sign(secret: &[u8], event_id: &str, user_id: &str, expires_at: Timestamp) -> String {
    let seconds = expires_at.as_second();
    let hex: String = mac(secret, event_id, user_id, seconds)
        .map(|mac| mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
        .unwrap_or_default();
    format!("{seconds}.{hex}")
}

/// Verifies a token for a user and an event.
///
/// # Errors
/// If it is invalid or expired.
pub fn check(secret: &[u8], event_id: &str, user_id: &str, token: &str, now: Timestamp) -> Result<(), Error> {
    let refused = || Error::forbidden(EntryCode::EntryTokenInvalid, message!(messages::TOKEN_INVALID));
    let (seconds, given) = token.split_once('.').ok_or_else(refused)?;
    let seconds: i64 = seconds.parse().map_err(|_| refused())?;
    let given = bytes(given).ok_or_else(refused)?;
    let mac = mac(secret, event_id, user_id, seconds).ok_or_else(refused)?;
    mac.verify_slice(&given).map_err(|_| refused())?;
    if now.as_second() < seconds { Ok(()) } else { Err(refused()) }
}

fn mac(secret: &[u8], event_id: &str, user_id: &str, seconds: i64) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
    // Length prefixes make the concatenation unambiguous.
    for part in ["entry", event_id, user_id] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac.update(&seconds.to_be_bytes());
    Some(mac)
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|number| u8::try_from(number).ok());
    digits.chunks(2).map(|pair| Some(nibble(pair[0])? << 4 | nibble(*pair.get(1)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_for_one_user_one_event_and_a_while() {
        let (secret, now) = (b"secret".as_slice(), Timestamp::from_second(1_900_000_000).unwrap());
        let later = Timestamp::from_second(1_900_000_060).unwrap();
        let token = sign(secret, "e1", "ann", later);
        assert!(check(secret, "e1", "ann", &token, now).is_ok());
        for (key, event, user, token, at) in [
            (b"other".as_slice(), "e1", "ann", token.clone(), now),
            (secret, "e2", "ann", token.clone(), now),
            (secret, "e1", "bob", token.clone(), now),
            (secret, "e1a", "nn", token.clone(), now),
            (secret, "e1", "ann", token.clone(), later),
            (secret, "e1", "ann", token.replace("1900000060", "1900009999"), now),
            (secret, "e1", "ann", token[..token.len() - 1].to_owned(), now),
            (secret, "e1", "ann", token[..token.len() - 2].to_owned(), now),
            (secret, "e1", "ann", String::new(), now),
            (secret, "e1", "ann", "x.y".to_owned(), now),
        ] {
            let refused = check(key, event, user, &token, at).unwrap_err();
            assert_eq!(refused.code, EntryCode::EntryTokenInvalid, "{event} {user} {token}");
        }
    }
}
