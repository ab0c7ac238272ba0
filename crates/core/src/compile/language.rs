//! Every keyword of the model language, in one list that the reference is tested against.

macro_rules! language {
    ($($name:ident of $what:literal: $($word:literal)*;)*) => {
        $(pub(super) const $name: &[&str] = &[$($word),*];)*

        /// The keywords of the model language by their context.
        ///
        /// A test checks that `docs/model.md` explains each of them.
        #[must_use]
        pub fn words() -> &'static [(&'static str, &'static [&'static str])] {
            &[$(($what, $name)),*]
        }
    };
}

language! {
    MODEL of "the model": "model" "version" "title" "doc" "table" "entities" "patterns";
    TABLE of "the table": "name" "key" "indexes" "delimiter" "timestamps" "type" "created" "updated"
        "ttl" "streams" "recovery" "tags";
    TABLE_KEY of "the table's key": "pk" "sk";
    INDEX of "an index": "pk" "sk" "project";
    PROJECTIONS of "`project`": "all" "keys";
    PRECISIONS of "`timestamps` and `precision`": "seconds" "millis";
    TTL of "`ttl`": "attribute" "enabled";
    ENTITY of "an entity": "title" "plural" "doc" "label" "columns" "key" "index" "attributes" "unique"
        "version" "timestamps" "private";
    UNIQUE of "a unique constraint": "fields" "within";
    ATTRIBUTE of "an attribute": "type" "enum" "lifecycle" "list" "map" "set" "template" "title" "doc"
        "titles" "ref" "optional" "default" "immutable" "generated" "stored" "min" "max" "length" "pattern"
        "initial" "precision" "separator" "sorts";
    // The fields of an attribute of which it has exactly one.
    TYPE_FIELDS of "the type of an attribute": "type" "enum" "lifecycle" "list" "map" "set" "template";
    TYPES of "`type`": "string" "number" "integer" "bool" "timestamp" "month" "ulid" "uuid" "semver"
        "binary" "markdown" "email" "url" "list" "map" "any";
    SETS of "`set`": "string" "number" "binary";
    SEPARATORS of "`separator`": "-" "." "/" "_";
    GENERATED of "`generated`": "ulid" "uuid" "now";
    SORTS of "`sorts`": "text";
    PATTERN of "a pattern": "title" "doc" "entity" "entities" "index" "given" "range" "over" "max" "order"
        "page" "consistent" "unique";
    ORDERS of "`order`": "oldest" "newest" "ascending" "descending";
}
