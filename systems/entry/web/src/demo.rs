//! Example events.

use hansang_command::Failure;
use hansang_entry::events::{Allocation, NewEvent, create};
use hansang_entry::{Entry, submit};
use jiff::SignedDuration;

/// Creates events around the current time; the first has more entries than seats.
pub(crate) async fn fill(entry: &Entry) -> Result<(), Failure> {
    let now = entry.db.clock().moment().now;
    let hours = |number: i64| now + SignedDuration::from_hours(number);
    let lottery = Allocation::Lottery { winners: 50, cutoff_at: hours(72) };
    for (id, title, opens_at, closes_at, allocation) in [
        ("launch-party", "Launch party / 출시 기념 파티", hours(-1), hours(168), Allocation::FirstCome(20)),
        ("concert-tickets", "Concert tickets / 콘서트 티켓 추첨", hours(-1), hours(96), lottery),
        ("spring-sale", "Spring sale / 봄 세일 선착순", hours(24), hours(48), Allocation::FirstCome(100)),
    ] {
        let new = NewEvent {
            id: Some(id.to_owned()),
            title: title.to_owned(),
            opens_at,
            closes_at,
            allocation,
            settle: None,
        };
        create(entry, new).await?;
    }
    for number in 1..=30 {
        submit(entry, "launch-party", &format!("guest-{number:02}")).await?;
        submit(entry, "concert-tickets", &format!("guest-{number:02}")).await?;
    }
    Ok(())
}
