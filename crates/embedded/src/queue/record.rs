//! Encodes messages and their states.

use crate::codec::Damaged;

/// State of a message since it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// In the queue.
    Waiting(Waiting),
    /// Among the dead letters.
    Dead(Dead),
}

/// A message in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// Number of deliveries.
    pub(crate) attempts: u32,
    /// When it can be received, in milliseconds.
    pub(crate) due: i64,
}

/// A message among the dead letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dead {
    /// When it became one, in milliseconds.
    pub(crate) since: i64,
    /// Reason, if known.
    pub(crate) reason: Option<String>,
}

const WAITING: u8 = 0;
const DEAD: u8 = 1;

/// Encodes the ID of a message. Keys sort in the order of sending.
pub(crate) fn key(id: u64) -> Vec<u8> {
    id.to_be_bytes().to_vec()
}

/// Decodes the ID of a message.
pub(crate) fn id(key: &[u8]) -> Result<u64, Damaged> {
    key.try_into().map(u64::from_be_bytes).map_err(|_| Damaged)
}

/// Encodes a message: first due time and body.
pub(crate) fn message(due: i64, body: &str) -> Vec<u8> {
    [&due.to_be_bytes()[..], body.as_bytes()].concat()
}

/// Decodes the first due time of a message.
pub(crate) fn due(message: &[u8]) -> Result<i64, Damaged> {
    message.first_chunk().map(|bytes| i64::from_be_bytes(*bytes)).ok_or(Damaged)
}

/// Decodes the body of a message.
pub(crate) fn body(message: &[u8]) -> Result<String, Damaged> {
    let bytes = message.get(8..).ok_or(Damaged)?;
    String::from_utf8(bytes.to_vec()).map_err(|_| Damaged)
}

impl State {
    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Waiting(Waiting { attempts, due }) => {
                [&[WAITING][..], &due.to_be_bytes(), &attempts.to_be_bytes()].concat()
            }
            Self::Dead(Dead { since, reason }) => {
                [&[DEAD][..], &since.to_be_bytes(), reason.as_deref().unwrap_or_default().as_bytes()].concat()
            }
        }
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        let (kind, rest) = bytes.split_first().ok_or(Damaged)?;
        let (time, rest) = rest.split_first_chunk().ok_or(Damaged)?;
        let time = i64::from_be_bytes(*time);
        match *kind {
            WAITING => {
                let attempts = rest.try_into().map(u32::from_be_bytes).map_err(|_| Damaged)?;
                Ok(Self::Waiting(Waiting { attempts, due: time }))
            }
            DEAD => {
                let text = String::from_utf8(rest.to_vec()).map_err(|_| Damaged)?;
                let reason = if text.is_empty() { None } else { Some(text) };
                Ok(Self::Dead(Dead { since: time, reason }))
            }
            _ => Err(Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_round_trip() {
        let dead = |reason: Option<&str>| State::Dead(Dead { since: -5, reason: reason.map(str::to_owned) });
        for state in [State::Waiting(Waiting { attempts: 3, due: i64::MAX }), dead(None), dead(Some("한상"))]
        {
            assert_eq!(State::decode(&state.encode()).unwrap(), state);
        }
    }

    #[test]
    fn invalid_bytes_are_damaged() {
        for bytes in [&b""[..], b"\x00", b"\x00123456781", b"\x0012345678123456", b"\x02123456781234"] {
            assert!(State::decode(bytes).is_err(), "{bytes:?}");
        }
        assert!(id(b"1234567").is_err() && due(b"1234567").is_err() && body(b"1234567").is_err());
        assert!(body(b"12345678\xff").is_err());
    }

    #[test]
    fn messages_round_trip() {
        let bytes = message(-1, "text");
        assert_eq!((due(&bytes).unwrap(), body(&bytes).unwrap()), (-1, "text".to_owned()));
        assert_eq!(id(&key(77)).unwrap(), 77);
    }
}
