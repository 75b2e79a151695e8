//! What a live page says once nothing is heard, and that it says so only then. Its long timers wait until the test lets
//! time pass: nothing here takes as long as it would in the café.

use std::time::{Duration, Instant};

use harness::{Browser, Party, TestApp, eventually};
use serde_json::json;

/// Timers of ten seconds and more run when `pass` is called; what was asked for, what was answered, and how often the banner
/// came, are counted.
const TIME: &str = "
    const real = { now: Date.now.bind(Date), later: setTimeout.bind(window), never: clearTimeout.bind(window) };
    const waiting = new Map();
    let ahead = 0, number = 1000000;
    const wait = (deed, time, every) => { waiting.set(++number, { deed, at: Date.now() + time, every }); return number; };
    Date.now = () => real.now() + ahead;
    window.setTimeout = (deed, time = 0, ...rest) =>
        time < 10000 ? real.later(deed, time, ...rest) : wait(() => deed(...rest), time, 0);
    const often = window.setInterval.bind(window), rarely = window.clearInterval.bind(window);
    window.setInterval = (deed, time, ...rest) =>
        time < 10000 ? often(deed, time, ...rest) : wait(() => deed(...rest), time, time);
    window.clearTimeout = id => { if (!waiting.delete(id)) real.never(id); };
    window.clearInterval = id => { if (!waiting.delete(id)) rarely(id); };
    window.pass = seconds => {
        const until = Date.now() + seconds * 1000;
        for (;;) {
            const due = [...waiting].filter(it => it[1].at <= until).sort((a, b) => a[1].at - b[1].at)[0];
            if (!due) break;
            const [id, it] = due;
            ahead = Math.max(ahead, it.at - real.now());
            it.every ? it.at += it.every : waiting.delete(id);
            it.deed();
        }
        ahead = Math.max(ahead, until - real.now());
    };
    window.answered = window.failed = window.cuts = window.banners = 0;
    document.addEventListener('htmx:finally:request', it => {
        if (it.target.id !== 'floor') return;
        it.detail.ctx.response?.status === 200 ? answered++ : failed++;
    });
    document.addEventListener('htmx:sse:error', () => cuts++);
    document.addEventListener('DOMContentLoaded', () => {
        const banner = document.querySelector('#offline');
        new MutationObserver(() => { if (!banner.hidden) banners++; }).observe(banner, { attributeFilter: ['hidden'] });
    });
";
const IS_SHOWN: &str = "return !document.querySelector('#offline').hidden";

struct Page {
    browser: Browser,
}

impl Page {
    /// The floor, whose time is the test's.
    async fn open(app: &TestApp) -> Self {
        let browser = Browser::open(1024, 768, "en").await;
        browser.sign_in(app).await;
        browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": TIME })).await;
        browser.command("Network.enable", json!({})).await;
        browser.go(&format!("{}/admin", app.url())).await;
        browser.find("#floor[data-htmx-powered]").await;
        Page { browser }
    }

    async fn count(&self, what: &str) -> u64 {
        self.browser.run(&format!("return {what}")).await.as_u64().expect("it is counted")
    }

    /// So many seconds go by, in which the floor is asked for once: that is answered, or fails.
    async fn pass(&self, seconds: u32, what: &str) {
        let before = self.count(what).await;
        self.browser.run(&format!("pass({seconds})")).await;
        eventually(what, async || (self.count(what).await > before).then_some(())).await;
    }

    async fn is_shown(&self) -> bool {
        self.browser.run(IS_SHOWN).await == true
    }

    /// The stream breaks off, and whenever the page asks for it again.
    async fn cut_stream(&self) {
        self.browser.command("Network.setBlockedURLs", json!({ "urls": ["*/admin/live/*"] })).await;
        eventually("the stream", async || {
            let cut = "const sse = [...document.querySelectorAll('*')].find(it => it._htmx?.sse)?._htmx.sse;
                sse?.reader?.cancel(); return !!sse?.reader";
            (self.browser.run(cut).await == true).then_some(())
        })
        .await;
        eventually("it is missed", async || (self.count("cuts").await > 0).then_some(())).await;
    }
}

#[tokio::test]
async fn the_banner_comes_once_nothing_is_heard_and_goes_with_the_first_answer() {
    let app = TestApp::start();
    let page = Page::open(&app).await;
    page.cut_stream().await;
    // Without the stream, but asked for every half minute, the page is as good as ever.
    for _ in 0..4 {
        page.pass(30, "answered").await;
    }
    eventually("the stream is tried again", async || (page.count("cuts").await > 2).then_some(())).await;
    assert_eq!(page.count("banners").await, 0, "the banner came although the page is heard");
    let heard = page.count("Date.now()").await;

    // The network is gone: it comes at once, and says since when.
    page.browser.offline(true).await;
    let began = Instant::now();
    eventually("the banner", async || page.is_shown().await.then_some(())).await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let said = page.browser.run("return document.querySelector('#offline time').dateTime").await;
    let since = page.browser.run("return Date.parse(document.querySelector('#offline time').dateTime)").await;
    assert!(since.as_u64().is_some_and(|since| since <= heard + 200), "{said} is later than what was heard last");
    assert!(page.browser.says("#offline").await.contains(':'), "it says the time");
    for _ in 0..3 {
        page.pass(30, "failed").await;
    }
    assert!(page.is_shown().await);
    assert_eq!(page.browser.run("return document.querySelector('#offline time').dateTime").await, said);

    // Taps are answered in the page, which keeps the floor.
    page.browser.run("window.stayed = true").await;
    for tap in [".views > a", ".nav a[data-key=m]", ".brand"] {
        page.browser.run("document.querySelector('#told').replaceChildren()").await;
        page.browser.press(tap).await;
        page.browser.sees("There is no connection, so nothing was sent.").await;
    }
    assert_eq!(
        page.browser.run("return [window.stayed, !!document.querySelector('#floor')]").await,
        json!([true, true])
    );

    // The network is back: asked for at once, and gone with the answer, for good.
    page.browser.offline(false).await;
    eventually("the banner goes", async || (!page.is_shown().await).then_some(())).await;
    page.pass(30, "answered").await;
    page.pass(30, "answered").await;
    assert_eq!(page.count("banners").await, 1, "the banner came and went");
    page.browser.close().await;
}

#[tokio::test]
async fn a_request_that_fails_is_told_within_two_seconds_unless_the_next_one_is_answered() {
    let app = TestApp::start();
    let page = Page::open(&app).await;
    page.browser.command("Network.setBlockedURLs", json!({ "urls": ["*/admin", "*/admin?*"] })).await;
    let began = Instant::now();
    page.browser.run("document.body.dispatchEvent(new CustomEvent('changed'))").await;
    eventually("the banner", async || page.is_shown().await.then_some(())).await;
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    page.browser.command("Network.setBlockedURLs", json!({ "urls": [] })).await;
    page.pass(30, "answered").await;
    eventually("the banner goes", async || (!page.is_shown().await).then_some(())).await;
    page.browser.close().await;
}

#[tokio::test]
async fn a_page_whose_match_is_over_does_not_say_that_it_is_old() {
    let app = TestApp::start();
    let page = Page::open(&app).await;
    for is_screen in [false, true] {
        let mut party = Party::start(&app, "perudo", 2, json!({})).await;
        let code = party.look().await["code"].as_str().expect("it has a code").to_owned();
        let path = if is_screen { format!("/m/{code}?screen=1") } else { format!("/admin/matches/{}", party.id) };
        page.browser.go(&format!("{}{path}", app.url())).await;
        page.browser.find("[data-live]").await;
        party.play_to_the_end().await;
        let is_over = "return !document.querySelector('[data-live]')";
        eventually("the end", async || (page.browser.run(is_over).await == true).then_some(())).await;
        let says = format!("document.dispatchEvent(new Event('silence')); {IS_SHOWN}");
        assert_eq!(page.browser.run(&says).await, false, "{path}");
    }
    page.browser.close().await;
}

#[tokio::test]
async fn who_was_signed_out_elsewhere_sees_the_sign_in_page_and_nothing_behind_it() {
    let app = TestApp::start();
    let page = Page::open(&app).await;
    let ended = "UPDATE sessions SET revoked_at = now()";
    app.database().with(|client| client.batch_execute(ended)).expect("somebody is signed in");
    page.browser.run("pass(30)").await;
    page.browser.find("form[action='/admin/sign-in'] #password").await;
    assert_eq!(page.browser.run("return !!document.querySelector('#floor')").await, false);
    page.browser.close().await;
}
