//! The rest of what staff do on an evening, tap by tap in a real browser, and taken back: house rules, results, tables out
//! of service, seats of leavers.

use harness::{Browser, Party, eventually};
use serde_json::{Value, json};

use crate::floor::{Floor, card, choose, turn_to, undo};

async fn at(floor: &Floor) -> Browser {
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&floor.app).await;
    browser
}

async fn seat(floor: &Floor, browser: &Browser, table: usize, size: usize) {
    browser.press(&format!("{} button[value='{size}']", card(&floor.tables[table]))).await;
    browser.sees("Seated: ").await;
}

#[tokio::test]
async fn a_match_by_the_houses_rules_starts_with_a_tap() {
    let floor = Floor::open(1).await;
    let new = json!({ "game": "perudo", "name": "Friday night", "options": { "calza": true } });
    let rules = floor.owner.post("/variants", new).await.is(201)["id"].as_str().expect("an id").to_owned();
    let browser = at(&floor).await;
    seat(&floor, &browser, 0, 3).await;
    let first = card(&floor.tables[0]);
    turn_to(&browser, &first, "play").await;
    // A draft is nothing to play by.
    let offered = "return document.querySelector('.sheet-of').textContent.includes('Friday night')";
    assert_eq!(browser.run(offered).await, false);
    floor.owner.post(&format!("/variants/{rules}/publish"), json!({})).await.is(200);
    turn_to(&browser, &first, "play").await;
    browser.press_saying(".sheet-of form[action$=matches] button", "Friday night").await;
    browser.sees("A match waits for players").await;
    assert!(browser.says(&first).await.contains("Friday night"));
    let made = floor.now(0).await["matches"][0].clone();
    assert_eq!((&made["variant_id"], &made["seats"]), (&json!(rules), &json!(3)));
    undo(&browser).await;
    assert_eq!(floor.now(0).await["matches"], json!([]));
    assert!(!browser.says(&first).await.contains("Friday night"));
    browser.close().await;
}

#[tokio::test]
async fn what_parties_want_is_answered_from_the_queue_and_taken_back() {
    let floor = Floor::open(1).await;
    let browser = at(&floor).await;
    seat(&floor, &browser, 0, 3).await;
    let first = card(&floor.tables[0]);
    let closing = async || !floor.party(0).await["closing_at"].is_null();

    turn_to(&browser, &first, "leave").await;
    browser.press_saying(".sheet-of button", "Start clearing").await;
    browser.sees("Being cleared: Deck 1").await;
    undo(&browser).await;
    assert!(!closing().await);
    turn_to(&browser, &first, "leave").await;
    browser.press_saying(".sheet-of button", "Start clearing").await;
    browser.sees("Being cleared: Deck 1").await;
    turn_to(&browser, &first, "leave").await;
    browser.press_saying(".sheet-of button", "They stay").await;
    browser.sees("They stay: Deck 1").await;
    assert!(!closing().await);
    undo(&browser).await;
    assert!(closing().await);
    turn_to(&browser, &first, "leave").await;
    browser.press_saying(".sheet-of button", "They stay").await;
    browser.sees("They stay: Deck 1").await;

    floor.call_from(0, "rules").await;
    browser.sees("Explain the rules").await;
    browser.press_saying("#queue button", "On my way").await;
    browser.sees("They know that you are on your way").await;
    undo(&browser).await;
    browser.press_saying("#queue button", "On my way").await;
    browser.press_saying("#queue button", "Settled").await;
    browser.sees("Nothing needs you right now.").await;

    let long = "UPDATE sittings SET remind_at = now() - interval '1 minute' WHERE closed_at IS NULL";
    floor.app.database().with(|client| client.batch_execute(long)).expect("somebody sits there");
    browser.go(&format!("{}/admin", floor.app.url())).await;
    browser.press_saying("#queue button", "Ask in an hour").await;
    browser.sees("You will be asked again in an hour: Deck 1").await;
    browser.sees("Nothing needs you right now.").await;
    undo(&browser).await;
    browser.find("#queue .need").await;
    browser.close().await;
}

#[tokio::test]
async fn a_table_goes_out_of_service_and_comes_back() {
    let floor = Floor::open(1).await;
    let browser = at(&floor).await;
    let (id, first) = (&floor.tables[0], card(&floor.tables[0]));
    let reason = async || floor.owner.get(&format!("/tables/{id}")).await.is(200)["out_of_service"].clone();
    let take_out = async || {
        browser.go(&format!("{}/admin/tables", floor.app.url())).await;
        browser.press(&format!("#t{id} details.more > summary")).await;
        browser.fill(&format!("#reason-{id}"), "A wobbly leg").await;
        browser.press_saying(&format!("#t{id} button"), "Out of service").await;
        browser.sees("Out of service: Deck 1").await;
        assert_eq!(reason().await, "A wobbly leg");
    };
    take_out().await;
    undo(&browser).await;
    assert_eq!(reason().await, Value::Null);
    take_out().await;
    browser.go(&format!("{}/admin", floor.app.url())).await;
    let told = async || browser.says(&first).await.contains("A wobbly leg").then_some(());
    eventually("the reason on the table's card", told).await;
    choose(&browser, &first).await;
    browser.press_saying(".sheet-of button", "Back in service").await;
    browser.sees("Back in service: Deck 1").await;
    assert_eq!(reason().await, Value::Null);
    undo(&browser).await;
    assert_eq!(reason().await, "A wobbly leg");
    browser.close().await;
}

#[tokio::test]
async fn what_came_of_a_form_is_told_in_sight_of_it() {
    let floor = Floor::open(12).await;
    let last = &floor.tables[11];
    floor.owner.post(&format!("/tables/{last}/sittings"), json!({ "party_size": 2 })).await.is(201);
    let browser = Browser::open(1440, 900, "en").await;
    browser.sign_in(&floor.app).await;
    let open = async || {
        browser.go(&format!("{}/admin/tables", floor.app.url())).await;
        browser.press(&format!("#t{last} details.more > summary")).await;
    };
    let is_in_sight = async |kind: &str| {
        let seen = format!(
            "const {{ top, bottom }} = document.querySelector('#told .note.{kind}')?.getBoundingClientRect() ?? {{}};
            return scrollY > 0 && top >= 0 && bottom <= innerHeight"
        );
        eventually(&format!("a {kind} note in sight"), async || (browser.run(&seen).await == true).then_some(())).await;
    };
    let area = async || floor.owner.get(&format!("/tables/{last}")).await.is(200)["area"].clone();
    open().await;
    browser.fill(&format!("#area-{last}"), "Attic").await;
    browser.press(&format!("#t{last} .form .button.main")).await;
    is_in_sight("good").await;
    assert_eq!(area().await, "Attic");
    undo(&browser).await;
    assert_eq!(area().await, Value::Null);
    open().await;
    browser.press(&format!("#t{last} form[action$='/archive'] button")).await;
    is_in_sight("bad").await;
    browser.close().await;
}

#[tokio::test]
async fn a_second_tap_sends_nothing_twice_and_a_large_party_is_seated() {
    let floor = Floor::open(1).await;
    let table = format!("/tables/{}", floor.tables[0]);
    floor.owner.patch(&table, json!({ "seats": 16 })).await.is(200);
    let browser = at(&floor).await;
    choose(&browser, &card(&floor.tables[0])).await;
    browser.press(".sheet-of button[value='15']").await;
    browser.sees("15 of 16").await;
    // News may show the table before the answer to the tap does.
    browser.find(".note .undo").await;
    let twice = "const form = document.querySelector('.note .undo'), real = window.fetch; \
        window.sent = 0; window.fetch = (...it) => { sent += it[1]?.method === 'POST'; return real(...it); }; \
        const submitter = form.querySelector('button'); \
        const tap = () => form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter })); \
        tap(); tap(); return sent;";
    assert_eq!(browser.run(twice).await, 1);
    browser.close().await;
}

#[tokio::test]
async fn the_floor_stays_up_to_date_beside_every_page_of_a_sheet() {
    let floor = Floor::open(6).await;
    let first = card(&floor.tables[0]);
    let (browser, other) = (at(&floor).await, at(&floor).await);
    seat(&floor, &browser, 0, 2).await;
    for (page, table) in ["play", "boxes", "move", "leave"].into_iter().zip(&floor.tables[1..]) {
        turn_to(&browser, &first, page).await;
        other.press(&format!("{} button[value='3']", card(table))).await;
        let is_told = async || browser.says(&card(table)).await.contains("3 of 4").then_some(());
        eventually(&format!("the party beside the page {page}"), is_told).await;
        browser.find(&format!(".sheet-of[id$='-{page}']")).await;
    }
    // A sheet goes with its table.
    let last = &floor.tables[5];
    choose(&browser, &card(last)).await;
    browser.press(".sheet-of .keys a[href$='sheet=boxes']").await;
    browser.find(".sheet-of[id$='-boxes']").await;
    floor.owner.patch(&format!("/tables/{last}"), json!({ "archived": true })).await.is(200);
    let gone = format!("return !document.querySelector('{}, .sheet-of')", card(last));
    eventually("the sheet to go", async || (browser.run(&gone).await == true).then_some(())).await;
    for browser in [browser, other] {
        browser.close().await;
    }
}

#[tokio::test]
async fn no_name_makes_the_sheet_wider_than_its_place() {
    let floor = Floor::open(2).await;
    let name = json!({ "name": "W".repeat(40) });
    floor.owner.patch(&format!("/tables/{}", floor.tables[1]), name).await.is(200);
    let browser = at(&floor).await;
    seat(&floor, &browser, 0, 2).await;
    for table in &floor.tables {
        choose(&browser, &card(table)).await;
        let over = "const sheet = document.querySelector('.sheet-of'); \
            return [...sheet.querySelectorAll('button, a')].filter(it => \
            it.getBoundingClientRect().right > sheet.getBoundingClientRect().right).length";
        assert_eq!(browser.run(over).await, 0);
    }
    browser.close().await;
}

#[tokio::test]
async fn a_match_with_real_dice_is_made_at_the_table_and_taken_back() {
    let floor = Floor::open(1).await;
    let browser = at(&floor).await;
    seat(&floor, &browser, 0, 4).await;
    turn_to(&browser, &card(&floor.tables[0]), "play").await;
    browser.press(".sheet-of a[href$='sheet=write']").await;
    browser.fill("#scored-title", "Splendor").await;
    browser.press_saying(".sheet-of form button", "Make it").await;
    browser.sees("A match waits for players").await;
    let made = floor.now(0).await["matches"][0]["id"].as_str().expect("it is at the table").to_owned();
    let made = floor.owner.get(&format!("/matches/{made}")).await.is(200);
    assert_eq!((&made["game"], &made["mode"]), (&json!("other"), &json!("scored")));
    undo(&browser).await;
    assert_eq!(floor.now(0).await["matches"], json!([]));
    browser.close().await;
}

#[tokio::test]
async fn a_result_is_confirmed_from_the_queue() {
    let floor = Floor::open(1).await;
    let browser = at(&floor).await;
    let mut party = Party::gather_for(&floor.app, json!({ "game": "perudo", "seats": 2, "mode": "scored" })).await;
    party.begin().await;
    party.players[0].post(&party.path("/result"), json!({ "ranks": [2, 1] })).await.is(200);
    browser.press_saying("#queue a.button", "See the result").await;
    browser.arrives(&format!("/admin/matches/{}", party.id)).await;
    browser.press_saying("#result button", "Confirm this result").await;
    browser.sees("The result is confirmed.").await;
    let over = party.look().await;
    assert_eq!((&over["status"], &over["outcome"]["ranks"]), (&json!("finished"), &json!([2, 1])));
    browser.press(".brand").await;
    browser.sees("Nothing needs you right now.").await;
    browser.close().await;
}

#[tokio::test]
async fn a_player_is_taken_off_their_seat_which_is_offered_to_another() {
    let floor = Floor::open(1).await;
    let browser = at(&floor).await;
    let party = Party::start(&floor.app, "perudo", 3, json!({})).await;
    let zoe = floor.app.guest("Zoe").await;
    browser.go(&format!("{}/admin/matches/{}", floor.app.url(), party.id)).await;
    browser.press(".seats a[href$='/seats/1']").await;
    browser.fill("#reason", "Had to catch a train").await;
    browser.press("form[action$='/remove'] button").await;
    browser.sees("The player is off the seat.").await;
    assert_eq!(party.look().await["seats"][1]["left_why"], "removed");
    browser.fill("#q", "Zoe").await;
    browser.press(".seek button").await;
    browser.find("#q[value='Zoe']").await;
    browser.fill("#reason", "She stands by").await;
    browser.press_saying("fieldset button", "Zoe").await;
    browser.sees("The seat is offered.").await;
    let taken = zoe.post(&party.path("/seats"), json!({ "seat": 1 })).await.is(201);
    assert_eq!(taken["seat"], 1);
    let name = async || party.look().await["seats"][1]["stand_in"]["display_name"].clone();
    eventually("the stand-in", async || (name().await == "Zoe").then_some(())).await;
    browser.close().await;
}

/// What the page would sound and notify, counted.
const EARS: &str = "
    window.rung = 0;
    window.AudioContext = class {
        currentTime = 0;
        resume() {}
        createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: it => it }; }
        createOscillator() { rung++; return { frequency: {}, connect: it => it, start() {}, stop() {} }; }
    };";

#[tokio::test]
async fn a_call_is_heard_on_every_page_of_the_staff() {
    let floor = Floor::open(1).await;
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&floor.app).await;
    browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": EARS })).await;
    for path in ["/admin", "/admin/library"] {
        browser.go(&format!("{}{path}", floor.app.url())).await;
        browser.find("#call-sound:not([hidden])").await;
        let title = browser.run("return document.title").await;
        let title = title.as_str().expect("a text").to_owned();
        let guest = floor.call_from(0, "rules").await;
        eventually("the number in the title", async || {
            (browser.run("return document.title").await == format!("(1) {title}")).then_some(())
        })
        .await;
        let seen = "const badge = document.querySelector('#calls'); return [badge.hidden, badge.textContent, rung > 0]";
        assert_eq!(browser.run(seen).await, json!([false, "1", true]), "{path}");
        let calls = floor.owner.get("/calls").await.is(200);
        let call = calls["items"][0]["id"].as_str().expect("it is there").to_owned();
        floor.owner.patch(&format!("/calls/{call}"), json!({ "status": "settled" })).await.is(200);
        eventually("the title without it", async || {
            (browser.run("return document.title").await == title.as_str()).then_some(())
        })
        .await;
        drop(guest);
    }
    // It is set for this device, and silent from then on.
    browser.press(".menu.tools > summary").await;
    browser.press("#call-sound [value=off]").await;
    browser.run("rung = 0").await;
    floor.call_from(0, "bill").await;
    eventually("the badge", async || {
        (browser.run("return document.querySelector('#calls').hidden").await == false).then_some(())
    })
    .await;
    assert_eq!(browser.run("return rung").await, 0);
    browser.close().await;
}

#[tokio::test]
async fn a_call_rings_until_it_is_settled_on_whichever_page_is_open() {
    let floor = Floor::open(1).await;
    let browser = at(&floor).await;
    browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": EARS })).await;
    browser.run("localStorage.setItem('call-sound', 'again')").await;
    floor.call_from(0, "rules").await;
    let heard = async |path: &str| {
        browser.go(&format!("{}{path}", floor.app.url())).await;
        eventually("the badge", async || {
            (browser.run("return document.querySelector('#calls').hidden").await == false).then_some(())
        })
        .await;
    };
    heard("/admin").await;
    heard("/admin/library").await;
    // It is time to ring again, and the other pages of this browser learn that this one has.
    browser.run("rung = 0; localStorage.setItem('call-rung', Date.now() - 60000)").await;
    eventually("two tones", async || (browser.run("return rung").await == 2).then_some(())).await;
    let is_noted = "return Date.now() - localStorage.getItem('call-rung') < 20000";
    assert_eq!(browser.run(is_noted).await, true);
    browser.close().await;
}
