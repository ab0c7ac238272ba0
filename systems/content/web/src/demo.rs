//! An example site: a company that makes lunch boxes, with posts, banners and inquiries in several states.

use hansang_command::Failure;
use hansang_content::{
    BannerText, Content, CorpInfo, InquiryStatus, NewCategory, NewInquiry, NewPost, PostText, Publication,
    Save, SpamSign, UserRole, UserText, create_banner, create_category, create_post, create_user,
    publish_post, reply, save_corp_info, save_post, set_status, submit,
};
use hansang_core::Error;
use jiff::{SignedDuration, Timestamp};

use crate::desk::Desk;

mod posts;

use posts::{POSTS, When};

/// The people who write.
const USERS: [(&str, &str, UserRole); 4] = [
    ("u001", "김하나", UserRole::Admin),
    ("u002", "이두리", UserRole::Editor),
    ("u003", "박세나", UserRole::Editor),
    ("u004", "최네모", UserRole::Viewer),
];

const CATEGORIES: [(&str, &str, &str, &str); 4] = [
    ("c001", "회사 소식", "news", "조리장과 사람들, 새로운 일들을 전합니다."),
    ("c002", "제품 이야기", "products", "도시락과 장, 국을 어떻게 만드는지 들려드립니다."),
    ("c003", "사람과 땅", "stories", "함께 일하는 사람과 농가의 이야기입니다."),
    ("c004", "채용", "careers", "같이 일할 분을 기다립니다."),
];

/// The text and the path of a button.
type Button = Option<(&'static str, &'static str)>;

const BANNERS: [(&str, &str, &str, Button, Button); 3] = [
    (
        "점심에도 한 상을 차립니다",
        "밥과 국, 아홉 가지 반찬. 새벽에 지어 아침에 떠납니다.",
        "table",
        Some(("제품 이야기", "/categories/products")),
        Some(("주문 문의", "/contact")),
    ),
    (
        "청주에 두 번째 조리장이 문을 열었습니다",
        "이제 하루 2만 개, 충청과 대전까지 새벽에 배송합니다.",
        "kitchen",
        Some(("소식 보기", "/posts/청주에-두-번째-조리장이-문을-열었습니다")),
        None,
    ),
    (
        "3년을 기다린 장",
        "콩과 소금, 물. 그리고 볕과 시간.",
        "jars",
        Some(("장 이야기", "/posts/3년을-기다린-된장")),
        None,
    ),
];

/// Fills an empty table.
///
/// # Errors
/// When the store fails.
pub(crate) async fn fill(desk: &Desk) -> Result<(), Failure> {
    Ok(site(desk).await?)
}

async fn site(desk: &Desk) -> Result<(), Error> {
    let content = &desk.content;
    let text = |text: &str| Some(text.to_owned());
    let company = CorpInfo {
        name: text("한상푸드"),
        address: text("충청북도 청주시 청원구 오창읍 한상로 12"),
        email: text("hello@hansang.example"),
        fax: text("043-000-0001"),
        corp_num: text("000-00-00000"),
        ceo: text("김하나"),
        hp: text("https://hansang.example"),
        ..CorpInfo::default()
    };
    save_corp_info(content, &company).await?;
    for (id, name, role) in USERS {
        let text = UserText { display_name: name.to_owned(), role, ..UserText::default() };
        create_user(content, Some(id.to_owned()), &text).await?;
    }
    for (order, (id, title, slug, desc)) in (1..).zip(CATEGORIES) {
        let new = NewCategory {
            id: Some(id.to_owned()),
            title: title.to_owned(),
            desc: Some(desc.to_owned()),
            slug: Some(slug.to_owned()),
            order: Some(order),
        };
        create_category(content, new).await?;
    }
    for (title, desc, image, first, second) in BANNERS {
        let at = |path: &str| Some(format!("{}{path}", desk.settings.site));
        let text = BannerText {
            title: title.to_owned(),
            desc: Some(desc.to_owned()),
            img_uri: picture(image),
            btn1_text: first.map(|(text, _)| text.to_owned()),
            btn1_url: first.and_then(|(_, path)| at(path)),
            btn2_text: second.map(|(text, _)| text.to_owned()),
            btn2_url: second.and_then(|(_, path)| at(path)),
            ..BannerText::default()
        };
        create_banner(content, &text).await?;
    }
    write(desk).await?;
    inquiries(content, &desk.settings.consent.version).await
}

/// A picture of the example, which `demo/draw.py` has drawn.
pub(crate) fn file(name: &str) -> Option<&'static [u8]> {
    Some(match name {
        "fields.png" => include_bytes!("demo/fields.png"),
        "jars.png" => include_bytes!("demo/jars.png"),
        "kitchen.png" => include_bytes!("demo/kitchen.png"),
        "lunchbox.png" => include_bytes!("demo/lunchbox.png"),
        "people.png" => include_bytes!("demo/people.png"),
        "soup.png" => include_bytes!("demo/soup.png"),
        "table.png" => include_bytes!("demo/table.png"),
        _ => return None,
    })
}

/// The address of a picture of the example.
fn picture(name: &str) -> String {
    format!("/media/example/{name}.png")
}

/// The posts: most are published, one is due, one is a draft, and one has a draft beside it.
async fn write(desk: &Desk) -> Result<(), Error> {
    let content = &desk.content;
    let now = content.now();
    for post in POSTS {
        let text = PostText {
            title: post.title.to_owned(),
            contents: post.contents.replace("](/site/", &format!("]({}/", desk.settings.site)),
            thumbnail_url: post.picture.map(picture),
            ..PostText::default()
        };
        let new = NewPost {
            id: Some(post.id.to_owned()),
            category_id: post.category.to_owned(),
            author_id: post.author.to_owned(),
            text: text.clone(),
        };
        create_post(content, post.author, new).await?;
        let at = match post.when {
            When::Ago(days) => before(now, 24 * days + 5),
            When::In(hours) => before(now, -hours),
            When::Never => continue,
        };
        let publication = Publication { publish_at: Some(at), expires_at: None };
        let published = publish_post(content, post.author, post.id, publication, 1).await?;
        if let Some(more) = post.draft {
            let text = PostText { contents: format!("{}\n{more}\n", text.contents), ..published.text };
            let save = Save { text, revision: published.revision, keep: true };
            save_post(content, post.author, post.id, &save).await?;
        }
    }
    Ok(())
}

fn before(now: Timestamp, hours: i64) -> Timestamp {
    now - SignedDuration::from_hours(hours)
}

/// Inquiries: a new one, one that is being answered, one that is done, and one in quarantine.
async fn inquiries(content: &Content, consent: &str) -> Result<(), Error> {
    let new = |name: &str,
               email: &str,
               company: &str,
               title: &str,
               referral: &str,
               subject: &str,
               message: &str| {
        NewInquiry {
            name: name.to_owned(),
            email: email.to_owned(),
            company: company.to_owned(),
            title: title.to_owned(),
            referral: referral.to_owned(),
            subject: subject.to_owned(),
            message: message.to_owned(),
            consent_version: consent.to_owned(),
            ..NewInquiry::default()
        }
    };
    let done = new(
        "오지훈",
        "jihoon@example.com",
        "다온회계법인",
        "총무팀장",
        "지인 소개",
        "매주 금요일 도시락 45개",
        "매주 금요일 점심에 45개를 받고 싶습니다. 채식 3개가 필요하고, 세금계산서는 월말에 한 번에 부탁드립니다.",
    );
    let done = submit(content, &done).await?;
    set_status(content, &done.id, InquiryStatus::Done, None).await?;
    let begun = new(
        "Emma Lindqvist",
        "emma@example.org",
        "Nordlys Korea",
        "Office manager",
        "Search",
        "Boxes for a workshop",
        "We have a workshop for 30 people on the 12th. Could you deliver to Songdo by 11:30? Four people are vegetarian, \
         one is allergic to peanuts.",
    );
    let begun = submit(content, &begun).await?;
    reply(
        content,
        "u002",
        &begun.id,
        "Thank you, Emma. Yes, we can deliver to Songdo by 11:15. Our Namul box has no peanuts and is made apart. \
         May I send you a quote for 26 + 4 boxes?",
    )
    .await?;
    let fresh = new(
        "박서준",
        "seojun@example.com",
        "서준상회",
        "대표",
        "인스타그램",
        "된장 납품 문의",
        "작은 식료품점을 하고 있습니다. 3년 된장을 500g 단위로 납품받을 수 있을까요? 한 달에 60병쯤 예상합니다.",
    );
    submit(content, &fresh).await?;
    let spam = NewInquiry {
        spam: vec![SpamSign::Links],
        ..new(
            "SEO Expert",
            "rank@example.net",
            "Top Rank",
            "Growth",
            "web",
            "Get to page one",
            "We can bring your site to page one in seven days. https://rank.example https://more.example https://offer.example",
        )
    };
    submit(content, &spam).await?;
    Ok(())
}
