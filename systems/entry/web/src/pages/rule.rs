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

fn first_come(view: &View, settle: u64) -> Vec<String> {
    let order = view.say(
        "Places go by the time at which the queue took an entry, not by who was decided first. Your time is on the page of your entry.",
        "자리는 처리된 순서가 아니라 대기열이 응모를 받은 시각 순서로 드립니다. 그 시각은 내 응모 화면에 나옵니다.",
    );
    let before = match (settle, view.is_korean()) {
        (0, true) => "다른 사람보다 먼저".to_owned(),
        (0, false) => "before somebody".to_owned(),
        (_, true) => format!("다른 사람보다 {settle}초 넘게 먼저"),
        (1, false) => "more than 1 second before somebody".to_owned(),
        (_, false) => format!("more than {settle} seconds before somebody"),
    };
    let promise = match view.is_korean() {
        true => format!(
            "{before} 대기열에 들어왔다면, 그 사람이 마지막 자리를 얻고 내가 떨어지는 일은 없습니다. 그보다 가까운 응모끼리는 순서가 바뀔 수 있습니다."
        ),
        false => format!(
            "If you were queued {before}, they never get the last place while you are refused. Pages that are closer together may be taken in either order."
        ),
    };
    vec![order.to_owned(), promise, once(view)]
}

fn lottery(view: &View, winners: i64) -> Vec<String> {
    let winners = grouped(winners);
    let chance = match view.is_korean() {
        true => format!(
            "마감 전에 응모한 사람은 모두 같은 확률로 추첨에 참여합니다. 언제 응모했는지는 상관없습니다. {winners}명을 뽑습니다."
        ),
        false => format!(
            "Everybody who enters before the cut-off takes part with the same chance, however early they were. {winners} are drawn."
        ),
    };
    let seed = view.say(
        "A secret number, the seed, decides. It was chosen when the event was made, and its hash stands here since then: nobody, not even whoever runs this, can choose another one after the entries are known. The seed is published with the result, and anybody can draw again.",
        "비밀 숫자인 시드가 결과를 정합니다. 시드는 이벤트를 만들 때 정했고 그 해시를 그때부터 여기에 공개했습니다. 그래서 운영자를 포함한 누구도 응모를 본 뒤에 다른 시드를 고를 수 없습니다. 시드는 결과와 함께 공개하며 누구나 다시 추첨해 볼 수 있습니다.",
    );
    vec![chance, seed.to_owned(), once(view)]
}

fn once(view: &View) -> String {
    let once = view.say(
        "Everybody enters once. Whoever presses again is shown their first entry.",
        "한 사람이 한 번만 응모할 수 있습니다. 다시 누르면 처음 응모한 것을 보여 드립니다.",
    );
    once.to_owned()
}
