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
            | `Type_CreatedAt` | `Type`, text | `CreatedAt`, text | all attributes | User, Category, Post, Draft, PostVersion, LivePost, PostSlug, Banner, CorpInfo, ContactInquiry, InquiryMail, Outbox | `users`, `categories`, `posts`, `banners`, `contactInquiries` |

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

            | Attribute | Title | Type | Rules | Value |
            | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | generated: a new ULID, immutable |
            | `displayName` | Name · 이름 | text | 1 to 80 characters | required |
            | `role` | Role · 역할 | one of `admin`, `editor`, `viewer` |  | required |
            | `Type` |  | text |  | always `User` |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |

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
            | `title` | Title · 제목 | text | 1 to 120 characters | required |  |
            | `desc` | Description · 설명 | text | 0 to 500 characters | optional |  |
            | `slug` | Slug · 주소 이름 | text | 1 to 80 characters | optional, immutable, unique | The category's name in addresses. Links depend on it, so it never changes. |
            | `order` | Menu position · 메뉴 순서 | whole number | at least 0 | optional | Its position in the menu, the lowest first. |
            | `posts` | Posts counted · 센 글 수 | whole number |  | optional | Changes with every post that is added or leaves, so that a category with posts is not deleted. |
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
            | `authorId` | Author · 작성자 | text | 1 to 64 characters | required |  |
            | `title` | Title · 제목 | text | 1 to 200 characters | required |  |
            | `contents` | Contents · 내용 | Markdown |  | required |  |
            | `contentsFormat` | Format · 형식 | one of `markdown`, `json` |  | optional | How to read the contents. Absent means Markdown. |
            | `thumbnailUrl` | Thumbnail · 썸네일 | address (https, http or s3) |  | optional |  |
            | `state` | State · 상태 | one of `draft`, `published` |  | optional | Absent means published, as every post was before there were drafts. |
            | `publishAt` | Publish at · 게시 일시 | time, as `2025-11-14T03:00:00Z` |  | optional | When a published post is first shown. Absent means at once. |
            | `expiresAt` | Expires at · 만료 시각 | whole number | at least 0 | optional | The second since 1970 from which a notice is no longer shown. |
            | `slug` | Slug · 주소 이름 | text | 1 to 80 characters | optional | The post's name in addresses. |
            | `revision` | Revision · 수정 번호 | whole number | at least 0 | optional | Grows with every change of the post or its draft. |
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
            | `title` | Title · 제목 | text | 1 to 200 characters | required |
            | `contents` | Contents · 내용 | Markdown |  | required |
            | `contentsFormat` | Format · 형식 | one of `markdown`, `json` |  | optional |
            | `thumbnailUrl` | Thumbnail · 썸네일 | address (https, http or s3) |  | optional |
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
            | `title` | Title · 제목 | text | 1 to 200 characters | required |
            | `contents` | Contents · 내용 | Markdown |  | required |
            | `contentsFormat` | Format · 형식 | one of `markdown`, `json` |  | optional |
            | `thumbnailUrl` | Thumbnail · 썸네일 | address (https, http or s3) |  | optional |
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
            | `imgUri` | Image · 그림 | address (https, http or s3) |  | required |  |
            | `btn1Text` | First button · 첫째 버튼 | text | 0 to 40 characters | optional |  |
            | `btn2Text` | Second button · 둘째 버튼 | text | 0 to 40 characters | optional |  |
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
            | `name` | Name · 회사 이름 | text | 1 to 120 characters | optional |  |
            | `address` | Address · 주소 | text | 0 to 300 characters | optional |  |
            | `email` | Email · 이메일 | e-mail address |  | required | Where inquiries are sent. |
            | `fax` | Fax · 팩스 | text | 0 to 40 characters | optional |  |
            | `corpNum` | Registration number · 사업자등록번호 | text | 0 to 40 characters | optional | The business registration number. |
            | `ceo` | CEO · 대표 | text | 0 to 80 characters | optional |  |
            | `hp` | Home page · 홈페이지 | text | 0 to 200 characters | optional |  |
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
            | `name` | Name · 이름 | text | 1 to 80 characters | required |  |
            | `email` | Email · 이메일 | e-mail address |  | required |  |
            | `company` | Company · 회사 | text | 1 to 120 characters | required |  |
            | `title` | Position · 직책 | text | 1 to 80 characters | required | The visitor's position. |
            | `referral` | Referral · 유입 경로 | text | 1 to 120 characters | required | How the visitor found the site. |
            | `subject` | Subject · 제목 | text | 1 to 200 characters | required |  |
            | `message` | Message · 내용 | text | 1 to 5000 characters | required |  |
            | `status` | Status · 상태 | state: `new`, `in_progress`, `done` |  | default `new` |  |
            | `notifiedEmail` | Notified address · 알림 주소 | e-mail address |  | optional | The address whose mail server accepted the notification at that time. |
            | `firstReplyMessage` | First reply · 첫 답변 | text | 1 to 5000 characters | optional |  |
            | `spam` | Suspected spam · 스팸 의심 | true or false |  | optional | Kept aside for a manager to look at. No notification was sent. |
            | `consentVersion` | Consent version · 동의 버전 | text | 1 to 40 characters | optional | The version of the consent text that the visitor agreed to. |
            | `purgeAt` | Delete at · 삭제 예정 일시 | time, as `2025-11-14T03:00:00Z` |  | optional | The end of the retention period. |
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
            | `to` | To · 받는 사람 | text | 3 to 320 characters | required |
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

            Waiting mail · 발송 대기 메일

            A mail that is sent at its time.

            | Key | Is | Template |
            | --- | --- | --- |
            | `PK` | partition key | `OUTBOX` |
            | `SK` | sort key | `{id}` |
            | `Type` | partition key of `Type_CreatedAt` | `Outbox` |
            | `CreatedAt` | sort key of `Type_CreatedAt` | `{CreatedAt}` |

            | Attribute | Title | Type | Rules | Value | About |
            | --- | --- | --- | --- | --- | --- |
            | `id` | ID | text | 1 to 64 characters | required, immutable |  |
            | `inquiryId` | Inquiry · 문의 | text | 1 to 64 characters | required |  |
            | `dueAt` | Due at · 발송 예정 일시 | time, as `2025-11-14T03:00:00Z` |  | required | The time of the next attempt. A worker that sends the mail moves it ahead. |
            | `lease` | Lease · 임대 번호 | whole number | at least 0 | default `0` | Grows with every attempt. |
            | `Type` |  | text |  | always `Outbox` |  |
            | `CreatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of creation |  |
            | `UpdatedAt` |  | time, as `2025-11-14T03:00:00Z` |  | time of the last write |  |

            ## Access patterns

            | Pattern | Title | About | Returns | Arguments | Operation | On | Key condition | Order | Page | Consistency |
            | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
            | `mailsOfInquiry` | Mails of an inquiry · 문의의 메일 | The mails of an inquiry, oldest first. | InquiryMail | `inquiryId` (text) | Query | table | `PK = CONTACT#{inquiryId}, SK begins_with MAIL#` | `SK` ascending | 100 | strong |
            | `outbox` | Waiting mails · 발송 대기 | The mails that wait, oldest first. | Outbox |  | Query | table | `PK = OUTBOX` | `SK` ascending | 100 | strong |
            | `user` | User by ID · ID로 찾기 | One user. | User | `id` (text) | Get | table | `PK = USER#{id}, SK = METADATA` |  |  |  |
            | `users` | All users · 모든 사용자 | All users. | User |  | Query | `Type_CreatedAt` | `Type = User` | `CreatedAt` descending | 50 |  |
            | `category` | Category by ID · ID로 찾기 | One category. | Category | `id` (text) | Get | table | `PK = CATEGORY#{id}, SK = METADATA` |  |  |  |
            | `categoryBySlug` | Category by slug · 주소 이름으로 찾기 | The category that an address names. | Category | `slug` (text) | Lookup | table | `PK = UNIQUE#Category#slug#{slug}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |  |
            | `categories` | All categories · 모든 카테고리 | All categories. | Category |  | Query | `Type_CreatedAt` | `Type = Category` | `CreatedAt` descending | 50 |  |
            | `post` | Post by category and ID · 카테고리와 ID로 찾기 | One post of a category. | Post | `categoryId` (text)<br>`id` (text) | Get | table | `PK = CATEGORY#{categoryId}, SK = POST#{id}` |  |  |  |
            | `postById` | Post by ID · ID로 찾기 | The post that a link names. | Post | `id` (text) | Lookup | table | `PK = UNIQUE#Post#id#{id}, SK = UNIQUE`, then the item that `ownerPK` and `ownerSK` name |  |  |  |
            | `postsInCategory` | In a category · 카테고리별 | The posts of a category, by ID. | Post | `categoryId` (text) | Query | table | `PK = CATEGORY#{categoryId}, SK begins_with POST#` | `SK` ascending | 50 |  |
            | `posts` | All posts · 모든 글 | The posts of all categories. | Post | `from` (time, as `2025-11-14T03:00:00Z`, optional)<br>`to` (time, as `2025-11-14T03:00:00Z`, optional) | Query | `Type_CreatedAt` | `Type = Post, CreatedAt between {from} and {to}` | `CreatedAt` descending | 50 |  |
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
                    p2(["user"])
                    p4(["category"])
                    p5(["categoryBySlug"])
                    p7(["post"])
                    p8(["postById"])
                    p9(["postsInCategory"])
                    p11(["draft"])
                    p12(["postVersions"])
                    p13(["livePosts"])
                    p14(["postSlug"])
                    p15(["banner"])
                    p17(["corpInfo"])
                    p18(["contactInquiry"])
                end
                subgraph i0["index Type_CreatedAt"]
                    p3(["users"])
                    p6(["categories"])
                    p10(["posts"])
                    p16(["banners"])
                    p19(["contactInquiries"])
                end
                e0["User"]
                e1["Category"]
                e2["Post"]
                e3["Draft"]
                e4["PostVersion"]
                e5["LivePost"]
                e6["PostSlug"]
                e7["Banner"]
                e8["CorpInfo"]
                e9["ContactInquiry"]
                e10["InquiryMail"]
                e11["Outbox"]
                p0 -->|"Query"| e10
                p1 -->|"Query"| e11
                p2 -->|"Get"| e0
                p3 -->|"Query"| e0
                p4 -->|"Get"| e1
                p5 -->|"Lookup"| e1
                p6 -->|"Query"| e1
                p7 -->|"Get"| e2
                p8 -->|"Lookup"| e2
                p9 -->|"Query"| e2
                p10 -->|"Query"| e2
                p11 -->|"Get"| e3
                p12 -->|"Query"| e4
                p13 -->|"Query"| e5
                p14 -->|"Get"| e6
                p15 -->|"Get"| e7
                p16 -->|"Query"| e7
                p17 -->|"Get"| e8
                p18 -->|"Get"| e9
                p19 -->|"Query"| e9
            ```
        "##]],
    );
}
