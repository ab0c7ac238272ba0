//! One entity: its keys, attributes, unique constraints, lifecycles and patterns.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use hansang_core::describe::{self, Note};
use hansang_core::kind::Kind;
use hansang_core::{Entity, Item, Model, Name, cost, sample};

use super::Design;
use super::keys::{Palette, Stretch};
use super::patterns::{self, Row};
use super::words::{self, Word, listed};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::svg;

#[derive(Template)]
#[template(path = "console/model/entity.html")]
struct Page {
    frame: Frame,
    system: String,
    name: String,
    doc: String,
    /// Whether it is a singleton.
    singleton: bool,
    may_edit: bool,
    /// The estimated size of an item, in bytes.
    size: usize,
    keys: Vec<Key>,
    attributes: Vec<Attribute>,
    uniques: Vec<Unique>,
    lifecycles: Vec<Lifecycle>,
    patterns: Vec<Row>,
}

/// A key attribute.
struct Key {
    name: String,
    /// The name of the index; `None` for the table.
    index: Option<String>,
    sorts: bool,
    template: Vec<Stretch>,
    /// The key of a sample item.
    example: Option<Vec<Stretch>>,
}

/// An attribute.
struct Attribute {
    name: String,
    title: String,
    /// Its colour in the keys.
    colour: Option<usize>,
    kind: Vec<Word>,
    rules: Vec<Vec<Word>>,
    notes: Vec<(&'static str, Vec<Word>)>,
    doc: String,
}

/// A unique constraint.
struct Unique {
    name: String,
    fields: Vec<Word>,
    within: Vec<Word>,
    pointer: Vec<Stretch>,
}

/// A lifecycle as a diagram.
struct Lifecycle {
    attribute: String,
    drawing: String,
}

pub(super) fn show(design: &Design, entity: &Entity, view: View) -> Response {
    let model = design.model();
    let palette = Palette::default().with(model, entity);
    let returning = model.patterns.iter().filter(|one| one.entities.iter().any(|it| it.name == entity.name));
    let patterns = patterns::rows(model, returning, &palette, &view);
    let attributes = entity.attributes.iter().map(|one| attribute(entity, one, &palette, &view)).collect();
    let lifecycles = lifecycles(entity, &view);
    let title = entity.title_in(view.language).into_owned();
    let frame = design.frame(view, &title);
    let shown = Page {
        system: model.name.to_string(),
        name: entity.name.to_string(),
        doc: entity.doc.in_language(frame.view.language).to_owned(),
        singleton: entity.is_singleton(),
        may_edit: frame.may_edit(&model.name) && !design.db.is_closed(&entity.name),
        size: cost::typical_size(entity),
        keys: keys(model, entity, &palette),
        attributes,
        uniques: uniques(model, entity, &palette),
        lifecycles,
        patterns,
        frame,
    };
    page(StatusCode::OK, &shown)
}

fn keys(model: &Model, entity: &Entity, palette: &Palette<'_>) -> Vec<Key> {
    let item: Option<Item> = sample::item(model, entity);
    let key = |key: describe::KeyAttribute<'_>| Key {
        name: key.name.to_string(),
        index: key.index.map(|index| index.name.to_string()),
        sorts: key.sorts,
        template: palette.paint(&key.pieces),
        example: item.as_ref().and_then(|item| key.of_item(item)).map(|pieces| palette.paint(&pieces)),
    };
    describe::keys(model, entity).into_iter().map(key).collect()
}

fn attribute(
    entity: &Entity,
    attribute: &hansang_core::Attribute,
    palette: &Palette<'_>,
    view: &View,
) -> Attribute {
    let note = |note: &Note<'_>| (class(note), words::note(note, view));
    Attribute {
        name: attribute.name.to_string(),
        colour: palette.colour(&attribute.name),
        kind: words::kind(describe::kind(attribute), view),
        rules: describe::rules(attribute).iter().map(|rule| words::rule(rule, view)).collect(),
        notes: describe::notes(entity, attribute).iter().map(note).collect(),
        title: attribute.title.in_language(view.language).to_owned(),
        doc: attribute.doc.in_language(view.language).to_owned(),
    }
}

/// The CSS class of a note. Required, immutable and unique attributes stand out.
fn class(note: &Note<'_>) -> &'static str {
    match note {
        Note::Required => "tag good",
        Note::Immutable => "tag warn",
        Note::Unique | Note::PartOfUnique(_) => "tag info",
        _ => "tag",
    }
}

fn uniques(model: &Model, entity: &Entity, palette: &Palette<'_>) -> Vec<Unique> {
    let names = |attributes: &[std::sync::Arc<hansang_core::Attribute>]| {
        let names: Vec<Name> = attributes.iter().map(|attribute| attribute.name.clone()).collect();
        listed("", &names)
    };
    let unique = |constraint: &hansang_core::model::Unique| Unique {
        name: constraint.name.to_string(),
        fields: names(&constraint.fields),
        within: names(&constraint.within),
        pointer: palette.paint(&describe::pointer(model, entity, constraint)),
    };
    entity.uniques.iter().map(unique).collect()
}

fn lifecycles(entity: &Entity, view: &View) -> Vec<Lifecycle> {
    let drawn = |attribute: &std::sync::Arc<hansang_core::Attribute>| {
        let Kind::Lifecycle(life) = &attribute.kind else { return None };
        let name = &attribute.name;
        let label = view.fill("Lifecycle of {0}", "{0}의 상태 흐름").with(name).to_string();
        Some(Lifecycle {
            attribute: name.to_string(),
            drawing: svg::lifecycle(life, &format!("life-{name}"), &label),
        })
    };
    entity.attributes.iter().filter_map(drawn).collect()
}
