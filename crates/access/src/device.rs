//! Known devices: a browser that has signed in before keeps a signed cookie, the mark, and with it is not throttled by
//! failed attempts of others at the same login.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hansang_core::Error;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::records::StoredAccount;
use crate::secret::{Secret, random_bytes, same};

/// The key that signs the marks of devices.
pub(super) struct Devices(Vec<u8>);

impl Devices {
    /// Signs marks with this secret, or with a random one that lasts as long as the process.
    pub(super) fn new(secret: Option<&Secret>) -> Result<Self, Error> {
        Ok(Self(match secret {
            Some(secret) => secret.expose().as_bytes().to_owned(),
            None => random_bytes::<32>()?.to_vec(),
        }))
    }

    /// The mark of a device on which this account has signed in. It is valid for the account's generation, and so until
    /// its password changes.
    pub(super) fn mark(&self, account: &StoredAccount) -> Secret {
        let (id, generation) = (&account.account_id, account.generation);
        Secret::new(format!("{id}.{generation}.{}", self.sign(id, generation)))
    }

    /// The account and the generation of a mark with a valid signature.
    pub(super) fn read<'m>(&self, mark: &'m str) -> Option<(&'m str, i64)> {
        let (id, rest) = mark.split_once('.')?;
        let (generation, signature) = rest.split_once('.')?;
        let generation = generation.parse().ok()?;
        same(signature, &self.sign(id, generation)).then_some((id, generation))
    }

    fn sign(&self, id: &str, generation: i64) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        // Separates the domain: the same secret signs cursors.
        mac.update(format!("known device\0{id}\0{generation}").as_bytes());
        BASE64.encode(mac.finalize().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_signed_marks_are_read() {
        let devices = Devices::new(Some(&Secret::new("key"))).unwrap();
        let mark = format!("01H.3.{}", devices.sign("01H", 3));
        assert_eq!(devices.read(&mark), Some(("01H", 3)));
        let other = Devices::new(None).unwrap();
        assert_eq!(other.read(&mark), None);
        for wrong in ["", "01H", "01H.3", "01H.3.", &mark.replace(".3.", ".4."), &mark.replace("01H", "01J")]
        {
            assert_eq!(devices.read(wrong), None, "{wrong}");
        }
    }
}
