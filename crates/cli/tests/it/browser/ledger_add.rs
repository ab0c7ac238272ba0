//! Quick add on a bad line: slow, broken, or gone; and lines that the server refuses.

use serde_json::{Value as Json, json};

use super::console::{administrator, demo};
use super::ledger::set_offline;
use super::{Browser, Visitor};
use crate::serve::{self, Server};

const PHONE: Visitor = Visitor { language: "ko", dark: false, width: 390, height: 844, scripts: true };

/// Types an amount and a note, and does not save them.
fn type_in(browser: &Browser, amount: &str, text: &str) {
    let script = "const [form, set] = [document.getElementById('add'), (input, value) => {
            input.value = value;
            input.dispatchEvent(new Event('input', { bubbles: true }));
        }];
        set(form.amount, arguments[0]);
        set(form.text, arguments[1]);";
    browser.run(script, &[amount.into(), text.into()]);
}

/// The content of the fields.
fn typed(browser: &Browser) -> Json {
    browser
        .run("const form = document.getElementById('add'); return [form.amount.value, form.text.value]", &[])
}

fn online(browser: &Browser) {
    browser.run("dispatchEvent(new Event('online'))", &[]);
}

/// The amounts of the lines with a note, as the API has them.
fn amounts(browser: &Browser, text: &str) -> Vec<i64> {
    let lines = lines(browser, text);
    lines.iter().map(|line| line["amount"].as_i64().unwrap()).collect()
}

fn lines(browser: &Browser, text: &str) -> Vec<Json> {
    let script = "const [text, done] = arguments;
        const month = document.getElementById('add').date.value.slice(0, 7).replace('-', '.');
        fetch(`/api/ledger/lines?from=${month}&to=${month}&q=${encodeURIComponent(text)}`)
            .then((response) => response.json()).then((found) => done(found.items));";
    serde_json::from_value(browser.run_async(script, &[text.into()])).unwrap()
}

/// A line of 16 KB a second with 400 ms on the way.
#[test]
fn a_slow_line_saves_an_amount() {
    let (_directory, server) = demo();
    let browser = administrator(&server, PHONE);
    let slow =
        json!({ "offline": false, "latency": 400, "downloadThroughput": 16_000, "uploadThroughput": 16_000 });
    browser.tell("Network.enable", json!({}));
    browser.tell("Network.emulateNetworkConditions", slow);
    browser.go("/console/ledger/add");
    type_in(&browser, "12000+3500", "느린 기차");
    browser.click("저장");
    // The next one can be typed before the answer is there.
    type_in(&browser, "800", "자판기");
    browser.sees("저장했습니다.");
    assert_eq!(typed(&browser), json!(["800", "자판기"]));
    browser.click("저장");
    browser.does_not_see("1건 전송 대기");
    set_offline(&browser, false);
    browser.until(|| match &*amounts(&browser, "자판기") {
        [800] => Ok(()),
        other => Err(format!("{other:?}")),
    });
    assert_eq!(amounts(&browser, "느린 기차"), [15_500]);
}

/// The server is gone: the page opens again with what was typed and what waits, and sends it once when the server is back.
#[test]
fn what_is_typed_survives_reloads_without_a_server() {
    let (_directory, data) = serve::temporary_data();
    let server = Server::start(&data, &["--demo"]);
    let address = server.address.clone();
    let browser = administrator(&server, PHONE);
    browser.go("/console/ledger/add");
    let kept = "const done = arguments[0];
        navigator.serviceWorker.ready.then(() => caches.open('hansang-ledger-add'))
            .then((cache) => cache.keys()).then((keys) => done(keys.length));";
    browser.until(|| match browser.run_async(kept, &[]).as_u64() {
        Some(3..) => Ok(()),
        other => Err(format!("the page is not kept: {other:?}")),
    });
    drop(server);
    type_in(&browser, "9000", "지하철 안에서");
    browser.go("/console/ledger/add");
    browser.sees("빠른 입력");
    assert_eq!(typed(&browser), json!(["9000", "지하철 안에서"]));
    browser.click("저장");
    browser.sees("오프라인입니다.");
    type_in(&browser, "70", "아직 저장 전");
    browser.go("/console/ledger/add");
    browser.sees("1건 전송 대기");
    assert_eq!(typed(&browser), json!(["70", "아직 저장 전"]));
    let _server = Server::again(&address, &data, &["--demo"]);
    online(&browser);
    browser.does_not_see("1건 전송 대기");
    assert_eq!(typed(&browser), json!(["70", "아직 저장 전"]));
    assert_eq!(amounts(&browser, "지하철 안에서"), [9000]);
    assert!(amounts(&browser, "아직 저장 전").is_empty());
}

/// The server has the line and the phone does not know: it is not added again, also after somebody corrected it.
#[test]
fn a_line_whose_response_was_lost_is_sent_once() {
    let (_directory, server) = demo();
    let browser = administrator(&server, PHONE);
    browser.go("/console/ledger/add");
    let lose = "const send = window.send = window.fetch;
        window.fetch = async (...what) => {
            const response = await send(...what);
            if (what[1]?.method !== 'POST') return response;
            await response.text();
            throw new TypeError('the response is lost');
        };";
    for (amount, text) in [("7000", "영수증 없는 커피"), ("8000", "고친 커피")] {
        browser.run(lose, &[]);
        type_in(&browser, amount, text);
        browser.click("저장");
        browser.sees("1건 전송 대기");
        browser.until(|| match lines(&browser, text).len() {
            1 => Ok(()),
            other => Err(format!("{other} lines")),
        });
        if text == "고친 커피" {
            correct(&browser, &lines(&browser, text)[0]);
        }
        browser.run("window.fetch = window.send", &[]);
        online(&browser);
        browser.does_not_see("1건 전송 대기");
        browser.does_not_see("확인이 필요한 내역");
    }
    assert_eq!(amounts(&browser, "영수증 없는 커피"), [7000]);
    assert_eq!(amounts(&browser, "고친 커피"), [8500]);
}

/// Somebody changes the amount of a line to 8,500.
fn correct(browser: &Browser, line: &Json) {
    let change = "const [path, done] = arguments;
        const headers = { 'content-type': 'application/json', 'x-csrf-token': document.getElementById('add').csrf.value };
        fetch(path, { method: 'PATCH', headers, body: JSON.stringify({ amount: 8500 }) })
            .then((response) => done(response.status));";
    let [month, id] = ["month", "lineId"].map(|name| line[name].as_str().unwrap());
    assert_eq!(browser.run_async(change, &[format!("/api/ledger/lines/{month}/{id}").into()]), 200);
}

/// A kept line that the server refuses waits for a person, and leaves alone what is being typed.
#[test]
fn a_refused_line_waits_below_the_form() {
    let (_directory, server) = demo();
    let browser = administrator(&server, PHONE);
    browser.go("/console/ledger/add");
    set_offline(&browser, true);
    type_in(&browser, "12a", "잘못 쓴 금액");
    browser.click("저장");
    browser.sees("1건 전송 대기");
    type_in(&browser, "3000", "새 커피");
    set_offline(&browser, false);
    online(&browser);
    browser.sees("확인이 필요한 내역");
    browser.sees("잘못 쓴 금액");
    browser.does_not_see("1건 전송 대기");
    assert_eq!(typed(&browser), json!(["3000", "새 커피"]));
    browser.accessible();
    // It survives a reload, and does not push away what is being typed.
    browser.go("/console/ledger/add");
    browser.sees("확인이 필요한 내역");
    browser.click("고치기");
    browser.sees("입력 중인 내용을 먼저 저장하거나 지우세요.");
    assert_eq!(typed(&browser), json!(["3000", "새 커피"]));
    browser.click("저장");
    browser.sees("저장했습니다.");
    browser.click("고치기");
    assert_eq!(typed(&browser), json!(["12a", "잘못 쓴 금액"]));
    browser.does_not_see("확인이 필요한 내역");
    type_in(&browser, "12000", "잘못 쓴 금액");
    browser.click("저장");
    browser.sees("저장했습니다.");
    assert_eq!((amounts(&browser, "새 커피"), amounts(&browser, "잘못 쓴 금액")), (vec![3000], vec![12_000]));
    // Puts the last entry back into the empty form.
    type_in(&browser, "1b", "바로 고칠 금액");
    browser.click("저장");
    browser.until(|| match typed(&browser) {
        back if back == json!(["1b", "바로 고칠 금액"]) => Ok(()),
        other => Err(format!("{other}")),
    });
}
