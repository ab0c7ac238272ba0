//! Mermaid diagrams. Nodes have generated ids, and text of the model is only in quoted labels.

use std::fmt::Write as _;

use crate::kind::Lifecycle;
use crate::model::{Leg, Model, Pattern};

/// A state diagram of a lifecycle.
pub(super) fn lifecycle(life: &Lifecycle) -> String {
    let id = |state: &str| life.states.iter().position(|known| **known == *state).unwrap_or_default();
    let mut diagram = String::from("stateDiagram-v2\n");
    for (number, state) in life.states.iter().enumerate() {
        let _ = writeln!(diagram, "    state {} as s{number}", label(state));
    }
    for state in &life.initial {
        let _ = writeln!(diagram, "    [*] --> s{}", id(state));
    }
    for (from, to) in &life.moves {
        let _ = writeln!(diagram, "    s{} --> s{}", id(from), id(to));
    }
    for (number, state) in life.states.iter().enumerate() {
        if life.after(state).next().is_none() {
            let _ = writeln!(diagram, "    s{number} --> [*]");
        }
    }
    fenced(&diagram)
}

/// A flowchart from the patterns, grouped by the table or index they read, to the entities.
pub(super) fn map(model: &Model) -> String {
    let mut diagram = String::from("flowchart LR\n");
    group(&mut diagram, model, None, &format!("table {}", model.table.name));
    for (position, index) in model.table.indexes.iter().enumerate() {
        group(&mut diagram, model, Some(position), &format!("index {}", index.name));
    }
    for (number, entity) in model.entities.iter().enumerate() {
        let _ = writeln!(diagram, "    e{number}[{}]", label(&entity.name));
    }
    for (number, pattern) in model.patterns.iter().enumerate() {
        let line = label(word(pattern));
        for entity in &pattern.entities {
            if let Some(target) = entity_number(model, &entity.name) {
                let _ = writeln!(diagram, "    p{number} -->|{line}| e{target}");
            }
        }
        for name in &pattern.also_reads {
            if let Some(target) = entity_number(model, name) {
                let _ = writeln!(diagram, "    p{number} -.-> e{target}");
            }
        }
    }
    fenced(&diagram)
}

/// The table or an index with the patterns that read it. One that no pattern reads is a node by
/// itself, tied to the entities that are in it: Mermaid draws no empty group.
fn group(diagram: &mut String, model: &Model, index: Option<usize>, title: &str) {
    let id = index.map_or_else(|| "base".to_owned(), |index| format!("i{index}"));
    let patterns: Vec<(usize, &Pattern)> =
        model.patterns.iter().enumerate().filter(|(_, pattern)| pattern.index == index).collect();
    if patterns.is_empty() {
        let _ = writeln!(diagram, "    {id}[({})]", label(title));
        for (number, entity) in model.entities.iter().enumerate() {
            if index.is_none_or(|index| entity.in_index(index).is_some()) {
                let _ = writeln!(diagram, "    {id} --- e{number}");
            }
        }
        return;
    }
    let _ = writeln!(diagram, "    subgraph {id}[{}]", label(title));
    for (number, pattern) in patterns {
        let _ = writeln!(diagram, "        p{number}([{}])", label(&pattern.name));
    }
    let _ = writeln!(diagram, "    end");
}

/// One word for an arrow.
fn word(pattern: &Pattern) -> &'static str {
    let all = |wanted: fn(&Leg) -> bool| pattern.legs.iter().all(wanted);
    match &pattern.over {
        Some(_) => "fan-out",
        None if all(|leg| matches!(leg, Leg::Get { .. })) => "Get",
        None if all(|leg| matches!(leg, Leg::Lookup { .. })) => "Lookup",
        None => "Query",
    }
}

fn entity_number(model: &Model, name: &str) -> Option<usize> {
    model.entities.iter().position(|entity| &*entity.name == name)
}

/// A quoted label. Mermaid writes a character as `#35;`, its number, wherever it could be read as
/// something else: a quote, a comment, an arrow, HTML.
fn label(text: &str) -> String {
    let mut label = String::from("\"");
    for character in text.chars() {
        match character {
            ' ' | '_' | '-' | '.' => label.push(character),
            plain if plain.is_alphanumeric() => label.push(plain),
            control if control.is_control() => label.push(' '),
            other => {
                let _ = write!(label, "#{};", u32::from(other));
            }
        }
    }
    label.push('"');
    label
}

fn fenced(diagram: &str) -> String {
    format!("```mermaid\n{diagram}```\n\n")
}
