//! The page of the content model, whole.

use expect_test::expect;

use super::check;

#[test]
fn the_page_of_the_content_model() {
    check(
        include_str!("../../../../../models/content.yaml"),
        expect![[r##"
            # content

            A company web site's content, and the inquiries of its visitors.

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
            | `Type_CreatedAt` | `Type`, text | `CreatedAt`, text | all attributes | User, Category, Post, Banner, CorpInfo, ContactInquiry | `users`, `categories`, `posts`, `banners`, `contactInquiries` |

            ## Entities

            ### User

            Someone who writes for the site or runs it.

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

            A section of the site. Its posts share its partition.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CATEGORY#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `Category` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `title` | text | 1 to 120 characters | required |  |
            | `desc` | text | 0 to 500 characters | optional |  |
            | `slug` | text | 1 to 80 characters, matches `[a-z0-9]+(-[a-z0-9]+)*` | optional, immutable, unique | The category's name in addresses. Links depend on it, so it never changes. |
            | `order` | whole number | at least 0 | optional | Its position in the menu, the lowest first. |
            | `Type` | text |  | always `Category` |  |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            | Unique | Attributes | Enforced by |
            | --- | --- | --- |
            | `slug` | `slug` | `UNIQUE#Category#slug#{slug}` |

            ### Post

            An article of a category.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CATEGORY#{categoryId}` |
            | `SK` | sort key | `POST#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `Post` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable, unique |  |
            | `categoryId` | text | 1 to 64 characters | required, immutable |  |
            | `authorId` | text | 1 to 64 characters | required |  |
            | `title` | text | 1 to 200 characters | required |  |
            | `contents` | Markdown |  | required |  |
            | `contentsFormat` | one of `markdown`, `json` |  | optional | How to read the contents. Absent means Markdown. |
            | `thumbnailUrl` | address (https, http or s3) |  | optional |  |
            | `state` | one of `draft`, `published` |  | optional | Absent means published, as every post was before there were drafts. |
            | `publishAt` | time, as `2025-11-14T03:00:00Z` |  | optional | When a published post is first shown. Absent means at once. |
            | `expiresAt` | whole number | at least 0 | optional | The second since 1970 from which a notice is no longer shown. |
            | `Type` | text |  | always `Post` |  |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            | Unique | Attributes | Enforced by |
            | --- | --- | --- |
            | `id` | `id` | `UNIQUE#Post#id#{id}` |

            ### Banner

            A picture with a text and up to two buttons on the front page.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `BANNER#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `Banner` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `title` | text | 1 to 120 characters | required |  |
            | `desc` | text | 0 to 500 characters | optional |  |
            | `imgUri` | address (https, http or s3) |  | required |  |
            | `btn1Text` | text | 0 to 40 characters | optional |  |
            | `btn2Text` | text | 0 to 40 characters | optional |  |
            | `expiresAt` | whole number | at least 0 | optional | The second since 1970 from which the banner is no longer shown. |
            | `Type` | text |  | always `Banner` |  |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### CorpInfo

            The company itself. There is one.

            There is only one.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CORP#INFO` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `CorpInfo` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- |
            | `id` | one of `corp-info` |  | default `corp-info`, immutable |  |
            | `name` | text | 1 to 120 characters | optional |  |
            | `address` | text | 0 to 300 characters | optional |  |
            | `email` | e-mail address |  | required | Where inquiries are sent. |
            | `fax` | text | 0 to 40 characters | optional |  |
            | `corpNum` | text | 0 to 40 characters | optional | The business registration number. |
            | `ceo` | text | 0 to 80 characters | optional |  |
            | `hp` | text | 0 to 200 characters | optional |  |
            | `Type` | text |  | always `CorpInfo` |  |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### ContactInquiry

            A message of a visitor from the contact form. Personal data.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CONTACT#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `ContactInquiry` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- |
            | `id` | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `name` | text | 1 to 80 characters | required |  |
            | `email` | e-mail address |  | required |  |
            | `company` | text | 1 to 120 characters | required |  |
            | `title` | text | 1 to 80 characters | required | The visitor's position. |
            | `referral` | text | 1 to 120 characters | required | How the visitor found the site. |
            | `subject` | text | 1 to 200 characters | required |  |
            | `message` | text | 1 to 5000 characters | required |  |
            | `status` | state: `new`, `in_progress`, `done` |  | default `new` |  |
            | `notifiedEmail` | e-mail address |  | optional | The address whose mail server accepted the notification at that time. |
            | `firstReplyMessage` | text | 1 to 5000 characters | optional |  |
            | `Type` | text |  | always `ContactInquiry` |  |
            | `CreatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            Lifecycle of `status`:

            ```mermaid
            stateDiagram-v2
                state "new" as s0
                state "in_progress" as s1
                state "done" as s2
                [*] --> s0
                s0 --> s1
                s0 --> s2
                s1 --> s2
                s2 --> [*]
            ```

            ## Access patterns

            | Pattern | About | Returns | Arguments | Operation | On | Key condition | Order | Page |
            | --- | --- | --- | --- | --- | --- | --- | --- | --- |
            | `user` | One user. | User | `id` (text) | Get | table | `PK = USER#{id}, SK = METADATA` |  |  |
            | `users` | All users. | User |  | Query | `Type_CreatedAt` | `Type = User` | `CreatedAt` descending | 50 |
            | `category` | One category. | Category | `id` (text) | Get | table | `PK = CATEGORY#{id}, SK = METADATA` |  |  |
            | `categoryBySlug` | The category that an address names. | Category | `slug` (text) | Lookup | table | `PK = UNIQUE#Category#slug#{slug}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |
            | `categories` | All categories. | Category |  | Query | `Type_CreatedAt` | `Type = Category` | `CreatedAt` descending | 50 |
            | `post` | One post of a category. | Post | `categoryId` (text)<br>`id` (text) | Get | table | `PK = CATEGORY#{categoryId}, SK = POST#{id}` |  |  |
            | `postById` | The post that a link names. | Post | `id` (text) | Lookup | table | `PK = UNIQUE#Post#id#{id}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |
            | `postsInCategory` | The posts of a category, by ID. | Post | `categoryId` (text) | Query | table | `PK = CATEGORY#{categoryId}, SK begins_with POST#` | `SK` ascending | 50 |
            | `posts` | The posts of all categories. | Post | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `Type_CreatedAt` | `Type = Post, CreatedAt between {from} and {to}` | `CreatedAt` descending | 50 |
            | `banner` | One banner. | Banner | `id` (text) | Get | table | `PK = BANNER#{id}, SK = METADATA` |  |  |
            | `banners` | All banners. | Banner |  | Query | `Type_CreatedAt` | `Type = Banner` | `CreatedAt` descending | 50 |
            | `corpInfo` | The company. | CorpInfo |  | Get | table | `PK = CORP#INFO, SK = METADATA` |  |  |
            | `contactInquiry` | One inquiry. | ContactInquiry | `id` (text) | Get | table | `PK = CONTACT#{id}, SK = METADATA` |  |  |
            | `contactInquiries` | All inquiries. | ContactInquiry | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `Type_CreatedAt` | `Type = ContactInquiry, CreatedAt between {from} and {to}` | `CreatedAt` descending | 50 |

            ## Map

            Which pattern reads what, and where. Dotted lines are read along and dropped.

            ```mermaid
            flowchart LR
                subgraph base["table FMWebAppTable"]
                    p0(["user"])
                    p2(["category"])
                    p3(["categoryBySlug"])
                    p5(["post"])
                    p6(["postById"])
                    p7(["postsInCategory"])
                    p9(["banner"])
                    p11(["corpInfo"])
                    p12(["contactInquiry"])
                end
                subgraph i0["index Type_CreatedAt"]
                    p1(["users"])
                    p4(["categories"])
                    p8(["posts"])
                    p10(["banners"])
                    p13(["contactInquiries"])
                end
                e0["User"]
                e1["Category"]
                e2["Post"]
                e3["Banner"]
                e4["CorpInfo"]
                e5["ContactInquiry"]
                p0 -->|"Get"| e0
                p1 -->|"Query"| e0
                p2 -->|"Get"| e1
                p3 -->|"Lookup"| e1
                p4 -->|"Query"| e1
                p5 -->|"Get"| e2
                p6 -->|"Lookup"| e2
                p7 -->|"Query"| e2
                p8 -->|"Query"| e2
                p9 -->|"Get"| e3
                p10 -->|"Query"| e3
                p11 -->|"Get"| e4
                p12 -->|"Get"| e5
                p13 -->|"Query"| e5
            ```
        "##]],
    );
}
