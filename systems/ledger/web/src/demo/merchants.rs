//! Where the example household spends its money.

/// A merchant and what is spent there in a month.
pub(super) struct Merchant {
    pub(super) category: &'static str,
    pub(super) text: &'static str,
    /// How often: the least and the most.
    pub(super) times: (i64, i64),
    /// The smallest amount.
    pub(super) least: i64,
    /// The largest amount.
    pub(super) most: i64,
    pub(super) can_refund: bool,
}

const fn at(
    category: &'static str,
    text: &'static str,
    times: (i64, i64),
    (least, most): (i64, i64),
) -> Merchant {
    Merchant { category, text, times, least, most, can_refund: false }
}

const fn online(
    category: &'static str,
    text: &'static str,
    times: (i64, i64),
    (least, most): (i64, i64),
) -> Merchant {
    Merchant { can_refund: true, ..at(category, text, times, (least, most)) }
}

/// Merchants of living expenses: the first half is his, the second hers.
pub(super) const LIVING: [Merchant; 20] = [
    at("식비", "이마트 성수점", (2, 3), (58_000, 132_000)),
    at("식비", "김밥천국 서울숲점", (2, 4), (7_500, 14_000)),
    at("식비", "GS25 성수역점", (2, 4), (2_800, 9_900)),
    at("식비", "배달의민족", (1, 3), (18_900, 34_000)),
    at("교통비", "티머니 교통카드", (1, 1), (62_000, 78_000)),
    at("교통비", "GS칼텍스 주유", (1, 2), (50_000, 70_000)),
    at("문화생활", "교보문고 강남점", (0, 2), (13_500, 32_000)),
    at("의료비", "서울숲내과의원", (0, 1), (6_300, 18_400)),
    online("기타", "무신사", (0, 1), (29_900, 89_000)),
    at("기타", "블루클럽 이발", (1, 1), (15_000, 15_000)),
    at("식비", "마켓컬리", (2, 3), (38_000, 76_000)),
    at("식비", "스타벅스 성수역점", (3, 6), (4_500, 11_300)),
    at("식비", "본죽 성수점", (0, 2), (9_500, 19_000)),
    at("식비", "파리바게뜨", (1, 3), (6_200, 21_000)),
    at("교통비", "카카오T 택시", (1, 3), (6_800, 17_600)),
    at("문화생활", "CGV 왕십리", (0, 2), (15_000, 34_000)),
    at("의료비", "온누리약국", (0, 2), (3_500, 14_000)),
    online("생활용품", "쿠팡", (2, 4), (9_900, 54_000)),
    at("생활용품", "다이소 뚝섬점", (1, 2), (3_000, 16_000)),
    at("기타", "헤어살롱 준오", (0, 1), (38_000, 120_000)),
];

/// The rows of an imported file: day, time, type, category, text, amount.
pub(super) const IMPORTED: [(i64, &str, &str, &str, &str, i64); 12] = [
    (2, "08:41", "지출", "카페/간식", "메가커피 성수점", -2_000),
    (2, "12:24", "지출", "식비", "명동칼국수", -11_000),
    (3, "18:52", "지출", "교통", "카카오T 택시", -9_800),
    (5, "20:13", "지출", "식비", "교촌치킨 성수점", -23_000),
    (7, "00:00", "이체", "이체", "여행 통장", -150_000),
    (9, "14:05", "지출", "의료/건강", "연세치과의원", -48_000),
    (11, "19:30", "지출", "문화/여가", "메가박스 성수", -30_000),
    (12, "10:02", "지출", "생활", "올리브영", -27_400),
    (13, "10:40", "지출", "생활", "올리브영 취소", 27_400),
    (18, "21:47", "지출", "식비", "쿠팡이츠", -26_500),
    (22, "13:10", "지출", "카페/간식", "블루보틀 성수", -13_600),
    (27, "09:15", "지출", "교통", "코레일 KTX", -59_800),
];
