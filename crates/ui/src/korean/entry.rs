//! What events say: why an entry is not taken, why an operator cannot do something, what became of a request, and what
//! the queue behind them says.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // Entering.
    ("there is no event `{}`", "`{0}` 이벤트가 없습니다"),
    ("the event `{}` opens at {}: come back then", "`{0}` 이벤트는 {1}에 시작합니다. 그때 다시 방문하세요"),
    (
        "the event `{}` is paused: try again when it goes on",
        "`{0}` 이벤트는 일시 중지되었습니다. 다시 진행되면 응모하세요",
    ),
    ("the event `{}` takes no more entries", "`{0}` 이벤트는 더 이상 응모를 받지 않습니다"),
    (
        "this entry token is not valid for you, or its time is over: get a new one",
        "내 응모 토큰이 아니거나 시간이 지났습니다. 새로 받으세요",
    ),
    (
        "nobody needs an entry token here: enter without one",
        "이 서버에서는 응모 토큰이 필요하지 않습니다. 토큰 없이 응모하세요",
    ),
    (
        "it is not known whether the entry was taken: enter again",
        "응모가 접수되었는지 알 수 없습니다. 다시 응모해 주세요",
    ),
    ("the store took too long to write a place down", "저장소가 순번을 제때 기록하지 못했습니다"),
    ("there is no such request of yours", "내 응모 중에 해당하는 것이 없습니다"),
    // Making and changing events.
    (
        "a FIRST_COME event has `capacityTotal`, a LOTTERY has `winners` and `lotteryCutoffAt`, \
         and none has what is the other's",
        "FIRST_COME 이벤트에는 `capacityTotal`만, LOTTERY 이벤트에는 `winners`와 `lotteryCutoffAt`만 쓰세요",
    ),
    (
        "an event is FIRST_COME or LOTTERY, not `{}`",
        "이벤트 유형은 FIRST_COME 또는 LOTTERY이며 `{0}`은 없습니다",
    ),
    (
        "an event is open, paused, closed or announced, not `{}`",
        "이벤트 상태는 open, paused, closed, announced 중 하나이며 `{0}`은 없습니다",
    ),
    ("an event closes after it opens", "마감 시각은 시작 시각보다 뒤여야 합니다"),
    ("an event has no places or some, not fewer", "정원은 0 이상이어야 합니다"),
    ("a lottery draws nobody or some, not fewer", "당첨 인원은 0 이상이어야 합니다"),
    (
        "the cut-off of a lottery lies between its opening and its closing",
        "추첨 응모 마감은 시작 시각과 마감 시각 사이여야 합니다",
    ),
    (
        "there is an event `{}` already: choose another name",
        "`{0}` 이벤트가 이미 있습니다. 다른 이름을 쓰세요",
    ),
    (
        "`{}` was drawn already: its winners are fixed",
        "`{0}` 이벤트는 이미 추첨해서 당첨자를 바꿀 수 없습니다",
    ),
    (
        "{} places of `{}` were given already: it cannot have {}",
        "`{1}` 이벤트에서 이미 {0}자리를 배정했습니다. 정원을 {2}(으)로 줄일 수 없습니다",
    ),
    (
        "places are being given too fast: pause the event, or try again",
        "자리가 너무 빠르게 배정되고 있습니다. 이벤트를 일시 중지하거나 다시 시도하세요",
    ),
    ("the places of the event were changed meanwhile", "그 사이에 이벤트의 정원이 바뀌었습니다"),
    (
        "`{}` can be announced once it is closed, and it is {}",
        "`{0}` 이벤트는 마감한 뒤에 발표할 수 있습니다. 지금 상태: {1}",
    ),
    (
        "not everybody has a result in `{}` yet: announce it when all have",
        "`{0}` 이벤트에 아직 결과가 없는 응모가 있습니다. 모두 정해지면 발표하세요",
    ),
    ("`{}` is {} and cannot become {}", "`{0}` 이벤트는 {1} 상태라서 {2} 상태로 바꿀 수 없습니다"),
    ("an operator changed the event: it is drawn in a moment", "운영자가 이벤트를 바꿨습니다. 곧 추첨합니다"),
    ("somebody else changed the event: look at it again", "다른 사람이 이벤트를 바꿨습니다. 다시 확인하세요"),
    // Deciding and drawing.
    ("another process decides this event now", "지금은 다른 프로세스가 이 이벤트를 처리하고 있습니다"),
    (
        "a request was put back while it was decided: it is decided again",
        "처리하는 사이에 응모가 대기열로 돌아갔습니다. 곧 다시 처리합니다",
    ),
    (
        "the draw of `{}` is public when its result is announced",
        "`{0}` 이벤트의 추첨 내역은 결과를 발표할 때 공개됩니다",
    ),
    (
        "`{}` is no lottery: its places go to those who came first",
        "`{0}` 이벤트는 추첨이 아니라 선착순입니다",
    ),
    ("the event `{}` is paused: resume it first", "`{0}` 이벤트는 일시 중지되었습니다. 먼저 다시 진행하세요"),
    ("`{}` can be drawn from {} on", "`{0}` 이벤트는 {1}부터 추첨할 수 있습니다"),
    (
        "`{}` is being drawn, or waits for entries on their way: look again in a moment",
        "`{0}` 이벤트는 추첨 중이거나 접수 중인 응모를 기다리고 있습니다. 잠시 뒤에 다시 확인하세요",
    ),
    ("the draw was not written: try again", "추첨을 기록하지 못했습니다. 다시 시도하세요"),
    ("the seed is not 64 hexadecimal digits", "시드가 16진수 64자리가 아닙니다"),
    ("the seed is not the one whose hash was published", "시드가 미리 공개한 해시와 맞지 않습니다"),
    (
        "the entries are not in order, or one stands twice",
        "응모 목록의 순서가 다르거나 같은 응모가 두 번 있습니다",
    ),
    ("the entries are not those of the published hash", "응모 목록이 공개한 해시와 맞지 않습니다"),
    ("the winners are others when it is drawn again", "다시 추첨하면 당첨자가 다릅니다"),
    // What became of requests.
    (
        "this request is {}: only one that failed can be sent again",
        "이 응모는 {0} 상태입니다. 실패한 응모만 다시 보낼 수 있습니다",
    ),
    ("a request is never `{}`", "응모 상태에 `{0}`은 없습니다"),
    (
        "the request went on in the meantime: read it again",
        "그 사이에 응모 상태가 바뀌었습니다. 다시 확인하세요",
    ),
    ("an operator sent it again", "운영자가 다시 보냈습니다"),
    ("the user entered again", "사용자가 다시 응모했습니다"),
    ("the queue did not take the request: enter again", "대기열에 접수하지 못했습니다. 다시 응모하세요"),
    ("the entry came to the queue only after the draw", "추첨이 끝난 뒤에 대기열에 도착했습니다"),
    ("it could not be decided", "처리하지 못했습니다"),
    ("it stays undecided", "결과가 정해지지 않습니다"),
    ("{} workers began to decide this request and stopped", "워커 {0}개가 이 응모를 처리하다가 멈췄습니다"),
    ("{} stopped before it was decided", "{0} 워커가 결과를 정하기 전에 멈췄습니다"),
    // Messages.
    ("this is no message about a request", "응모에 대한 메시지가 아닙니다"),
    ("there is no such request of this event", "이 이벤트에 해당하는 응모가 없습니다"),
    ("it was delivered too often without being acknowledged", "확인 없이 너무 여러 번 전달되었습니다"),
];
