//! Callers and their permissions.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use crate::{AccessCode, messages};
use hansang_core::{Error, Message, message};

/// A role in a system. Each role includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Read.
    Viewer,
    /// Read and write.
    Editor,
    /// Also administer: accounts, settings, the audit log.
    Admin,
}

/// The roles of a caller, by system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants(pub BTreeMap<String, Role>);

/// The name that stands for every system.
pub const EVERYWHERE: &str = "*";

/// An authenticated caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The id in the audit log.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The permissions, after every restriction.
    pub grants: Grants,
    /// The time zone that the account has chosen, by its IANA name.
    pub zone: Option<String>,
    /// The method of authentication.
    pub via: Via,
}

/// The method by which a caller was authenticated.
#[derive(Clone, PartialEq, Eq)]
pub enum Via {
    /// The cookie of a session: only these need protection against forged requests.
    Session {
        /// The id of the session, which is not its secret.
        id: String,
        /// The secret that a page sends along with a write.
        csrf: String,
    },
    /// A token of this server.
    Token {
        /// The id of the token, which is not its secret.
        id: String,
        /// The systems that its owner limited it to, with the roles.
        scope: Grants,
    },
    /// A token of an identity provider.
    Oidc,
}

impl Identity {
    /// Whether the caller may use what is open to every account of a system: a token with roles acts only in their systems.
    #[must_use]
    pub fn reaches(&self, system: &str) -> bool {
        match &self.via {
            Via::Token { scope, .. } => scope.0.is_empty() || scope.role_in(system).is_some(),
            Via::Session { .. } | Via::Oidc => true,
        }
    }
}

/// The origin of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The address.
    pub address: IpAddr,
    /// The id of the request, which is in the log and in every error.
    pub trace: String,
}

impl Grants {
    /// Grants one role in every system.
    #[must_use]
    pub fn everywhere(role: Role) -> Self {
        Self(BTreeMap::from([(EVERYWHERE.to_owned(), role)]))
    }

    /// Returns the role in a system.
    #[must_use]
    pub fn role_in(&self, system: &str) -> Option<Role> {
        self.0.get(EVERYWHERE).max(self.0.get(system)).copied()
    }

    /// Returns the grants that both allow.
    #[must_use]
    pub fn within(&self, other: &Self) -> Self {
        let systems = self.0.keys().chain(other.0.keys());
        let both = systems.filter_map(|system| {
            let role = self.role_in(system)?.min(other.role_in(system)?);
            Some((system.clone(), role))
        });
        Self(both.collect())
    }
}

/// Leaves out the secret of a session.
impl fmt::Debug for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session { id, .. } => write!(f, "Session({id})"),
            Self::Token { id, .. } => write!(f, "Token({id})"),
            Self::Oidc => f.write_str("Oidc"),
        }
    }
}

impl Role {
    /// Lists all roles, least first.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Editor, Self::Admin];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    /// The name in every language.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            Self::Viewer => message!(messages::VIEWER),
            Self::Editor => message!(messages::EDITOR),
            Self::Admin => message!(messages::ADMIN),
        }
    }
}

/// The name of a system in every language; [`EVERYWHERE`] stands for all of them.
#[must_use]
pub fn system_message(system: &str) -> Message {
    if system == EVERYWHERE { message!(messages::EVERY_SYSTEM) } else { Message::raw(system.to_owned()) }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| Error::invalid(AccessCode::UnknownRole, message!(messages::UNKNOWN_ROLE, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grants(pairs: &[(&str, Role)]) -> Grants {
        Grants(pairs.iter().map(|(system, role)| ((*system).to_owned(), *role)).collect())
    }

    #[test]
    fn a_role_everywhere_counts_in_each_system() {
        let grants = grants(&[("*", Role::Viewer), ("ledger", Role::Admin)]);
        assert_eq!(grants.role_in("ledger"), Some(Role::Admin));
        assert_eq!(grants.role_in("content"), Some(Role::Viewer));
        assert_eq!(Grants::default().role_in("content"), None);
    }

    #[test]
    fn within_never_gives_more_than_either() {
        let account = grants(&[("*", Role::Viewer), ("ledger", Role::Editor)]);
        let token = grants(&[("ledger", Role::Admin), ("content", Role::Admin)]);
        let both = account.within(&token);
        assert_eq!(both.role_in("ledger"), Some(Role::Editor));
        assert_eq!(both.role_in("content"), Some(Role::Viewer));
        assert_eq!(both.role_in("entry"), None);
        assert_eq!(token.within(&account), both);
    }
}
