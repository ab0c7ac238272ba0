#![doc = include_str!("../README.md")]

mod access;
mod identity;

pub use access::{
    ACCESS_MODEL, Access, AccessSettings, Account, AccountChange, AuditEntry, AuditOutcome, AuditVia,
    CreatedToken, Credentials, NewAccount, NewToken, OidcSettings, Paging, PasswordSettings, Secret,
    SignedIn, ThrottleSettings, Token, must_administer,
};
pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via};
