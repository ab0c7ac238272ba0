//! Entities whose records viewers do not read, such as personal data.

use hansang_access::Role;
use hansang_core::Pattern;

/// The entities that only editors read. Every generic operation and page that shows records honours it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reserved(pub &'static [&'static str]);

impl Reserved {
    /// The least role that reads the records of an entity.
    pub(crate) fn role(self, entity: &str) -> Role {
        if self.0.contains(&entity) { Role::Editor } else { Role::Viewer }
    }

    /// The least role that reads every record of a pattern.
    pub(crate) fn role_of(self, pattern: &Pattern) -> Role {
        let roles = pattern.entities.iter().map(|entity| self.role(&entity.name));
        roles.max().unwrap_or(Role::Viewer)
    }

    /// Whether this role reads the records of an entity.
    pub(crate) fn may_read(self, role: Option<Role>, entity: &str) -> bool {
        role >= Some(self.role(entity))
    }

    /// Whether this role reads every record of a pattern.
    pub(crate) fn may_query(self, role: Option<Role>, pattern: &Pattern) -> bool {
        role >= Some(self.role_of(pattern))
    }
}
