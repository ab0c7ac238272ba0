//! The posts of the example.

/// A post.
pub(super) struct Example {
    pub(super) id: &'static str,
    pub(super) category: &'static str,
    pub(super) author: &'static str,
    pub(super) title: &'static str,
    pub(super) contents: &'static str,
    pub(super) picture: Option<&'static str>,
    pub(super) when: When,
    /// What an editor has added and not published.
    pub(super) draft: Option<&'static str>,
}

/// The time of publishing.
pub(super) enum When {
    /// This number of days ago.
    Ago(i64),
    /// In this number of hours.
    In(i64),
    /// It is a draft.
    Never,
}

const fn post(
    (id, category, author): (&'static str, &'static str, &'static str),
    title: &'static str,
    contents: &'static str,
    picture: Option<&'static str>,
    when: When,
) -> Example {
    Example { id, category, author, title, contents, picture, when, draft: None }
}

/// The posts, oldest first.
pub(super) const POSTS: [Example; 12] = [
    post(
        ("p001", "c002", "u003"),
        "3년을 기다린 된장",
        include_str!("posts/jang.md"),
        Some("jars"),
        When::Ago(74),
    ),
    post(
        ("p002", "c003", "u002"),
        "쌀값은 모내기 전에 정합니다",
        include_str!("posts/farm.md"),
        Some("fields"),
        When::Ago(61),
    ),
    post(
        ("p003", "c002", "u003"),
        "정오에 68도인 국",
        include_str!("posts/soup.md"),
        Some("soup"),
        When::Ago(47),
    ),
    post(
        ("p004", "c002", "u003"),
        "Nine side dishes, one box",
        include_str!("posts/english.md"),
        Some("table"),
        When::Ago(38),
    ),
    post(
        ("p005", "c004", "u001"),
        "백엔드 엔지니어를 찾습니다",
        include_str!("posts/engineer.md"),
        None,
        When::Ago(29),
    ),
    post(
        ("p006", "c003", "u002"),
        "새벽 2시에 시작하는 하루",
        include_str!("posts/team.md"),
        Some("people"),
        When::Ago(21),
    ),
    post(
        ("p007", "c004", "u001"),
        "청주 조리장 조리사 모집",
        include_str!("posts/cook.md"),
        None,
        When::Ago(13),
    ),
    Example {
        draft: Some(
            "\n## 자주 묻는 질문\n\n**국도 따로 주문할 수 있나요?** 네, 12월부터 국만 따로 주문할 수 있습니다.",
        ),
        ..post(
            ("p008", "c002", "u003"),
            "새 도시락 상자, 아홉칸",
            include_str!("posts/box.md"),
            Some("lunchbox"),
            When::Ago(8),
        )
    },
    post(("p009", "c001", "u002"), "연말연시 배송 안내", include_str!("posts/winter.md"), None, When::Ago(4)),
    post(
        ("p010", "c001", "u001"),
        "청주에 두 번째 조리장이 문을 열었습니다",
        include_str!("posts/kitchen.md"),
        Some("kitchen"),
        When::Ago(1),
    ),
    post(
        ("p011", "c002", "u003"),
        "봄 식단을 미리 보여 드립니다",
        include_str!("posts/spring.md"),
        None,
        When::In(50),
    ),
    post(
        ("p012", "c001", "u002"),
        "급식 안전 평가 최우수 등급",
        include_str!("posts/award.md"),
        None,
        When::Never,
    ),
];
