//! The exports of a model, read back by their tools.
#![allow(clippy::unwrap_used, reason = "the helpers of a test may panic as a test may")]

use std::path::PathBuf;

use hansang_core::export::{Format, export};
use hansang_core::{Model, compile, diagnostic};

mod cloudformation;
mod schema;
mod terraform;
mod workbench;

/// Hard cases for templates: texts that every format escapes, numbers as index keys, all projections, an
/// index without a sort key, keys that two indexes share.
const NASTY: &str = r##"
model: nasty-one
version: 1.0.0
doc: "He said \"it's\": ${var.x} %{ if } # no comment\nsecond: line \\ 한상 \u2028third: x\r\n\a"
table:
  name: "Nasty_{env}.Table"
  key: { pk: PK, sk: SK }
  delimiter: "|"
  type: Type
  created: createdAt
  updated: updatedAt
  timestamps: millis
  ttl: expires-at
  streams: true
  recovery: true
  tags:
    "Quoted \"key\": # {": "it's ${AWS::Region} %{ if } # {a: b}"
    "${a}": "${${b}$${ ${"
    plain: "line one\nline two\ttab \\ back"
    한상: 밥상
    "N": "no"
    empty: ""
  indexes:
    byScore: { pk: game, sk: score, project: [title] }
    score: { pk: score, project: keys }
    GSI1: { pk: GSI1PK, sk: GSI1SK }
    GSI2: { pk: GSI2PK, sk: GSI1SK }
entities:
  Everything:
    doc: "${not.this} \"or\" that"
    key: { PK: "EVERY.{id}|v|{place:04}", SK: "{kind}|{at}|{month}|{semver}|{uuid}|{ulid}" }
    index:
      GSI1: { GSI1PK: "G|{game}", GSI1SK: "{at}" }
      GSI2: { GSI2PK: "M|{mail}" }
    version: rev
    attributes:
      id: { type: string, stored: false, length: [1, 20] }
      place: { type: integer, min: 0, max: 9999 }
      kind: { enum: ["A+B", "C.D", "한"] }
      at: timestamp
      month: { type: month, separator: "." }
      semver: { type: semver, sorts: text }
      uuid: uuid
      ulid: ulid
      game: string
      score: { type: number, min: -1.5, max: 100 }
      mail: { type: email?, length: [5, 60] }
      link: url?
      title: { type: string, length: [2, 8], doc: "The \"title\"" }
      code: { type: string, pattern: "[A-Z]{3}(?:-[0-9]+)?", length: [3, 6], default: ABC }
      hash: { type: string, pattern: "(sha256:)?[0-9a-f]{64}" }
      text: markdown?
      flag: bool
      state: { lifecycle: { NEW: [DONE] } }
      count: integer
      list: { list: integer, length: [2, 3] }
      map: { map: { list: string }, length: [1, 2] }
      texts: { set: string, length: [1, 2] }
      numbers: { set: number }
      blobs: { set: binary }
      bytes: { type: binary, length: [2, 4] }
      any: any?
      label: { template: "{game}|{count:03}" }
      expires-at: integer?
    unique:
      code: [code]
      label: { fields: [title], within: [game] }
  Single:
    key: { PK: "SINGLE|*", SK: "(only)" }
    timestamps: false
    attributes: { note: string? }
patterns:
  one: { entity: Single }
  ofGame: { entity: Everything, index: byScore, given: [game] }
  ofMail: { entity: Everything, index: GSI2, given: [mail] }
  byCode: { entity: Everything, unique: code }
"##;

/// The model of document 004, as short as it can be.
const CONTRACTS: &str = r##"
model: contracts
table:
  name: ivm-lite-schema-registry-{env}
  key: { pk: PK, sk: SK }
  created: createdAt
  recovery: true
  tags: { Service: ivm-lite, Component: schema-registry }
  indexes:
    kind-status-index: { pk: kind, sk: status }
entities:
  Contract:
    key: { PK: "{kind}#{id}", SK: "{version}" }
    attributes:
      kind: string
      id: string
      version: { type: semver, sorts: text }
      status: { lifecycle: { DRAFT: [ACTIVE], ACTIVE: [DEPRECATED], DEPRECATED: [ACTIVE] }, initial: [DRAFT, ACTIVE] }
      spec: map
      createdBy: string
      checksum: string
patterns:
  contract: { entity: Contract, given: [kind, id, version] }
  versions: { entity: Contract, given: [kind, id] }
  ofKind: { entity: Contract, index: kind-status-index, given: [kind, status] }
"##;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn model(name: &str, source: &str) -> Model {
    compile(source.as_bytes())
        .unwrap_or_else(|problems| panic!("{}", diagnostic::render(name, source, &problems)))
}

/// The models of the repository, and the nasty one.
fn models() -> Vec<Model> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root().join("models")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    assert!(!paths.is_empty());
    let read = |path: &PathBuf| model(&path.display().to_string(), &std::fs::read_to_string(path).unwrap());
    paths.iter().map(read).chain([model("nasty", NASTY)]).collect()
}

#[test]
fn formats_are_words() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert_eq!(format.to_string(), format.name());
    }
    let names = Format::ALL.map(Format::name);
    assert_eq!(names, ["cloudformation", "sam", "terraform", "nosql-workbench", "json-schema"]);
    assert!("pulumi".parse::<Format>().unwrap_err().contains("terraform, nosql-workbench"));
}

/// An export can be committed and compared: it is the same each time, and ends with a line break.
#[test]
fn exports_are_files() {
    for model in models() {
        for format in Format::ALL {
            let text = export(&model, format, Some("prod"));
            assert_eq!(text, export(&model, format, Some("prod")));
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text}");
            assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
            assert_eq!(export(&model, format, Some("")), export(&model, format, None));
        }
    }
}
