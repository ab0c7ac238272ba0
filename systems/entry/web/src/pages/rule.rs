//! The rule of an event, as shown to participants.

use hansang_entry::{Event, EventType};

use super::words::grouped;
use hansang_ui::frame::View;

/// The allocation rule, one text per paragraph.
pub(super) fn rule(view: &View, event: &Event) -> Vec<String> {
    match event.event_type {
        EventType::FirstCome => first_come(view, event.settle.as_secs()),
        EventType::Lottery => lottery(view, event.winners.unwrap_or_default()),
    }
}

fn first_come(view: &View, window: u64) -> Vec<String> {
    let order = view.say(
        "Places go in the order in which entries were received. The time of yours is shown with your entry.",
        "응모가 접수된 순서대로 자리를 드립니다. 접수 시각은 내 응모에서 확인할 수 있습니다.",
    );
    let promise = match window {
        0 => view.fill(
            "An earlier entry never loses its place to a later one.",
            "먼저 접수된 응모가 나중에 접수된 응모에 밀려 탈락하지 않습니다.",
        ),
        _ => view.plural(
            window,
            "An entry that is more than {0} second earlier never loses its place to a later one. Entries closer together may be confirmed in either order.",
            "An entry that is more than {0} seconds earlier never loses its place to a later one. Entries closer together may be confirmed in either order.",
            "{0}초 넘게 먼저 접수된 응모는 나중에 접수된 응모에 밀려 탈락하지 않습니다. {0}초 이내의 응모끼리는 순서가 바뀔 수 있습니다.",
        ),
    };
    vec![order.to_owned(), promise.to_string(), once(view)]
}

fn lottery(view: &View, winners: i64) -> Vec<String> {
    let chance = view.plural(
        grouped(winners),
        "Everyone who enters before the event closes has the same chance, however early. {0} winner is drawn.",
        "Everyone who enters before the event closes has the same chance, however early. {0} winners are drawn.",
        "마감 전에 응모한 사람은 모두 같은 확률로 추첨에 참여합니다. 응모 순서는 상관없습니다. {0}명을 추첨합니다.",
    );
    let seed = view.say(
        "A secret seed, chosen when the event was created, decides the draw. Its hash has been published here ever since, so no one can replace the seed, not even the organizer. The seed is published with the results, and anyone can repeat the draw.",
        "이벤트를 만들 때 정한 비밀 시드로 추첨합니다. 시드의 해시는 처음부터 여기에 공개되어 있어 주최자를 포함한 누구도 시드를 바꿀 수 없습니다. 시드는 결과와 함께 공개되며 누구나 추첨을 재현해 확인할 수 있습니다.",
    );
    vec![chance.to_string(), seed.to_owned(), once(view)]
}

fn once(view: &View) -> String {
    let once = view.say("Each person can enter once.", "한 사람이 한 번만 응모할 수 있습니다.");
    once.to_owned()
}
