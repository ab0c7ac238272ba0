//! The page of the content model, whole.

use expect_test::expect;

use super::check;

#[test]
fn the_page_of_the_content_model() {
    check(
        include_str!("../../../../../models/content.yaml"),
        expect![[r##"
            # content

            Website · 웹사이트

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
            | `Type_CreatedAt` | `Type`, text | `CreatedAt`, text | all attributes | User, Category, Post, Draft, PostVersion, LivePost, PostEnd, PostChange, Preview, PostEditor, PostSlug, Migration, MigrationFindings, MigratedItem, Banner, CorpInfo, ContactInquiry, InquiryPurge, ReplyTemplate, InquiryMail, Outbox, Webhook, WebhookDelivery, Media, MediaUse | `oldDeliveries`, `allMedia`, `users`, `categories`, `posts`, `migratedItems`, `banners`, `contactInquiries` |

            ## Entities

            ### User

            User · 사용자

            Someone who writes for the site or runs it.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `USER#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `User` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `displayName` | Name · 이름 | text | 1 to 80 characters | required |  |
            | `role` | Role · 역할 | one of `admin`, `editor`, `viewer` |  | required |  |
            | `desc` | About · 소개 | text | 0 to 500 characters | optional | A few words about the author for visitors. |
            | `imgUri` | Picture · 사진 | text | 0 to 2000 characters | optional |  |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `Type` |  | text |  | always `User` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### Category

            Category · 카테고리

            A section of the site. Its posts share its partition.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CATEGORY#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `Category` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `title` | Title · 제목 | text |  | required |  |
            | `desc` | Description · 설명 | text |  | optional |  |
            | `legacy` | From the old table · 이전 테이블의 값 | map from text to: anything |  | optional | Attributes of the old item that have no place here. |
            | `slug` | Slug · 주소 이름 | text | 1 to 80 characters | optional, immutable, unique | The category's name in addresses. Links depend on it, so it never changes. |
            | `order` | Menu position · 메뉴 순서 | whole number | at least 0 | optional | Its position in the menu, the lowest first. |
            | `posts` | Posts counted · 센 글 수 | whole number |  | optional | Changes with every post that is added or leaves, so that a category with posts is not deleted. |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `Type` |  | text |  | always `Category` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            | Unique | Attributes | Enforced by |
            | --- | --- | --- |
            | `slug` | `slug` | `UNIQUE#Category#slug#{slug}` |

            ### Post

            Post · 글

            An article of a category.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CATEGORY#{categoryId}` |
            | `SK` | sort key | `POST#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `Post` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable, unique |  |
            | `categoryId` | Category · 카테고리 | text | 1 to 64 characters | required, immutable |  |
            | `authorId` | Author · 작성자 | text | 1 to 64 characters | optional |  |
            | `legacy` | From the old table · 이전 테이블의 값 | map from text to: anything |  | optional | Attributes of the old item that have no place here. |
            | `title` | Title · 제목 | text |  | required |  |
            | `contents` | Contents · 내용 | Markdown |  | required |  |
            | `contentsFormat` | Format · 형식 | one of `markdown`, `json`, `text` |  | optional | How to read the contents. Absent means Markdown. |
            | `thumbnailUrl` | Thumbnail · 썸네일 | text | 0 to 2000 characters | optional |  |
            | `state` | State · 상태 | one of `draft`, `published` |  | optional | Absent means published, as every post was before there were drafts. |
            | `publishAt` | Publish at · 게시 일시 | time, as `2025-11-14T03:00:00Z` |  | optional | When a published post is first shown. Absent means at once. |
            | `expiresAt` | Expires at · 만료 시각 | whole number | at least 0 | optional | The second since 1970 from which a notice is no longer shown. |
            | `slug` | Slug · 주소 이름 | text | 1 to 80 characters | optional | The post's name in addresses. |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change of the post or its draft. |
            | `textAt` | Text published at · 내용 게시 일시 | time, as `2025-11-14T03:00:00Z` |  | optional | When visitors got this text. Absent means at the time of publishing. |
            | `Type` |  | text |  | always `Post` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            | Unique | Attributes | Enforced by |
            | --- | --- | --- |
            | `id` | `id` | `UNIQUE#Post#id#{id}` |

            ### Draft

            Draft · 초안

            The edited text of a published post. Visitors see the published one.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `POST#{id}` |
            | `SK` | sort key | `DRAFT` |
            | `Type` | partition key of `Type_CreatedAt` | `Draft` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | required, immutable |
            | `title` | Title · 제목 | text |  | required |
            | `contents` | Contents · 내용 | Markdown |  | required |
            | `contentsFormat` | Format · 형식 | one of `markdown`, `json`, `text` |  | optional |
            | `thumbnailUrl` | Thumbnail · 썸네일 | text | 0 to 2000 characters | optional |
            | `slug` | Slug · 주소 이름 | text | 1 to 80 characters | optional |
            | `by` | Edited by · 편집한 사람 | text | 1 to 64 characters | required |
            | `Type` |  | text |  | always `Draft` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### PostVersion

            Version of a post · 글 버전

            A saved text of a post, which can be restored.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `POST#{id}` |
            | `SK` | sort key | `VERSION#{revision:08}` |
            | `Type` | partition key of `Type_CreatedAt` | `PostVersion` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | required, immutable |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | required, immutable |
            | `event` | Event · 구분 | one of `saved`, `published`, `unpublished`, `restored` |  | required |
            | `title` | Title · 제목 | text |  | required |
            | `contents` | Contents · 내용 | Markdown |  | required |
            | `contentsFormat` | Format · 형식 | one of `markdown`, `json`, `text` |  | optional |
            | `thumbnailUrl` | Thumbnail · 썸네일 | text | 0 to 2000 characters | optional |
            | `slug` | Slug · 주소 이름 | text | 1 to 80 characters | optional |
            | `by` | Author · 작성자 | text | 1 to 64 characters | required |
            | `Type` |  | text |  | always `PostVersion` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### LivePost

            Published post · 게시된 글

            The place of a published post in a list.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `LIVE#{scope}` |
            | `SK` | sort key | `{publishAt}#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `LivePost` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `scope` | List · 목록 | text | 1 to 64 characters | required, immutable | `ALL`, or the ID of a category. |
            | `publishAt` | Publish at · 게시 일시 | time, as `2025-11-14T03:00:00Z` |  | required, immutable |  |
            | `id` | ID | text | 1 to 64 characters | required, immutable |  |
            | `categoryId` | Category · 카테고리 | text | 1 to 64 characters | required |  |
            | `Type` |  | text |  | always `LivePost` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### PostEnd

            End of a post · 글 만료

            The time from which a published post is no longer shown.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `ENDS` |
            | `SK` | sort key | `{endsAt}#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `PostEnd` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `endsAt` | Ends at · 만료 일시 | time, as `2025-11-14T03:00:00Z` |  | required, immutable |
            | `id` | Post · 글 | text | 1 to 64 characters | required, immutable |
            | `Type` |  | text |  | always `PostEnd` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### PostChange

            Change of a post · 글 변경

            A post was published, taken back, moved or deleted.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CHANGES` |
            | `SK` | sort key | `{at}#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `PostChange` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `at` | Time · 시각 | time, as `2025-11-14T03:00:00Z` |  | required, immutable |
            | `id` | Post · 글 | text | 1 to 64 characters | required, immutable |
            | `Type` |  | text |  | always `PostChange` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### Preview

            Preview link · 미리 보기 링크

            A link that shows the edited text of a post until a time.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `POST#{id}` |
            | `SK` | sort key | `PREVIEW#{hash}` |
            | `Type` | partition key of `Type_CreatedAt` | `Preview` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `id` | Post · 글 | text | 1 to 64 characters | required, immutable |
            | `hash` | Hash · 해시 | text | exactly 64 characters | required, immutable |
            | `by` | Made by · 만든 사람 | text | 1 to 64 characters | required |
            | `endsAt` | Ends at · 만료 일시 | time, as `2025-11-14T03:00:00Z` |  | required |
            | `Type` |  | text |  | always `Preview` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### PostEditor

            Editor of a post · 글 편집자

            Someone who has the post open in an editor, and when that was last seen.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `POST#{id}` |
            | `SK` | sort key | `EDITOR#{by}` |
            | `Type` | partition key of `Type_CreatedAt` | `PostEditor` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `id` | Post · 글 | text | 1 to 64 characters | required, immutable |
            | `by` | Editor · 편집자 | text | 1 to 64 characters | required, immutable |
            | `seenAt` | Seen at · 확인 일시 | time, as `2025-11-14T03:00:00Z` |  | required |
            | `Type` |  | text |  | always `PostEditor` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### PostSlug

            Slug of a post · 글 주소 이름

            The post that an address names or named, so that old links lead to it.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `SLUG#{slug}` |
            | `SK` | sort key | `POST` |
            | `Type` | partition key of `Type_CreatedAt` | `PostSlug` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `slug` | Slug · 주소 이름 | text | 1 to 80 characters | required, immutable |
            | `id` | Post · 글 | text | 1 to 64 characters | required |
            | `Type` |  | text |  | always `PostSlug` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### Migration

            Migration · 이전 작업

            A migration from the old tables and what it did.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `MIGRATION` |
            | `SK` | sort key | `{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `Migration` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | required, immutable |
            | `from` | From · 원본 | text |  | required |
            | `state` | State · 상태 | one of `running`, `done` |  | required |
            | `schemaVersion` | Version of the schema · 스키마 버전 | semantic version |  | required |
            | `step` | Steps done · 완료한 단계 | whole number | at least 0 | required |
            | `table` | Table in progress · 진행 중인 테이블 | text |  | optional |
            | `position` | Position in the table · 테이블 안의 위치 | text |  | optional |
            | `rows` | Rows done after the position · 위치 이후 완료한 행 | whole number | at least 1 | optional |
            | `counts` | Counts and checksums · 건수와 체크섬 | map from text to: anything |  | required |
            | `endedAt` | Ended at · 종료 일시 | time, as `2025-11-14T03:00:00Z` |  | optional |
            | `Type` |  | text |  | always `Migration` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### MigrationFindings

            Findings of a migration · 이전 작업의 발견 사항

            What a step of a migration could not move as it was.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `MIGRATION#{migrationId}` |
            | `SK` | sort key | `FINDINGS#{step:010}#{part:04}` |
            | `Type` | partition key of `Type_CreatedAt` | `MigrationFindings` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `migrationId` | Migration · 이전 작업 | text | 1 to 64 characters | required, immutable |
            | `step` | Step · 단계 | whole number | at least 0 | required, immutable |
            | `part` | Part · 부분 | whole number | at least 0 | required, immutable |
            | `findings` | Findings · 발견 사항 | list of: map from text to: anything |  | required |
            | `Type` |  | text |  | always `MigrationFindings` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### MigratedItem

            Moved item · 옮긴 항목

            An item of an old table that was moved here.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `MIGRATED#{source}#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `MigratedItem` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `source` | Old table · 이전 테이블 | text | 1 to 64 characters | required, immutable |
            | `id` | ID | text | 1 to 64 characters | required, immutable |
            | `sum` | Checksum of the old item · 이전 항목의 체크섬 | text |  | required |
            | `stored` | Checksum of the item here · 옮긴 항목의 체크섬 | text |  | required |
            | `outcome` | Outcome · 결과 | one of `created`, `updated` |  | required |
            | `migrationId` | Migration · 이전 작업 | text | 1 to 64 characters | required |
            | `step` | Step · 단계 | whole number | at least 0 | required |
            | `others` | Rejected duplicates · 제외한 중복 항목 | set of texts |  | optional |
            | `Type` |  | text |  | always `MigratedItem` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### Banner

            Banner · 배너

            A picture with a text and up to two buttons on the front page.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `BANNER#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `Banner` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `title` | Title · 제목 | text | 1 to 120 characters | required |  |
            | `desc` | Description · 설명 | text | 0 to 500 characters | optional |  |
            | `imgUri` | Image · 그림 | text | 0 to 2000 characters | required |  |
            | `btn1Text` | First button · 첫째 버튼 | text | 0 to 40 characters | optional |  |
            | `btn1Url` | Link of the first button · 첫째 버튼 링크 | text | 0 to 2000 characters | optional |  |
            | `btn2Text` | Second button · 둘째 버튼 | text | 0 to 40 characters | optional |  |
            | `btn2Url` | Link of the second button · 둘째 버튼 링크 | text | 0 to 2000 characters | optional |  |
            | `order` | Position · 순서 | whole number | at least 0 | optional | Its position, the lowest first. |
            | `publishAt` | Show from · 게시 일시 | time, as `2025-11-14T03:00:00Z` |  | optional | When the banner is first shown. Absent means at once. |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `expiresAt` | Expires at · 만료 시각 | whole number | at least 0 | optional | The second since 1970 from which the banner is no longer shown. |
            | `Type` |  | text |  | always `Banner` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### CorpInfo

            Company profile · 회사 정보

            The company itself. There is one.

            There is only one.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CORP#INFO` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `CorpInfo` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | one of `corp-info` |  | default `corp-info`, immutable |  |
            | `name` | Name · 회사 이름 | text |  | optional |  |
            | `legacy` | From the old table · 이전 테이블의 값 | map from text to: anything |  | optional | Attributes of the old item that have no place here. |
            | `address` | Address · 주소 | text |  | optional |  |
            | `email` | Email · 이메일 | e-mail address |  | optional | Where inquiries are sent. |
            | `fax` | Fax · 팩스 | text | 0 to 40 characters | optional |  |
            | `corpNum` | Registration number · 사업자등록번호 | text | 0 to 40 characters | optional | The business registration number. |
            | `ceo` | CEO · 대표 | text | 0 to 80 characters | optional |  |
            | `hp` | Home page · 홈페이지 | text | 0 to 200 characters | optional |  |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `Type` |  | text |  | always `CorpInfo` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### ContactInquiry

            Inquiry · 문의

            A message of a visitor from the contact form. Personal data.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CONTACT#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `ContactInquiry` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `legacy` | From the old table · 이전 테이블의 값 | map from text to: anything |  | optional | Attributes of the old item that have no place here. |
            | `name` | Name · 이름 | text |  | optional |  |
            | `email` | Email · 이메일 | text |  | optional |  |
            | `company` | Company · 회사 | text |  | optional |  |
            | `title` | Position · 직책 | text |  | optional | The visitor's position. |
            | `referral` | Referral · 유입 경로 | text |  | optional | How the visitor found the site. |
            | `subject` | Subject · 제목 | text |  | optional |  |
            | `message` | Message · 내용 | text |  | optional |  |
            | `status` | Status · 상태 | state: `new`, `in_progress`, `done` |  | default `new` |  |
            | `notifiedEmail` | Notified address · 알림 주소 | e-mail address |  | optional | The address whose mail server accepted the notification at that time. |
            | `firstReplyMessage` | First reply · 첫 답변 | text |  | optional |  |
            | `spam` | Suspected spam · 스팸 의심 | true or false |  | optional | Kept aside for a manager to look at. No notification was sent. |
            | `spamSigns` | Signs of spam · 스팸으로 본 이유 | list of: text |  | optional |  |
            | `consentVersion` | Consent version · 동의 버전 | text | 1 to 40 characters | optional | The version of the consent text that the visitor agreed to. |
            | `purgeAt` | Delete at · 삭제 예정 일시 | time, as `2025-11-14T03:00:00Z` |  | optional | The end of the retention period. |
            | `failedMails` | Mails not sent · 발송 실패 메일 | whole number |  | optional | The number of its mails that could not be sent. |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `Type` |  | text |  | always `ContactInquiry` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

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
                s2 --> s1
            ```

            ### InquiryPurge

            Planned deletion · 삭제 예정

            The time at which an inquiry and its mails are deleted.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `PURGES` |
            | `SK` | sort key | `{purgeAt}#{inquiryId}` |
            | `Type` | partition key of `Type_CreatedAt` | `InquiryPurge` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `purgeAt` | Delete at · 삭제 예정 일시 | time, as `2025-11-14T03:00:00Z` |  | required, immutable |
            | `inquiryId` | Inquiry · 문의 | text | 1 to 64 characters | required, immutable |
            | `Type` |  | text |  | always `InquiryPurge` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ### ReplyTemplate

            Reply template · 답변 서식

            A text that replies start with. `{name}`, `{company}` and `{subject}` are filled in.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `REPLIES` |
            | `SK` | sort key | `{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `ReplyTemplate` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `title` | Title · 제목 | text | 1 to 120 characters | required |  |
            | `body` | Text · 내용 | text | 1 to 5000 characters | required |  |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `Type` |  | text |  | always `ReplyTemplate` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### InquiryMail

            Mail of an inquiry · 문의 메일

            A notification or a reply and its state.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `CONTACT#{inquiryId}` |
            | `SK` | sort key | `MAIL#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `InquiryMail` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `inquiryId` | Inquiry · 문의 | text | 1 to 64 characters | required, immutable |
            | `id` | ID | text | 1 to 64 characters | required, immutable |
            | `kind` | Kind · 구분 | one of `notification`, `reply` |  | required |
            | `state` | State · 상태 | state: `pending`, `failed`, `sent` |  | default `pending` |
            | `to` | To · 받는 사람 | text | 3 to 320 characters | optional |
            | `subject` | Subject · 제목 | text | 1 to 300 characters | required |
            | `body` | Text · 내용 | text | 1 to 20000 characters | required |
            | `by` | Written by · 작성자 | text | 1 to 64 characters | optional |
            | `attempts` | Attempts · 시도 횟수 | whole number | at least 0 | default `0` |
            | `error` | Last error · 마지막 오류 | text | 1 to 500 characters | optional |
            | `sentAt` | Sent at · 발송 일시 | time, as `2025-11-14T03:00:00Z` |  | optional |
            | `Type` |  | text |  | always `InquiryMail` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            Lifecycle of `state`:

            ```mermaid
            stateDiagram-v2
                state "pending" as s0
                state "failed" as s1
                state "sent" as s2
                [*] --> s0
                s0 --> s2
                s0 --> s1
                s1 --> s0
                s2 --> [*]
            ```

            ### Outbox

            Waiting to be sent · 발송 대기

            A mail, a webhook delivery or an event that is sent at its time.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `OUTBOX` |
            | `SK` | sort key | `{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `Outbox` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 128 characters | required, immutable |  |
            | `inquiryId` | Inquiry · 문의 | text | 1 to 64 characters | optional |  |
            | `webhookId` | Webhook · 웹훅 | text | 1 to 64 characters | optional |  |
            | `event` | Event · 이벤트 | text | 1 to 64 characters | optional |  |
            | `subjectId` | Subject · 대상 | text | 1 to 64 characters | optional | The post or the inquiry of the event. |
            | `at` | Time of the event · 이벤트 시각 | time, as `2025-11-14T03:00:00Z` |  | optional | The publishing time or the end of the post. If the post has another one by then, nothing is sent. |
            | `dueAt` | Due at · 발송 예정 일시 | time, as `2025-11-14T03:00:00Z` |  | required | The time of the next attempt. A worker moves it ahead while it sends. |
            | `lease` | Lease · 임대 번호 | whole number | at least 0 | default `0` | Grows with every attempt. |
            | `Type` |  | text |  | always `Outbox` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### Webhook

            Webhook · 웹훅

            An address that is told of events.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `WEBHOOKS` |
            | `SK` | sort key | `{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `Webhook` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `url` | Address · 주소 | text | 1 to 2000 characters | required |  |
            | `secret` | Secret · 비밀 값 | text | 16 to 200 characters | required | Signs every delivery. |
            | `events` | Events · 이벤트 | list of: text |  | required |  |
            | `active` | Active · 사용 | true or false |  | default `true` |  |
            | `failures` | Failures in a row · 연속 실패 횟수 | whole number | at least 0 | optional |  |
            | `error` | Last error · 마지막 오류 | text | 1 to 500 characters | optional |  |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `Type` |  | text |  | always `Webhook` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ### WebhookDelivery

            Webhook delivery · 웹훅 발송

            An event that a webhook is told and its state.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `WEBHOOK#{webhookId}` |
            | `SK` | sort key | `DELIVERY#{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `WebhookDelivery` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `webhookId` | Webhook · 웹훅 | text | 1 to 64 characters | required, immutable |
            | `id` | ID | text | 1 to 64 characters | required, immutable |
            | `event` | Event · 이벤트 | text | 1 to 64 characters | required |
            | `body` | Text · 내용 | text | 1 to 20000 characters | required |
            | `state` | State · 상태 | state: `pending`, `failed`, `sent` |  | default `pending` |
            | `attempts` | Attempts · 시도 횟수 | whole number | at least 0 | default `0` |
            | `status` | Answer · 응답 코드 | whole number |  | optional |
            | `error` | Last error · 마지막 오류 | text | 1 to 500 characters | optional |
            | `sentAt` | Sent at · 발송 일시 | time, as `2025-11-14T03:00:00Z` |  | optional |
            | `Type` |  | text |  | always `WebhookDelivery` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            Lifecycle of `state`:

            ```mermaid
            stateDiagram-v2
                state "pending" as s0
                state "failed" as s1
                state "sent" as s2
                [*] --> s0
                s0 --> s2
                s0 --> s1
                s1 --> s0
                s2 --> [*]
            ```

            ### Media

            Medium · 미디어

            A picture or a document that was uploaded.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `MEDIA#{id}` |
            | `SK` | sort key | `METADATA` |
            | `Type` | partition key of `Type_CreatedAt` | `Media` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |  |
            | `filename` | File name · 파일 이름 | text | 1 to 200 characters | required |  |
            | `contentType` | Type · 형식 | text | 1 to 100 characters | required |  |
            | `size` | Bytes · 크기 | whole number | at least 0 | required |  |
            | `width` | Width · 너비 | whole number | at least 1 | optional |  |
            | `height` | Height · 높이 | whole number | at least 1 | optional |  |
            | `alt` | Alternative text · 대체 텍스트 | text | 0 to 500 characters | optional | What the picture shows, for people who do not see it. |
            | `focusX` | Focal point from the left · 초점 가로 위치 | whole number | 0 to 100 | optional |  |
            | `focusY` | Focal point from the top · 초점 세로 위치 | whole number | 0 to 100 | optional |  |
            | `variants` | Sizes · 크기별 파일 | list of: map from text to: anything |  | optional |  |
            | `state` | State · 상태 | state: `uploading`, `ready`, `deleting` |  | default `uploading` |  |
            | `by` | Uploaded by · 올린 사람 | text | 1 to 64 characters | required |  |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change. |
            | `Type` |  | text |  | always `Media` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            Lifecycle of `state`:

            ```mermaid
            stateDiagram-v2
                state "uploading" as s0
                state "ready" as s1
                state "deleting" as s2
                [*] --> s0
                s0 --> s1
                s0 --> s2
                s1 --> s2
                s2 --> s1
            ```

            ### MediaUse

            Use of a medium · 미디어 사용처

            A post, a banner or a user that shows the medium.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `MEDIA#{mediaId}` |
            | `SK` | sort key | `USE#{kind}#{of}` |
            | `Type` | partition key of `Type_CreatedAt` | `MediaUse` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `mediaId` | Medium · 미디어 | text | 1 to 64 characters | required, immutable |
            | `kind` | Kind · 구분 | one of `post`, `banner`, `user` |  | required, immutable |
            | `of` | Used by · 사용처 | text | 1 to 64 characters | required, immutable |
            | `Type` |  | text |  | always `MediaUse` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

            ## Access patterns

            | Pattern | Title | About | Returns | Arguments | Operation | On | Key condition | Order | Page | Consistency |
            | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
            | `mailsOfInquiry` | Mails of an inquiry · 문의의 메일 | The mails of an inquiry, oldest first. | InquiryMail | `inquiryId` (text) | Query | table | `PK = CONTACT#{inquiryId}, SK begins_with MAIL#` | `SK` ascending | 100 | strong |
            | `outbox` | Waiting mails · 발송 대기 | The mails that wait, oldest first. | Outbox |  | Query | table | `PK = OUTBOX` | `SK` ascending | 100 | strong |
            | `inquiryPurges` | Planned deletions · 삭제 예정 | The planned deletions of inquiries, the next one first. | InquiryPurge | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | table | `PK = PURGES, SK between {from} and {to}` | `SK` ascending | 100 | strong |
            | `replyTemplates` | Reply templates · 답변 서식 | All reply templates. | ReplyTemplate |  | Query | table | `PK = REPLIES` | `SK` ascending | 100 | strong |
            | `webhooks` | Webhooks · 웹훅 | All webhooks. | Webhook |  | Query | table | `PK = WEBHOOKS` | `SK` ascending | 100 | strong |
            | `webhookDeliveries` | Deliveries of a webhook · 웹훅 발송 기록 | The deliveries of a webhook, newest first. | WebhookDelivery | `webhookId` (text) | Query | table | `PK = WEBHOOK#{webhookId}, SK begins_with DELIVERY#` | `SK` descending | 50 | strong |
            | `oldDeliveries` | By time · 시간순 | The deliveries of all webhooks, oldest first. | WebhookDelivery | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `Type_CreatedAt` | `Type = WebhookDelivery, CreatedAt between {from} and {to}` | `CreatedAt` ascending | 100 |  |
            | `media` | Medium by ID · ID로 찾기 | One medium. | Media | `id` (text) | Get | table | `PK = MEDIA#{id}, SK = METADATA` |  |  |  |
            | `allMedia` | All media · 모든 미디어 | All media, newest first. | Media |  | Query | `Type_CreatedAt` | `Type = Media` | `CreatedAt` descending | 50 |  |
            | `mediaUses` | Uses of a medium · 미디어 사용처 | Everything that shows a medium. | MediaUse | `mediaId` (text) | Query | table | `PK = MEDIA#{mediaId}, SK begins_with USE#` | `SK` ascending | 100 | strong |
            | `postEnds` | Ends of posts · 글 만료 | The ends of published posts, the next one first. | PostEnd | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | table | `PK = ENDS, SK between {from} and {to}` | `SK` ascending | 50 | strong |
            | `postChanges` | Changes of posts · 글 변경 | The changes of posts of the last day, oldest first. | PostChange | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | table | `PK = CHANGES, SK between {from} and {to}` | `SK` ascending | 100 | strong |
            | `previews` | Preview links of a post · 글의 미리 보기 링크 | The preview links of a post. | Preview | `id` (text) | Query | table | `PK = POST#{id}, SK begins_with PREVIEW#` | `SK` ascending | 100 | strong |
            | `postEditors` | Editors of a post · 글 편집자 | Who has a post open in an editor. | PostEditor | `id` (text) | Query | table | `PK = POST#{id}, SK begins_with EDITOR#` | `SK` ascending | 100 | strong |
            | `user` | User by ID · ID로 찾기 | One user. | User | `id` (text) | Get | table | `PK = USER#{id}, SK = METADATA` |  |  |  |
            | `users` | All users · 모든 사용자 | All users. | User |  | Query | `Type_CreatedAt` | `Type = User` | `CreatedAt` descending | 50 |  |
            | `category` | Category by ID · ID로 찾기 | One category. | Category | `id` (text) | Get | table | `PK = CATEGORY#{id}, SK = METADATA` |  |  |  |
            | `categoryBySlug` | Category by slug · 주소 이름으로 찾기 | The category that an address names. | Category | `slug` (text) | Lookup | table | `PK = UNIQUE#Category#slug#{slug}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |  |
            | `categories` | All categories · 모든 카테고리 | All categories. | Category |  | Query | `Type_CreatedAt` | `Type = Category` | `CreatedAt` descending | 50 |  |
            | `post` | Post by category and ID · 카테고리와 ID로 찾기 | One post of a category. | Post | `categoryId` (text)<br>`id` (text) | Get | table | `PK = CATEGORY#{categoryId}, SK = POST#{id}` |  |  |  |
            | `postById` | Post by ID · ID로 찾기 | The post that a link names. | Post | `id` (text) | Lookup | table | `PK = UNIQUE#Post#id#{id}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |  |
            | `postsInCategory` | In a category · 카테고리별 | The posts of a category, by ID. | Post | `categoryId` (text) | Query | table | `PK = CATEGORY#{categoryId}, SK begins_with POST#` | `SK` ascending | 50 |  |
            | `posts` | All posts · 모든 글 | The posts of all categories. | Post | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `Type_CreatedAt` | `Type = Post, CreatedAt between {from} and {to}` | `CreatedAt` descending | 50 |  |
            | `migrations` | Migrations · 이전 작업 | The migrations from the old tables, newest first. | Migration |  | Query | table | `PK = MIGRATION` | `SK` descending | 50 | strong |
            | `migrationFindings` | Findings of a migration · 이전 작업의 발견 사항 | What a migration could not move as it was. | MigrationFindings | `migrationId` (text) | Query | table | `PK = MIGRATION#{migrationId}, SK begins_with FINDINGS#` | `SK` ascending | 100 | strong |
            | `migratedItems` | Moved items · 옮긴 항목 | The items that were moved from the old tables. | MigratedItem |  | Query | `Type_CreatedAt` | `Type = MigratedItem` | `CreatedAt` ascending | 500 |  |
            | `draft` | Draft by post · 글의 초안 | The draft of a post. | Draft | `id` (text) | Get | table | `PK = POST#{id}, SK = DRAFT` |  |  | strong |
            | `postVersions` | Versions of a post · 글의 버전 | The saved texts of a post, newest first. | PostVersion | `id` (text) | Query | table | `PK = POST#{id}, SK begins_with VERSION#` | `SK` descending | 50 | strong |
            | `livePosts` | By publishing time · 게시순 | The published posts of the site or of a category, newest first. | LivePost | `scope` (text)<br>`from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | table | `PK = LIVE#{scope}, SK between {from} and {to}` | `SK` descending | 50 |  |
            | `postSlug` | Post by slug · 주소 이름으로 찾기 | The post that an address names. | PostSlug | `slug` (text) | Get | table | `PK = SLUG#{slug}, SK = POST` |  |  | strong |
            | `banner` | Banner by ID · ID로 찾기 | One banner. | Banner | `id` (text) | Get | table | `PK = BANNER#{id}, SK = METADATA` |  |  |  |
            | `banners` | All banners · 모든 배너 | All banners. | Banner |  | Query | `Type_CreatedAt` | `Type = Banner` | `CreatedAt` descending | 50 |  |
            | `corpInfo` | Company profile · 회사 정보 | The company. | CorpInfo |  | Get | table | `PK = CORP#INFO, SK = METADATA` |  |  |  |
            | `contactInquiry` | Inquiry by ID · ID로 찾기 | One inquiry. | ContactInquiry | `id` (text) | Get | table | `PK = CONTACT#{id}, SK = METADATA` |  |  |  |
            | `contactInquiries` | All inquiries · 모든 문의 | All inquiries. | ContactInquiry | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `Type_CreatedAt` | `Type = ContactInquiry, CreatedAt between {from} and {to}` | `CreatedAt` descending | 50 |  |

            ## Map

            Which pattern reads what, and where. Dotted lines are read along and dropped.

            ```mermaid
            flowchart LR
                subgraph base["table FMWebAppTable"]
                    p0(["mailsOfInquiry"])
                    p1(["outbox"])
                    p2(["inquiryPurges"])
                    p3(["replyTemplates"])
                    p4(["webhooks"])
                    p5(["webhookDeliveries"])
                    p7(["media"])
                    p9(["mediaUses"])
                    p10(["postEnds"])
                    p11(["postChanges"])
                    p12(["previews"])
                    p13(["postEditors"])
                    p14(["user"])
                    p16(["category"])
                    p17(["categoryBySlug"])
                    p19(["post"])
                    p20(["postById"])
                    p21(["postsInCategory"])
                    p23(["migrations"])
                    p24(["migrationFindings"])
                    p26(["draft"])
                    p27(["postVersions"])
                    p28(["livePosts"])
                    p29(["postSlug"])
                    p30(["banner"])
                    p32(["corpInfo"])
                    p33(["contactInquiry"])
                end
                subgraph i0["index Type_CreatedAt"]
                    p6(["oldDeliveries"])
                    p8(["allMedia"])
                    p15(["users"])
                    p18(["categories"])
                    p22(["posts"])
                    p25(["migratedItems"])
                    p31(["banners"])
                    p34(["contactInquiries"])
                end
                e0["User"]
                e1["Category"]
                e2["Post"]
                e3["Draft"]
                e4["PostVersion"]
                e5["LivePost"]
                e6["PostEnd"]
                e7["PostChange"]
                e8["Preview"]
                e9["PostEditor"]
                e10["PostSlug"]
                e11["Migration"]
                e12["MigrationFindings"]
                e13["MigratedItem"]
                e14["Banner"]
                e15["CorpInfo"]
                e16["ContactInquiry"]
                e17["InquiryPurge"]
                e18["ReplyTemplate"]
                e19["InquiryMail"]
                e20["Outbox"]
                e21["Webhook"]
                e22["WebhookDelivery"]
                e23["Media"]
                e24["MediaUse"]
                p0 -->|"Query"| e19
                p1 -->|"Query"| e20
                p2 -->|"Query"| e17
                p3 -->|"Query"| e18
                p4 -->|"Query"| e21
                p5 -->|"Query"| e22
                p6 -->|"Query"| e22
                p7 -->|"Get"| e23
                p8 -->|"Query"| e23
                p9 -->|"Query"| e24
                p10 -->|"Query"| e6
                p11 -->|"Query"| e7
                p12 -->|"Query"| e8
                p13 -->|"Query"| e9
                p14 -->|"Get"| e0
                p15 -->|"Query"| e0
                p16 -->|"Get"| e1
                p17 -->|"Lookup"| e1
                p18 -->|"Query"| e1
                p19 -->|"Get"| e2
                p20 -->|"Lookup"| e2
                p21 -->|"Query"| e2
                p22 -->|"Query"| e2
                p23 -->|"Query"| e11
                p24 -->|"Query"| e12
                p25 -->|"Query"| e13
                p26 -->|"Get"| e3
                p27 -->|"Query"| e4
                p28 -->|"Query"| e5
                p29 -->|"Get"| e10
                p30 -->|"Get"| e14
                p31 -->|"Query"| e14
                p32 -->|"Get"| e15
                p33 -->|"Get"| e16
                p34 -->|"Query"| e16
            ```
        "##]],
    );
}
