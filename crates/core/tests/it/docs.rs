//! The documentation page of a model.

use expect_test::{Expect, expect};
use hansang_core::docs;

use crate::model;

mod content;

fn check(source: &str, page: Expect) {
    page.assert_eq(&docs::markdown(&model(source)));
}

/// A further language is further texts in the file.
#[test]
fn titles_are_on_the_page_in_every_language_of_the_file() {
    let source = r#"
model: blog
title: { en: Blog, ko: 블로그, fr: Blogue }
table: { name: Blog, key: { pk: PK, sk: SK } }
entities:
  Post:
    title: { en: Post, ko: 글, fr: Article }
    key: { PK: "BLOG#{blog}", SK: "POST#{id}" }
    attributes:
      blog: { type: string, title: { en: Blog, ko: 블로그, fr: Blogue } }
      id: string
patterns:
  posts: { entity: Post, given: [blog], title: { en: All posts, ko: 모든 글, fr: Tous les articles } }
"#;
    let page = docs::markdown(&model(source));
    for part in [
        "# blog\n\nBlog · 블로그 · Blogue\n",
        "### Post\n\nPost · 글 · Article\n",
        "| Attribute | Title | Type |",
        "| `blog` | Blog · 블로그 · Blogue | text |",
        "| `posts` | All posts · 모든 글 · Tous les articles |",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// Every kind of pattern, key, rule and note that the content model does not have.
#[test]
fn everything_a_model_can_say_is_on_the_page() {
    check(
        r#"
model: shop
version: 2.1.0
doc: |
  Orders and stock.

  Two paragraphs.
table:
  name: "Shop-{env}"
  key: { pk: PK, sk: SK }
  timestamps: millis
  ttl: ttl
  streams: true
  recovery: true
  tags: { team: shop, cost-centre: "42" }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK, project: keys }
    BY_STOCK: { pk: kind, sk: stock, project: [title] }
    UNREAD: { pk: UPK }
entities:
  Order:
    doc: What a customer bought.
    key: { PK: "CUSTOMER#{customer}", SK: "ORDER#{month}#{number:06}" }
    index:
      GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}#{number:06}" }
      UNREAD: { UPK: "X#{customer}" }
    version: rev
    attributes:
      customer: { type: ulid, stored: false, doc: Who bought it. }
      month: { type: month, separator: "." }
      number: { type: integer, min: 0, max: 999999 }
      placedAt: { type: timestamp, generated: now, precision: seconds }
      status:
        lifecycle: { OPEN: [PAID, CANCELLED], PAID: [SHIPPED], SHIPPED: [], CANCELLED: [] }
        initial: [OPEN, PAID]
      lines: { list: { map: number }, length: [1, 100] }
      label: { template: "{customer}#{number:06}" }
      note: { type: string, default: "" }
      ttl: integer?
    unique:
      number: { fields: [number], within: [month] }
  Product:
    key: { PK: "PRODUCT#{kind}#{id}", SK: META }
    attributes:
      id: { type: uuid, generated: uuid }
      kind: { enum: [book, game] }
      title: { type: string, length: 13, pattern: "[a-z]+|[0-9]+" }
      stock: { type: integer, min: 0, default: 0 }
      photo: { type: binary?, length: [0, 1000] }
      tags: { set: string }
      extra: any?
  Customer:
    key: { PK: "CUSTOMER#{customer}", SK: META }
    attributes:
      customer: ulid
      email: { type: email, immutable: true }
    unique:
      email: [email]
  Address:
    key: { PK: "CUSTOMER#{customer}", SK: "ADDRESS#{line}" }
    attributes: { customer: ulid, line: string }
  Settings:
    key: { PK: SETTINGS, SK: META }
    attributes: { open: bool }
patterns:
  customerAndOrders: { entities: [Customer, Order], given: [customer], consistent: true }
  ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt, order: newest, page: 10 }
  openOrders: { entity: Order, index: GSI1, over: status, doc: "Of every status | one after the other.\nSlow." }
  product: { entity: Product, given: [kind, id] }
  inStock: { entity: Product, index: BY_STOCK, given: [kind], range: stock, order: descending }
  customerByEmail: { entity: Customer, unique: email }
  ordersOfMonth: { entity: Order, given: [customer, month] }
  settings: { entity: Settings }
"#,
        expect![[r##"
            # shop

            Orders and stock.

            Two paragraphs.

            Schema version `2.1.0`.

            ## Table

            | Setting | Value |
            | --- | --- |
            | Name | `Shop-{env}` |
            | Billing | on demand (`PAY_PER_REQUEST`) |
            | Partition key | `PK`, text |
            | Sort key | `SK`, text |
            | Between key segments | `#` |
            | Time to live | `ttl`, epoch seconds |
            | Streams | on (`NEW_AND_OLD_IMAGES`) |
            | Point-in-time recovery | on |
            | Tags | `team` = `shop`, `cost-centre` = `42` |

            ## Indexes

            | Index | Partition key | Sort key | Projection | Entities in it | Read by |
            | --- | --- | --- | --- | --- | --- |
            | `GSI1` | `GSI1PK`, text | `GSI1SK`, text | keys only | Order | `ordersByStatus`, `openOrders` |
            | `BY_STOCK` | `kind`, text | `stock`, number | keys and `title` | Product | `inStock` |
            | `UNREAD` | `UPK`, text |  | all attributes | Order |  |

            ## Entities

            ### Order

            What a customer bought.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CUSTOMER#{customer}` |
            | `SK` | sort key | `ORDER#{month}#{number:06}` |
            | `GSI1PK` | partition key of `GSI1` | `STATUS#{status}` |
            | `GSI1SK` | sort key of `GSI1` | `{placedAt}#{number:06}` |
            | `UPK` | partition key of `UNREAD` | `X#{customer}` |

            | Attribute | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- |
            | `customer` | ULID |  | required, immutable, only in the key | Who bought it. |
            | `month` | month, as `2025.01` |  | required, immutable |  |
            | `number` | whole number | 0 to 999999 | required, immutable, part of the unique `number` |  |
            | `placedAt` | time, as `2025-11-14T03:00:00Z` |  | generated: the time of the write |  |
            | `status` | state: `OPEN`, `PAID`, `SHIPPED`, `CANCELLED` |  | required |  |
            | `lines` | list of: map from text to: number | 1 to 100 elements | required |  |
            | `label` | text |  | made from `{customer}#{number:06}` |  |
            | `note` | text |  | default `""` |  |
            | `ttl` | whole number |  | optional |  |
            | `rev` | whole number |  | counts the writes |  |

            | Unique | Attributes | Within | Enforced by |
            | --- | --- | --- | --- |
            | `number` | `number` | `month` | `UNIQUE#Order#number#{month}#{number}` |

            Lifecycle of `status`:

            ```mermaid
            stateDiagram-v2
                state "OPEN" as s0
                state "PAID" as s1
                state "SHIPPED" as s2
                state "CANCELLED" as s3
                [*] --> s0
                [*] --> s1
                s0 --> s1
                s0 --> s3
                s1 --> s2
                s2 --> [*]
                s3 --> [*]
            ```

            ### Product

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `PRODUCT#{kind}#{id}` |
            | `SK` | sort key | `META` |
            | `kind` | partition key of `BY_STOCK` | `{kind}` |
            | `stock` | sort key of `BY_STOCK` | `{stock}` |

            | Attribute | Type | Rules | Value |
            | --- | --- | --- | --- |
            | `id` | UUID |  | generated: a new UUID, immutable |
            | `kind` | one of `book`, `game` |  | required, immutable |
            | `title` | text | exactly 13 characters, matches `[a-z]+\|[0-9]+` | required |
            | `stock` | whole number | at least 0 | default `0` |
            | `photo` | binary | 0 to 1000 bytes | optional |
            | `tags` | set of texts |  | required |
            | `extra` | anything |  | optional |

            ### Customer

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CUSTOMER#{customer}` |
            | `SK` | sort key | `META` |

            | Attribute | Type | Value |
            | --- | --- | --- |
            | `customer` | ULID | required, immutable |
            | `email` | e-mail address | required, immutable, unique |

            | Unique | Attributes | Enforced by |
            | --- | --- | --- |
            | `email` | `email` | `UNIQUE#Customer#email#{email}` |

            ### Address

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CUSTOMER#{customer}` |
            | `SK` | sort key | `ADDRESS#{line}` |

            | Attribute | Type | Value |
            | --- | --- | --- |
            | `customer` | ULID | required, immutable |
            | `line` | text | required, immutable |

            ### Settings

            There is only one.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `SETTINGS` |
            | `SK` | sort key | `META` |

            | Attribute | Type | Value |
            | --- | --- | --- |
            | `open` | true or false | required |

            ## Access patterns

            | Pattern | About | Returns | Arguments | Operation | On | Key condition | Order | Page | Consistency | Also reads |
            | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
            | `customerAndOrders` |  | Customer, Order | `customer` (ULID) | Query | table | `PK = CUSTOMER#{customer}` | `SK` ascending | 50 | strong | Address |
            | `ordersByStatus` |  | Order | `status` (state: `OPEN`, `PAID`, `SHIPPED`, `CANCELLED`)<br>`from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `GSI1` | `GSI1PK = STATUS#{status}, GSI1SK between {from} and {to}` | `GSI1SK` descending | 10 |  |  |
            | `openOrders` | Of every status \| one after the other.<br>Slow. | Order |  | fan-out: Query for each `status`, at most 4 | `GSI1` | `GSI1PK = STATUS#{status}` | `GSI1SK` ascending | 50 |  |  |
            | `product` |  | Product | `kind` (one of `book`, `game`)<br>`id` (UUID) | Get | table | `PK = PRODUCT#{kind}#{id}, SK = META` |  |  |  |  |
            | `inStock` |  | Product | `kind` (one of `book`, `game`)<br>`from` (whole number, optional)<br>`to` (whole number, optional) | Query | `BY_STOCK` | `kind = {kind}, stock between {from} and {to}` | `stock` descending | 50 |  |  |
            | `customerByEmail` |  | Customer | `email` (e-mail address) | Lookup | table | `PK = UNIQUE#Customer#email#{email}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |  |  |
            | `ordersOfMonth` |  | Order | `customer` (ULID)<br>`month` (month, as `2025.01`) | Query | table | `PK = CUSTOMER#{customer}, SK begins_with ORDER#{month}#` | `SK` ascending | 50 |  |  |
            | `settings` |  | Settings |  | Get | table | `PK = SETTINGS, SK = META` |  |  |  |  |

            ## Map

            Which pattern reads what, and where. Dotted lines are read along and dropped.

            ```mermaid
            flowchart LR
                subgraph base["table Shop-#123;env#125;"]
                    p0(["customerAndOrders"])
                    p3(["product"])
                    p5(["customerByEmail"])
                    p6(["ordersOfMonth"])
                    p7(["settings"])
                end
                subgraph i0["index GSI1"]
                    p1(["ordersByStatus"])
                    p2(["openOrders"])
                end
                subgraph i1["index BY_STOCK"]
                    p4(["inStock"])
                end
                i2[("index UNREAD")]
                i2 --- e0
                e0["Order"]
                e1["Product"]
                e2["Customer"]
                e3["Address"]
                e4["Settings"]
                p0 -->|"Query"| e2
                p0 -->|"Query"| e0
                p0 -.-> e3
                p1 -->|"Query"| e0
                p2 -->|"fan-out"| e0
                p3 -->|"Get"| e1
                p4 -->|"Query"| e1
                p5 -->|"Lookup"| e2
                p6 -->|"Query"| e0
                p7 -->|"Get"| e4
            ```
        "##]],
    );
}

/// A pipe, a backtick, a line break, a quote or HTML in the model breaks no table and no diagram.
#[test]
fn nothing_in_a_model_can_break_the_page() {
    check(
        r#"
model: hostile
table:
  name: Hostile
  key: { pk: PK, sk: SK }
  delimiter: "|"
  tags: { "a|b": "`x`", empty: "" }
entities:
  Thing:
    doc: "A | B"
    key: { PK: "A`B|{id}", SK: "`" }
    attributes:
      id: { type: string, doc: "one | two\nthree" }
      kind: { enum: ["a|b", "`", " "] }
      rule: { type: string, pattern: "a\\|b|``" }
      state: { lifecycle: { 'end "x" <b>': ["--> [*]", "%% ; #35;", "상태"], "--> [*]": [] } }
patterns:
  things: { entity: Thing, given: [id], doc: "a | b" }
"#,
        expect![[r##"
            # hostile

            Schema version `1.0.0`.

            ## Table

            | Setting | Value |
            | --- | --- |
            | Name | `Hostile` |
            | Billing | on demand (`PAY_PER_REQUEST`) |
            | Partition key | `PK`, text |
            | Sort key | `SK`, text |
            | Between key segments | `\|` |
            | Time to live | off |
            | Streams | off |
            | Point-in-time recovery | off |
            | Tags | `a\|b` = `` `x` ``, `empty` = `""` |

            ## Entities

            ### Thing

            A | B

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | ``A`B\|{id}`` |
            | `SK` | sort key | `` ` `` |

            | Attribute | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- |
            | `id` | text |  | required, immutable | one \| two<br>three |
            | `kind` | one of `a\|b`, `` ` ``, ` ` |  | required |  |
            | `rule` | text | matches ``` a\\|b\|`` ``` | required |  |
            | `state` | state: `end "x" <b>`, `--> [*]`, `%% ; #35;`, `상태` |  | required |  |

            Lifecycle of `state`:

            ```mermaid
            stateDiagram-v2
                state "end #34;x#34; #60;b#62;" as s0
                state "--#62; #91;#42;#93;" as s1
                state "#37;#37; #59; #35;35#59;" as s2
                state "상태" as s3
                [*] --> s0
                s0 --> s1
                s0 --> s2
                s0 --> s3
                s1 --> [*]
                s2 --> [*]
                s3 --> [*]
            ```

            ## Access patterns

            | Pattern | About | Returns | Arguments | Operation | On | Key condition |
            | --- | --- | --- | --- | --- | --- | --- |
            | `things` | a \| b | Thing | `id` (text) | Get | table | `` PK = A`B\|{id}, SK = ` `` |

            ## Map

            Which pattern reads what, and where. Dotted lines are read along and dropped.

            ```mermaid
            flowchart LR
                subgraph base["table Hostile"]
                    p0(["things"])
                end
                e0["Thing"]
                p0 -->|"Get"| e0
            ```
        "##]],
    );
}

/// Every name of the model is on the page.
#[test]
fn every_entity_attribute_and_pattern_of_every_model_is_on_its_page() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let model = model(&std::fs::read_to_string(&path).unwrap());
        let page = docs::markdown(&model);
        let has = |text: String| assert!(page.contains(&text), "{}: no {text}", path.display());
        for entity in &model.entities {
            has(format!("### {}\n", entity.name));
            for attribute in &entity.attributes {
                has(format!("| `{}` |", attribute.name));
            }
        }
        for pattern in &model.patterns {
            has(format!("| `{}` |", pattern.name));
        }
        count += 1;
    }
    assert!(count > 0, "no model in {folder}");
}
