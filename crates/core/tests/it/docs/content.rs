//! The page of the content model, whole.

use expect_test::expect;

use super::check;

#[test]
fn the_page_of_the_content_model() {
    check(
        include_str!("../../../../../models/content.yaml"),
        expect![[r##"
            # content

            A company web site's content and the inquiries of its visitors.

            Schema version `1.0.0`.

            ## Table

            | Setting | Value |
            | --- | --- |
            | Name | `FMWebAppTable` |
            | Billing | on demand (`PAY_PER_REQUEST`) |
            | Partition key | `PK`, text |
            | Sort key | `SK`, text |
            | Between key segments | `#` |
            | Entity name in | `Type` |
            | Time to live | off; `expiresAt` is reserved for it |
            | Streams | off |
            | Point-in-time recovery | off |

            ## Indexes

            | Index | Partition key | Sort key | Projection | Entities in it | Read by |
            | --- | --- | --- | --- | --- | --- |
            | `Type_CreatedAt` | `Type`, text | `CreatedAt`, text | all attributes | User, Category, Post, Banner | `posts`, `banners` |

            ## Entities

            ### User

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `USER#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `User` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value |
            | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable |
            | `displayName` | text | 1 to 80 characters | required |
            | `role` | one of `admin`, `editor`, `viewer` |  | required |
            | `Type` | text |  | always `User` |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### Category

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CATEGORY#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `Category` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value |
            | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable |
            | `title` | text | 1 to 120 characters | required |
            | `desc` | text | 0 to 500 characters | optional |
            | `slug` | text | 1 to 80 characters, matches `[a-z0-9]+(-[a-z0-9]+)*` | optional, immutable, unique |
            | `order` | whole number | at least 0 | optional |
            | `Type` | text |  | always `Category` |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            | Unique | Attributes | Kept by the pointer |
            | --- | --- | --- |
            | `slug` | `slug` | `UNIQUE#Category#slug#{slug}` |

            ### Post

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CATEGORY#{categoryId}` |
            | `SK` | sort key | `POST#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `Post` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value |
            | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable, unique |
            | `categoryId` | text | 1 to 64 characters | required, immutable |
            | `authorId` | text | 1 to 64 characters | required |
            | `title` | text | 1 to 200 characters | required |
            | `contents` | Markdown |  | required |
            | `thumbnailUrl` | address (https, http or s3) |  | optional |
            | `expiresAt` | whole number |  | optional |
            | `Type` | text |  | always `Post` |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            | Unique | Attributes | Kept by the pointer |
            | --- | --- | --- |
            | `id` | `id` | `UNIQUE#Post#id#{id}` |

            ### Banner

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `BANNER#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `Banner` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value |
            | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable |
            | `title` | text | 1 to 120 characters | required |
            | `desc` | text |  | optional |
            | `imgUri` | address (https, http or s3) |  | required |
            | `btn1Text` | text | 0 to 40 characters | optional |
            | `btn2Text` | text | 0 to 40 characters | optional |
            | `expiresAt` | whole number |  | optional |
            | `Type` | text |  | always `Banner` |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ## Access patterns

            | Pattern | Returns | Arguments | Operation | On | Key condition | Order | Page |
            | --- | --- | --- | --- | --- | --- | --- | --- |
            | `user` | User | `id` (text) | Get | table | `PK = USER#{id}, SK = METADATA` |  |  |
            | `category` | Category | `id` (text) | Get | table | `PK = CATEGORY#{id}, SK = METADATA` |  |  |
            | `postsInCategory` | Post | `categoryId` (text) | Query | table | `PK = CATEGORY#{categoryId}, SK begins_with POST#` | `SK` ascending | 50 |
            | `post` | Post | `categoryId` (text)<br>`id` (text) | Get | table | `PK = CATEGORY#{categoryId}, SK = POST#{id}` |  |  |
            | `postById` | Post | `id` (text) | Lookup | table | `PK = UNIQUE#Post#id#{id}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |
            | `posts` | Post | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `Type_CreatedAt` | `Type = Post, CreatedAt between {from} and {to}` | `CreatedAt` descending | 50 |
            | `banners` | Banner |  | Query | `Type_CreatedAt` | `Type = Banner` | `CreatedAt` descending | 50 |

            ## Map

            Which pattern reads what, and where. Dotted lines are read along and dropped.

            ```mermaid
            flowchart LR
                subgraph base["table FMWebAppTable"]
                    p0(["user"])
                    p1(["category"])
                    p2(["postsInCategory"])
                    p3(["post"])
                    p4(["postById"])
                end
                subgraph i0["index Type_CreatedAt"]
                    p5(["posts"])
                    p6(["banners"])
                end
                e0["User"]
                e1["Category"]
                e2["Post"]
                e3["Banner"]
                p0 -->|"Get"| e0
                p1 -->|"Get"| e1
                p2 -->|"Query"| e2
                p3 -->|"Get"| e2
                p4 -->|"Lookup"| e2
                p5 -->|"Query"| e2
                p6 -->|"Query"| e3
            ```
        "##]],
    );
}
