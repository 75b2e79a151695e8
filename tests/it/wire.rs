//! A match on a phone whose network is bad: nothing is lost, nothing counts twice, and the page says how things are.

use std::time::Duration;

use engine::playout;
use harness::{Answer, Browser, Fault, Line, TestApp, Visitor, eventually, within};
use reqwest::Method;
use serde_json::json;

use crate::play::{Phones, Table, forms, submit};

/// The page says that nothing is heard no later than that after the first request that failed, in milliseconds.
const SAID_WITHIN: u64 = 2000;
/// Nobody who has slept waits longer for what happened meanwhile.
const AWAKE_WITHIN: Duration = Duration::from_secs(5);
/// A page that could not be fetched is fetched again sooner than a page that hears of no news asks (30 seconds).
const AGAIN_WITHIN: Duration = Duration::from_secs(15);

/// Counts what the page asks for, how often it shakes, and what it asks of the phone.
const COUNT: &str = "
    window.asked = []; window.shakes = window.buzzes = window.locks = window.frees = 0;
    const fetched = window.fetch;
    window.fetch = (url, options) => {
        asked.push(`${options?.method ?? 'GET'} ${new URL(url, location).pathname}`);
        return fetched(url, options).catch(err => { window.failed ??= Date.now(); throw err; });
    };
    document.addEventListener('DOMContentLoaded', () => new MutationObserver(all => {
        if (!document.querySelector('#offline').hidden) window.said ??= Date.now();
        for (const { target, oldValue } of all) if (target.matches('.shake') && !oldValue?.includes('shake')) shakes++;
    }).observe(document.body, { subtree: true, attributeFilter: ['class', 'hidden'], attributeOldValue: true }));
    navigator.vibrate = () => { buzzes++; return true; };
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
        locks++;
        const lock = new EventTarget();
        lock.release = async () => { frees++; lock.dispatchEvent(new Event('release')); };
        return lock;
    } } });";

/// Two at a table: one with a browser, one with forms.
struct Two {
    table: Table,
    line: Line,
    phone: Browser,
    /// The other; the phone's player sits before them.
    other: Phones,
}

/// A phone behind a line, at a match of so many that waits for the others.
async fn make_match(game: &str, seats: u8) -> (Table, Line, Browser) {
    let table = Table::open().await;
    let line = Line::to(table.app.url());
    let phone = Browser::open_phone("en").await;
    phone.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": COUNT })).await;
    phone.go(&format!("{}{}", line.url(), table.path)).await;
    phone.fill("#display_name", "Lucía").await;
    phone.press("form[action$='/members'] button.main").await;
    phone.find("form[action$='/calls']").await;
    phone.go(&format!("{}{}/play?game={game}", line.url(), table.path)).await;
    phone.press(&format!("label:has([name=seats][value='{seats}'])")).await;
    phone.press("form.start-match button.main").await;
    phone.find("#play.is-waiting").await;
    (table, line, phone)
}

impl Two {
    async fn begin(game: &str) -> Self {
        let (table, line, phone) = make_match(game, 2).await;
        let path = phone.client.current_url().await.expect("it is open").path().to_owned();
        let other = table.join(&path, 1).await;
        eventually("the start", async || {
            (phone.run("return document.querySelector('form.start button').disabled").await == false).then_some(())
        })
        .await;
        phone.press("form.start button").await;
        phone.find("#play.is-running").await;
        let mut two = Two { table, line, phone, other };
        two.my_turn().await;
        two
    }

    /// The other one moves, if it is their turn, until the phone's player may.
    async fn my_turn(&mut self) {
        for _ in 0..100 {
            self.others_move().await;
            let is_mine = "'mine' in document.querySelector('#play').dataset";
            let version = self.other.version().await;
            self.becomes(&format!("document.querySelector('#play').dataset.version === '{version}'")).await;
            if self.is(is_mine).await {
                return;
            }
        }
        panic!("it does not become the phone's turn");
    }

    async fn others_move(&mut self) {
        self.other.move_all().await;
    }

    /// A tap on what the tray offers first.
    async fn choose(&self) {
        self.phone.press("form.claims button.say").await;
    }

    async fn is(&self, what: &str) -> bool {
        self.phone.run(&format!("return {what}")).await == true
    }

    async fn becomes(&self, what: &str) {
        eventually(what, async || self.is(what).await.then_some(())).await;
    }

    async fn asked(&self) -> Vec<String> {
        let asked = self.phone.run("return asked").await;
        serde_json::from_value(asked).expect("they are texts")
    }

    /// Who plays with the phone, at another machine.
    async fn elsewhere(&self) -> (String, Visitor) {
        let cookies = self.phone.client.get_all_cookies().await.expect("it has some");
        let cookies: Vec<_> = cookies.iter().map(|it| format!("{}={}", it.name(), it.value())).collect();
        (cookies.join("; "), self.table.app.anybody())
    }

    async fn close(self) {
        self.phone.close().await;
    }
}

const IS_OFFLINE: &str = "!document.querySelector('#offline').hidden";
const WAITS: &str = "document.querySelector('#play-say').textContent.startsWith('Waiting')";
const IS_SENT: &str = "!document.documentElement.classList.contains('sending')";

#[tokio::test]
async fn a_choice_whose_answer_is_lost_is_sent_again_and_counts_once() {
    let two = Two::begin("perudo").await;
    let before = two.other.version().await;
    two.line.suffers(Fault::NoAnswers);
    two.choose().await;
    two.becomes(IS_OFFLINE).await;
    assert!(two.is(&format!("said - failed < {SAID_WITHIN}")).await);
    two.becomes(WAITS).await;
    eventually("the move", async || (two.other.version().await == before + 1).then_some(())).await;
    // A second tap does not choose again.
    assert!(!two.is(IS_SENT).await);
    two.line.suffers(Fault::None);
    two.becomes(IS_SENT).await;
    two.becomes(&format!("document.querySelector('#play').dataset.version === '{}'", before + 1)).await;
    two.becomes(&format!("!({IS_OFFLINE})")).await;
    assert_eq!(two.other.version().await, before + 1);
    assert!(two.is("!document.querySelector('.refused') && shakes === 0").await);
    let sent = two.asked().await.iter().filter(|it| it.starts_with("POST") && it.ends_with("/moves")).count();
    assert!(sent > 1, "it was sent {sent} times");
    two.close().await;
}

#[tokio::test]
async fn a_bot_whose_seating_is_sent_again_is_seated_once() {
    let (_table, line, phone) = make_match("perudo", 4).await;
    line.suffers(Fault::NoAnswers);
    phone.press("form.bot button").await;
    let is = async |what: &str| (phone.run(&format!("return {what}")).await == true).then_some(());
    let sent = "asked.filter(it => it.startsWith('POST') && it.endsWith('/bots')).length";
    eventually("the second time", async || is(&format!("{sent} > 1")).await).await;
    // Whatever becomes of the form meanwhile.
    phone.run("document.querySelector('form.bot').setAttribute('action', '/m/none/bots')").await;
    line.suffers(Fault::None);
    eventually("the answer", async || is(IS_SENT).await).await;
    assert_eq!(phone.run("return document.querySelectorAll('.chairs .bot-away').length").await, 1);
    assert!(is("!asked.includes('POST /m/none/bots') && !document.querySelector('.refused')").await.is_some());
    phone.close().await;
}

#[tokio::test]
async fn a_choice_waits_for_a_server_that_is_busy() {
    let two = Two::begin("perudo").await;
    let before = two.other.version().await;
    two.line.suffers(Fault::Busy);
    two.choose().await;
    two.becomes(WAITS).await;
    assert_eq!(two.other.version().await, before);
    two.line.suffers(Fault::None);
    two.becomes(IS_SENT).await;
    eventually("the move", async || (two.other.version().await == before + 1).then_some(())).await;
    two.close().await;
}

#[tokio::test]
async fn a_choice_that_comes_too_late_shakes_the_new_view() {
    let mut two = Two::begin("perudo").await;
    two.line.suffers(Fault::Cut);
    two.choose().await;
    two.becomes(WAITS).await;
    // The same player chooses with another phone meanwhile, and then the other one.
    let (cookies, elsewhere) = two.elsewhere().await;
    let own = |method: Method, path: &str| {
        elsewhere.page(method, path).header("cookie", &cookies).header("accept", "text/html")
    };
    let page = Answer::of(own(Method::GET, &two.other.path)).await;
    let form = forms(&page.text(), "claims").into_iter().next().expect("it is their turn");
    let before = two.other.version().await;
    for seed in 0.. {
        let mut fields = form.filled(&mut playout::random(seed));
        fields.retain(|(name, _)| name != "key");
        fields.push(("csrf".into(), page.token()));
        let request = own(Method::POST, &form.action).header("origin", two.table.app.url());
        if Answer::of(request.header("sec-fetch-site", "same-origin").form(&fields)).await.status == 303 {
            break;
        }
    }
    while two.other.version().await < before + 2 {
        two.others_move().await;
    }
    let now = two.other.version().await;
    two.line.suffers(Fault::None);
    two.becomes(IS_SENT).await;
    two.becomes("shakes === 1 && !!document.querySelector('.refused')").await;
    two.becomes(&format!("document.querySelector('#play').dataset.version === '{now}'")).await;
    assert_eq!(two.other.version().await, now);
    // Where motion is unwelcome, the words have to do.
    two.phone.prefer("light").await;
    let still = "document.querySelector('#play').classList.add('shake'),
        getComputedStyle(document.querySelector('.tray-place')).animationName === 'none'";
    assert!(two.is(still).await);
    two.close().await;
}

#[tokio::test]
async fn who_has_moved_does_not_ask_again_and_who_has_not_asks_once() {
    let mut two = Two::begin("perudo").await;
    two.phone.run("asked.length = 0").await;
    two.choose().await;
    two.becomes(IS_SENT).await;
    let path = two.other.path.clone();
    // Long enough for the news of it to have come.
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(two.asked().await, [format!("POST {path}/moves")]);
    let version = two.other.version().await;
    two.others_move().await;
    two.becomes(&format!("Number(document.querySelector('#play').dataset.version) > {version}")).await;
    assert_eq!(two.asked().await, [format!("POST {path}/moves"), format!("GET {path}")]);
    two.close().await;
}

#[tokio::test]
async fn a_phone_that_slept_sees_at_once_what_happened() {
    let mut two = Two::begin("perudo").await;
    two.choose().await;
    two.becomes(IS_SENT).await;
    let version = two.other.version().await;
    // Its connections are dead, and nothing tells it so.
    two.line.suffers(Fault::Asleep);
    two.others_move().await;
    two.line.suffers(Fault::None);
    two.phone.run("document.dispatchEvent(new Event('visibilitychange'))").await;
    let is_new = format!("Number(document.querySelector('#play').dataset.version) > {version}");
    within(AWAKE_WITHIN, "the move", async || two.is(&is_new).await.then_some(())).await;
    two.close().await;
}

#[tokio::test]
async fn news_that_could_not_be_fetched_are_fetched_again() {
    let mut two = Two::begin("perudo").await;
    two.choose().await;
    two.becomes(IS_SENT).await;
    let version = two.other.version().await;
    // The stream goes on, so nothing tells of the same news again.
    let page = json!([format!("*{}", two.other.path)]);
    two.phone.command("Network.setBlockedURLs", json!({ "urls": page })).await;
    two.phone.run("window.failed = undefined").await;
    two.others_move().await;
    two.becomes("!!window.failed").await;
    two.phone.command("Network.setBlockedURLs", json!({ "urls": [] })).await;
    let is_new = format!("Number(document.querySelector('#play').dataset.version) > {version}");
    within(AGAIN_WITHIN, "the move", async || two.is(&is_new).await.then_some(())).await;
    two.close().await;
}

#[tokio::test]
async fn a_page_that_one_comes_back_to_shows_no_hand_until_the_server_has_answered() {
    let two = Two::begin("perudo").await;
    let has_hand = "!!document.querySelector('#play [data-secret]')";
    assert!(two.is(has_hand).await);
    let go = "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))";
    let come_back = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))";
    two.line.suffers(Fault::Cut);
    two.phone.run(go).await;
    two.phone.run(come_back).await;
    assert!(!two.is(has_hand).await);
    // The same person: the same hand, though nothing has happened meanwhile.
    two.line.suffers(Fault::None);
    two.becomes(has_hand).await;

    two.phone.run(go).await;
    let (cookies, elsewhere) = two.elsewhere().await;
    let own = |method: Method, path: &str| {
        elsewhere.page(method, path).header("cookie", &cookies).header("accept", "text/html")
    };
    let page = Answer::of(own(Method::GET, "/me")).await;
    let request = own(Method::POST, "/me/sign-out").header("origin", two.table.app.url());
    let out = request.header("sec-fetch-site", "same-origin").form(&[("csrf", page.token())]);
    assert_eq!(Answer::of(out).await.status, 303);
    two.phone.run(come_back).await;
    assert!(!two.is(has_hand).await);
    two.becomes("!('seated' in document.querySelector('#play').dataset)").await;
    assert!(!two.is(has_hand).await);
    two.close().await;
}

#[tokio::test]
async fn ones_turn_is_noticed_and_the_screen_stays_on_while_one_plays() {
    let mut two = Two::begin("perudo").await;
    assert!(two.is("document.title.startsWith('● My turn') && !!document.querySelector('.turn-bar.mine')").await);
    two.becomes("locks === 1 && frees === 0").await;
    let buzzes = two.phone.run("return buzzes").await.as_u64().expect("a number");
    two.choose().await;
    two.becomes("!document.title.includes('●')").await;
    two.others_move().await;
    two.my_turn().await;
    assert!(two.is(&format!("buzzes === {}", buzzes + 1)).await);
    // A setting of this phone, which it remembers.
    two.phone.press(".menu.tools > summary").await;
    two.phone.press("label:has(#buzz)").await;
    two.phone.client.refresh().await.expect("it can be reloaded");
    two.phone.find("#play.is-running").await;
    two.becomes("locks === 1").await;
    assert!(two.is("buzzes === 0 && !document.querySelector('#buzz').checked").await);
    two.phone.run("document.querySelector('#give-up').open = true").await;
    two.phone.press("form.resign button").await;
    two.phone.find("#play:not([data-seated])").await;
    two.becomes("frees === 1").await;
    two.close().await;
}

#[tokio::test]
async fn a_reaction_is_beside_its_name_and_moves_nothing_unless_the_phone_mutes_them() {
    let two = Two::begin("perudo").await;
    // However slow the machine is: what is shown stays.
    let prepare = "window.heard = 0; document.addEventListener('reaction', () => { heard += 1; });
        const later = setTimeout; window.setTimeout = (act, time) => time === 4000 ? 0 : later(act, time)";
    two.phone.run(prepare).await;
    let say = async |reaction: &str| {
        let (page, path) = (two.other.look(0).await, &two.other.path);
        let sent = [("reaction".to_owned(), reaction.to_owned())];
        let sent = submit(&two.other.people[0], &page, &format!("{path}/reactions"), &sent).await;
        assert_eq!((sent.status, sent.header("location")), (303, path.as_str()), "{}", sent.text());
    };
    let size = "const { top, height } = document.querySelector('#view').getBoundingClientRect();
        return [top, height, document.documentElement.scrollHeight, document.documentElement.scrollWidth]";
    let before = two.phone.run(size).await;
    say("wow").await;
    two.becomes("document.querySelector('.bubble.at-seat')?.textContent === '😮 Wow!'").await;
    assert_eq!(two.phone.run(size).await, before);
    assert!(two.is("document.querySelector('#bubble-said').textContent === 'Other 0: 😮 Wow!'").await);
    two.phone.press(".menu.react > summary").await;
    two.phone.press(".react button[value=thanks]").await;
    two.becomes("[...document.querySelectorAll('.bubble')].some(it => it.textContent.includes('Thank you'))").await;
    // A setting of this phone.
    two.phone.press(".menu.tools > summary").await;
    two.phone.press("label:has(#reactions)").await;
    say("laugh").await;
    two.becomes("heard === 3").await;
    assert!(two.is("![...document.querySelectorAll('.bubble')].some(it => it.textContent.includes('Haha'))").await);
    two.close().await;
}

/// A match of two by plain forms, whose server is killed between any two of their steps. `TestApp` starts another.
#[tokio::test]
async fn a_match_by_plain_forms_survives_a_kill_between_any_two_taps() {
    let mut table = Table::open().await;
    let rules = table.house_rules("perudo-pirates", json!({ "first_blood": true, "high_risk": true })).await;
    let mut phones = table.start("perudo-pirates", 2, &[("variant", &rules)]).await;
    let (mut moves, mut first) = (0, 0);
    loop {
        again(&mut table.app, &mut phones);
        let Some((seat, page, forms)) = phones.mover(first).await else { break };
        again(&mut table.app, &mut phones);
        let fields = forms[0].filled(&mut *phones.chance);
        let before = phones.version().await;
        let sent = submit(&phones.people[seat], &page, &forms[0].action, &fields).await;
        again(&mut table.app, &mut phones);
        if sent.status == 303 {
            moves += 1;
            assert_eq!(phones.version().await, before + 1, "what was answered is there");
            // A player who has not seen the answer taps again.
            assert_eq!(submit(&phones.people[seat], &page, &forms[0].action, &fields).await.status, 303);
            assert_eq!(phones.version().await, before + 1, "and counts once");
        }
        first = (seat + 1) % 2;
        assert!(moves < 60, "it does not end");
    }
    assert!(moves > 1);
    let end = phones.look(0).await.text();
    assert!(end.contains("class=\"places\""), "{end}");
}

/// The server is killed, and everybody goes to the one that takes its place.
fn again(app: &mut TestApp, phones: &mut Phones) {
    app.kill_and_replace();
    phones.people.iter_mut().for_each(|it| *it = it.at(app.url()));
}
