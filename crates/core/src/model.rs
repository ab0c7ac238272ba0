//! A compiled model: plain data that passed every check.
//!
//! Only [`crate::compile()`] makes one, so every [`Model`] is valid.

use std::sync::Arc;

use crate::kind::Kind;
use crate::number::Number;
use crate::template::Template;
use crate::value::{Item, Name, Value};
use crate::words::Words;

pub mod pattern;
pub mod texts;

pub use pattern::{Leg, Over, Pattern, Sort};
pub use texts::{Label, Reference};

/// A single-table design.
#[derive(Clone, Debug)]
pub struct Model {
    /// The short name, used in commands and addresses.
    pub name: Name,
    /// The version of the schema.
    pub version: String,
    /// The name in words.
    pub title: Words,
    /// The description.
    pub doc: Words,
    /// The table.
    pub table: Table,
    /// The entities, in the order of the file.
    pub entities: Vec<Arc<Entity>>,
    /// The access patterns, in the order of the file.
    pub patterns: Vec<Pattern>,
    /// The private entities that [`Model::public`] left out. Their items are never shown.
    pub hidden: Vec<Arc<Entity>>,
}

/// The physical table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The name, which may contain `{env}`.
    pub name: String,
    /// The partition key attribute.
    pub pk: Name,
    /// The sort key attribute.
    pub sk: Name,
    /// The separator of the segments of a key.
    pub delimiter: char,
    /// The attribute that names the entity, if items carry one.
    pub type_attribute: Option<Name>,
    /// The TTL attribute, if there is one.
    pub ttl: Option<Ttl>,
    /// Whether a change feed with old and new images is kept.
    pub streams: bool,
    /// Whether point-in-time recovery is on.
    pub recovery: bool,
    /// Tags of the table in the cloud.
    pub tags: Vec<(String, String)>,
    /// The global secondary indexes.
    pub indexes: Vec<Index>,
}

/// The TTL setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ttl {
    /// The attribute that holds the epoch second at which an item expires.
    pub attribute: Name,
    /// Whether it is switched on.
    pub enabled: bool,
}

/// A global secondary index.
#[derive(Clone, Debug)]
pub struct Index {
    /// The name.
    pub name: Name,
    /// The partition key attribute.
    pub pk: Name,
    /// Whether the partition key is stored as a number.
    pub pk_numeric: bool,
    /// The sort key attribute.
    pub sk: Option<Name>,
    /// Whether the sort key is stored as a number.
    pub sk_numeric: bool,
    /// The attributes in the index.
    pub projection: Projection,
}

/// The attributes in an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projection {
    /// All of them.
    All,
    /// Only the keys of table and index.
    Keys,
    /// The keys and these.
    Include(Vec<Name>),
}

/// A kind of item.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The name.
    pub name: Name,
    /// The name of one record in words.
    pub title: Words,
    /// The name of a list of records in words, where it differs.
    pub plural: Words,
    /// The description.
    pub doc: Words,
    /// The template of a record's title.
    pub label: Label,
    /// The attributes that a list shows, if the model says which.
    pub columns: Vec<Name>,
    /// The attributes that refer to other records.
    pub references: Vec<Reference>,
    /// Whether it is internal to a system and never shown.
    pub private: bool,
    /// The template of the partition key.
    pub pk: Template,
    /// The template of the sort key.
    pub sk: Template,
    /// The indexes that items of this entity are in.
    pub indexes: Vec<EntityIndex>,
    /// Every attribute in the order of the file, those that the table adds last.
    pub attributes: Vec<Arc<Attribute>>,
    /// The same in the order of their names, as items have them.
    pub by_name: Vec<Arc<Attribute>>,
    /// The unique constraints.
    pub uniques: Vec<Unique>,
}

/// The keys of an entity in one index.
#[derive(Clone, Debug)]
pub struct EntityIndex {
    /// The position of the index in [`Table::indexes`].
    pub index: usize,
    /// The source of the partition key.
    pub pk: KeySource,
    /// The source of the sort key; absent only if the index has no sort key.
    pub sk: Option<KeySource>,
}

/// The source of an index key.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// A key attribute that exists for the index alone and is rendered from a template.
    Derived(Template),
    /// An attribute or table key that the item has anyway; the template only reads it.
    Own(Template),
    /// A numeric attribute that the item has anyway.
    Number(Arc<Attribute>),
}

/// An attribute of an entity.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name.
    pub name: Name,
    /// The name in words.
    pub title: Words,
    /// The description.
    pub doc: Words,
    /// The titles of enum members or lifecycle states.
    pub titles: Vec<(Name, Words)>,
    /// The type.
    pub kind: Kind,
    /// The rules beside the type.
    pub rules: Rules,
    /// Whether an item can do without it.
    pub optional: bool,
    /// The default.
    pub default: Option<Value>,
    /// Whether it can never change after creation.
    pub immutable: bool,
    /// The generator of a missing value, if there is one.
    pub generated: Option<Generated>,
    /// Whether it is an attribute of the stored item, not only a part of its key.
    pub stored: bool,
    /// Whether it is the TTL attribute of the table, which holds the time of expiry in seconds since the epoch.
    pub expires: bool,
    /// The writer of the attribute.
    pub role: Role,
}

/// Limits on the values of an attribute.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The smallest number.
    pub min: Option<Number>,
    /// The largest number.
    pub max: Option<Number>,
    /// The fewest characters, elements or bytes.
    pub min_length: Option<usize>,
    /// The most characters, elements or bytes.
    pub max_length: Option<usize>,
    /// The whole text must match this.
    pub pattern: Option<regex::Regex>,
    /// `pattern` as in the model file.
    pub pattern_text: Option<String>,
}

/// The generator of a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generated {
    /// A new ULID.
    Ulid,
    /// A new random UUID.
    Uuid,
    /// The time of the write.
    Now,
}

/// The writer of an attribute.
#[derive(Clone, Debug)]
pub enum Role {
    /// The user.
    Given,
    /// The table: the name of the entity.
    Type,
    /// The table: the time of creation.
    Created,
    /// The table: the time of the last write.
    Updated,
    /// The table: counts the writes, for optimistic locking.
    Version,
    /// The table: rendered from other attributes.
    Derived(Template),
}

/// A unique constraint, kept by a pointer item of its own.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The name.
    pub name: Name,
    /// The attributes within which it is unique.
    pub within: Vec<Arc<Attribute>>,
    /// The attributes that are unique together.
    pub fields: Vec<Arc<Attribute>>,
}

impl Model {
    /// The entity of this name.
    #[must_use]
    pub fn entity(&self, name: &str) -> Option<&Arc<Entity>> {
        self.entities.iter().find(|entity| &*entity.name == name)
    }

    /// The pattern of this name.
    #[must_use]
    pub fn pattern(&self, name: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| &*pattern.name == name)
    }

    /// The model without its private entities and the patterns that read them.
    #[must_use]
    pub fn public(&self) -> Self {
        let mut model = self.clone();
        let (hidden, entities) = model.entities.into_iter().partition(|entity| entity.private);
        model.entities = entities;
        model.hidden = hidden;
        model.patterns.retain(|pattern| pattern.entities.iter().all(|entity| !entity.private));
        model
    }
}

impl Table {
    /// The name of the table in an environment: it replaces `{env}` if the model has it, and is appended
    /// otherwise. Without an environment `{env}` is `dev`.
    #[must_use]
    pub fn name_in(&self, env: Option<&str>) -> String {
        match env {
            _ if self.name.contains("{env}") => self.name.replace("{env}", env.unwrap_or("dev")),
            Some(env) => format!("{}-{env}", self.name),
            None => self.name.clone(),
        }
    }

    /// The table with its name in an environment, as stores expect it.
    #[must_use]
    pub fn in_env(&self, env: Option<&str>) -> Self {
        Self { name: self.name_in(env), ..self.clone() }
    }
}

impl Index {
    /// Whether the items of the index have this attribute, where those of the table have it.
    #[must_use]
    pub fn carries(&self, table: &Table, name: &Name) -> bool {
        let is_key = || [&table.pk, &table.sk, &self.pk].contains(&name) || self.sk.as_ref() == Some(name);
        match &self.projection {
            Projection::All => true,
            Projection::Keys => is_key(),
            Projection::Include(more) => is_key() || more.contains(name),
        }
    }
}

impl Entity {
    /// The attribute of this name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Arc<Attribute>> {
        self.attributes.iter().find(|attribute| *attribute.name == *name)
    }

    /// Whether there can be only one item of this entity.
    #[must_use]
    pub fn is_singleton(&self) -> bool {
        self.pk.fields().next().is_none() && self.sk.fields().next().is_none()
    }

    /// Whether the attribute is part of the table's key, and so immutable.
    #[must_use]
    pub fn in_key(&self, attribute: &str) -> bool {
        self.pk.uses(attribute) || self.sk.uses(attribute)
    }

    /// The attribute with the role that `matches` picks.
    #[must_use]
    pub fn with_role(&self, matches: impl Fn(&Role) -> bool) -> Option<&Arc<Attribute>> {
        self.attributes.iter().find(|attribute| matches(&attribute.role))
    }

    /// The version attribute, if writes are counted.
    #[must_use]
    pub fn version(&self) -> Option<&Arc<Attribute>> {
        self.with_role(|role| matches!(role, Role::Version))
    }

    /// The unique constraint of this name.
    #[must_use]
    pub fn unique(&self, name: &str) -> Option<&Unique> {
        self.uniques.iter().find(|unique| &*unique.name == name)
    }

    /// The keys of the entity in the index at this position of [`Table::indexes`].
    #[must_use]
    pub fn in_index(&self, index: usize) -> Option<&EntityIndex> {
        self.indexes.iter().find(|entry| entry.index == index)
    }
}

impl Unique {
    /// Every attribute of the constraint.
    pub fn attributes(&self) -> impl Iterator<Item = &Arc<Attribute>> {
        self.within.iter().chain(&self.fields)
    }

    /// Whether the attribute is part of the constraint.
    #[must_use]
    pub fn uses(&self, attribute: &str) -> bool {
        self.attributes().any(|field| &*field.name == attribute)
    }
}

impl KeySource {
    /// The template, unless the key is a number.
    #[must_use]
    pub fn template(&self) -> Option<&Template> {
        match self {
            Self::Derived(template) | Self::Own(template) => Some(template),
            Self::Number(_) => None,
        }
    }

    /// Whether the value depends on this attribute.
    #[must_use]
    pub fn uses(&self, attribute: &str) -> bool {
        match self {
            Self::Derived(template) | Self::Own(template) => template.uses(attribute),
            Self::Number(own) => &*own.name == attribute,
        }
    }

    /// The value of the key for these fields, or nothing if one is absent.
    ///
    /// # Errors
    /// When a value cannot be part of a key.
    pub fn render(&self, fields: &Item) -> Result<Option<Value>, crate::template::KeyError> {
        match self {
            Self::Derived(template) | Self::Own(template) => Ok(template.render(fields)?.map(Value::from)),
            Self::Number(attribute) => Ok(fields.get(&attribute.name).cloned()),
        }
    }
}
