//! Nothing jumps on a guest's phone while a match goes on: Chromium sums what moved by itself.

use engine::{Source, catalogue, playout};
use harness::{Browser, TestApp, Visitor, eventually};
use serde_json::{Value, json};

/// Of everything that moved, the part of the screen times the way that it went.
const MOST: f64 = 0.02;

const MOVES: usize = 12;

/// What moved without a tap, and from where to where.
const WATCH: &str = "
    if (window.shifts) return;
    const name = node => node?.nodeType === 3 ? node.data.slice(0, 20) : `${node?.localName}.${node?.getAttribute?.('class')}`;
    const place = it => [it.x, it.y, it.width, it.height].map(Math.round).join(' ');
    const told = it => `${name(it.node)}: ${place(it.previousRect)} to ${place(it.currentRect)}`;
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const it of list.getEntries()) {
            if (!it.hadRecentInput) shifts.push({ value: it.value, moved: it.sources.map(told) });
        }
    }).observe({ type: 'layout-shift' });";

/// Two frames later everything that moved was told.
const SHIFTS: &str = "
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(shifts), 50))))";

/// What moves when the covered things of a tray are turned up: where each element stood, and where it stands then.
const UNCOVER: &str = "
    const covers = [...document.querySelectorAll('.tray-place [data-secret]')];
    const seen = it => it.checkVisibility({ visibilityProperty: true });
    const all = [...document.querySelectorAll('#play *')].filter(it => seen(it) && !it.closest('.hint'));
    const places = () => all.map(it => it.getBoundingClientRect());
    const before = places(), moved = [];
    for (const cover of covers) {
        cover.open = true;
        places().forEach((now, at) => {
            const { x, y, width, height } = before[at];
            const went = Math.max(Math.abs(now.x - x), Math.abs(now.y - y), Math.abs(now.width - width), Math.abs(now.height - height));
            if (seen(all[at]) && went > .5) moved.push(`${all[at].outerHTML.slice(0, 80)}: ${[x, y, width, height].map(Math.round)} to ${[now.x, now.y, now.width, now.height].map(Math.round)}`);
        });
        cover.open = false;
    }
    return { covers: covers.length, moved };";

/// What the one who looks may do, and doing it, as their page's scripts could.
const LOOK: &str = "return fetch(arguments[0]).then(it => it.json())";
const MOVE: &str = "
    const headers = { 'content-type': 'application/json' };
    return fetch(arguments[0], { method: 'POST', headers, body: JSON.stringify(arguments[1]) }).then(it => it.status)";

/// A match of people with an app, and of one with a phone.
struct Table {
    others: Vec<Visitor>,
    browser: Browser,
    api: String,
}

impl Table {
    async fn start(app: &TestApp, browser: Browser, game: &str) -> Self {
        let seats = catalogue::find(game).expect("there is such a game").info().seats.clone();
        let seats = 4.clamp(*seats.start(), *seats.end());
        let mut others = Vec::new();
        for number in 1..seats {
            others.push(app.guest(&format!("손님 {number}")).await);
        }
        let made = others[0].post("/matches", json!({ "game": game, "seats": seats })).await.is(201);
        let id = made["id"].as_str().expect("a match has an id");
        let code = made["code"].as_str().expect("a match has a code");
        for guest in &others {
            guest.post(&format!("/matches/{id}/seats"), json!({})).await;
        }
        browser.command("Network.clearBrowserCookies", json!({})).await;
        browser.speak(app.url(), "ko").await;
        browser.go(&format!("{}/m/{code}", app.url())).await;
        browser.fill("#display_name", "하늘").await;
        browser.press("form#sit .button.main").await;
        browser.find("[data-seated]").await;
        others[0].post(&format!("/matches/{id}/start"), json!({})).await;
        browser.find(".play.is-running[data-live] .tray").await;
        Self { others, browser, api: format!("/matches/{id}") }
    }

    /// Somebody who may move does, at random; the page then shows what came of it.
    async fn play(&self, chance: &mut dyn Source) -> bool {
        let looked = |view: Value| {
            let moves = view["legal_moves"].as_array().cloned().unwrap_or_default();
            // An answer may end the match at once.
            let moves: Vec<Value> = moves.into_iter().filter(|it| it["type"] != "answer").collect();
            (view["version"].clone(), moves)
        };
        for guest in &self.others {
            let (version, moves) = looked(guest.get(&format!("{}/view", self.api)).await.json());
            if let Some(chosen) = pick(moves, chance) {
                let body = json!({ "move": chosen, "version": version });
                guest.post(&format!("{}/moves", self.api), body).await;
                self.shows(version).await;
                return true;
            }
        }
        let view = self.ask(LOOK, "view", Value::Null).await;
        let (version, moves) = looked(view);
        let Some(chosen) = pick(moves, chance) else { return false };
        self.ask(MOVE, "moves", json!({ "move": chosen, "version": version })).await;
        self.shows(version).await;
        true
    }

    async fn ask(&self, script: &str, what: &str, body: Value) -> Value {
        let address = json!(format!("/api/v1{}/{what}", self.api));
        self.browser.client.execute(script, vec![address, body]).await.expect("the page asks the server")
    }

    /// Waits until the page is past this version.
    async fn shows(&self, version: Value) {
        let newer = format!("return Number(document.querySelector('#play').dataset.version) > {version}");
        eventually("the page after the move", async || (self.browser.run(&newer).await == true).then_some(())).await;
    }
}

fn pick(mut moves: Vec<Value>, chance: &mut dyn Source) -> Option<Value> {
    let count = u32::try_from(moves.len()).ok().filter(|count| *count > 0)?;
    Some(moves.swap_remove(chance.below(count) as usize))
}

#[tokio::test]
async fn nothing_jumps_while_a_match_of_any_game_goes_on_nor_when_a_cover_is_lifted() {
    let app = TestApp::start();
    let mut browser = Browser::open(500, 740, "ko").await;
    browser.resize(360, 740).await;
    for kind in catalogue::GAMES {
        let game = kind.info().id;
        let table = Table::start(&app, browser, game).await;
        table.browser.run(WATCH).await;
        let mut chance = playout::random(12);
        let mut covers = 0;
        for _ in 0..MOVES {
            let uncovered = table.browser.run(UNCOVER).await;
            assert_eq!(uncovered["moved"], json!([]), "{game}: uncovering moved it");
            covers += uncovered["covers"].as_u64().unwrap_or_default();
            if !table.play(&mut chance).await {
                break;
            }
        }
        // Those of Dead Man's Draw lie open but for traits, and for what a card shows.
        assert!(covers > 0 || game == "dead-mans-draw", "{game} has nothing to uncover");
        let shifts = table.browser.run(SHIFTS).await;
        let sum: f64 = shifts.as_array().into_iter().flatten().filter_map(|it| it["value"].as_f64()).sum();
        println!("{game}: {sum:.4}");
        assert!(sum <= MOST, "{game} moved by {sum}: {shifts:#}");
        browser = table.browser;
    }
    browser.close().await;
}
