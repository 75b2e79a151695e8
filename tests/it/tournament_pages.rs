//! Tournaments on the staff's pages and on everybody's: an evening by taps, with and without scripts, a correction that says first
//! what it undoes, and a guest who enters and finds the way to the table.

use harness::{Browser, TestApp, Visitor, eventually};
use serde_json::{Value, json};

const NAMES: [&str; 5] = ["하늘", "Lucía", "민지", "Bea", "도윤"];

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is no text: {value}"))
}

/// The only tournament that there is.
async fn only(owner: &Visitor) -> Value {
    let list = owner.get("/tournaments").await.is(200);
    let id = text(&list["items"][0], "id").to_owned();
    owner.get(&format!("/tournaments/{id}")).await.is(200)["tournament"].clone()
}

#[tokio::test]
async fn an_evening_of_swiss_rounds_is_run_by_taps() {
    play_swiss(Browser::open(1024, 768, "en").await).await;
}

#[tokio::test]
async fn an_evening_of_swiss_rounds_is_run_without_javascript() {
    play_swiss(Browser::open_without_javascript(1024, 768, "en").await).await;
}

/// Six enter, one of them by the guests' page; all check in, one drops after the first round, so that somebody has a bye.
async fn play_swiss(browser: Browser) {
    let night = Night::make(browser, &[("rounds-1", "3")]).await;
    let Night { app, browser, .. } = &night;
    let guest = app.anybody();
    let entry = guest.open(&night.guests).await;
    let entered = guest.submit(&entry, &format!("{}/entry", night.guests), &[("display_name", "Íñigo")]).await;
    assert_eq!((entered.status, entered.header("location")), (303, night.guests.as_str()));
    night.enter(&NAMES).await;
    night.start(6).await;
    night.begin_round().await;
    browser.find("time.clock").await;
    night.write_duels(3).await;
    night.go("/entrants").await;
    browser.press("#e6 button[value=drop]").await;
    browser.find("#e6 button[value=reinstate]").await;
    for _ in 0..2 {
        night.go("").await;
        night.begin_round().await;
        night.write_duels(2).await;
    }
    night.finish(6).await;
    // Everybody sees the same, without a name to sign in by.
    let seen = app.anybody().open(&night.guests).await.text();
    assert!(seen.contains("Íñigo") && seen.contains("class=\"list standings\""));
    night.browser.close().await;
}

/// Of five, three rest in the first round; the third place is played for.
#[tokio::test]
async fn an_evening_of_single_elimination_is_run_by_taps() {
    let browser = Browser::open(1024, 768, "en").await;
    let night = Night::make(browser, &[("format-1", "single_elimination"), ("places-1", "four")]).await;
    night.enter(&NAMES).await;
    night.start(5).await;
    for bouts in [1, 2, 2] {
        night.begin_round().await;
        night.write_duels(bouts).await;
    }
    night.finish(5).await;
    let shown = night.browser.run("return document.querySelectorAll('.bracket section h4 + ol > li').length").await;
    assert_eq!(shown, 8, "four bouts and three byes of a bracket of eight, and the one for the third place");
    night.browser.close().await;
}

/// Tables of two and three; everybody's place is written down.
#[tokio::test]
async fn an_evening_of_pods_is_run_by_taps() {
    let pods = [("format-1", "pods"), ("rounds-1", "2"), ("least-1", "2"), ("most-1", "3")];
    let night = Night::make(Browser::open(1024, 768, "en").await, &pods).await;
    night.enter(&NAMES).await;
    night.start(5).await;
    for _ in 0..2 {
        night.begin_round().await;
        night.write_places(2).await;
    }
    night.finish(5).await;
    night.browser.close().await;
}

/// A plan that cannot seat its people says so from the first of them on, with numbers, and with the button that changes it.
#[tokio::test]
async fn a_plan_says_early_how_many_it_can_seat() {
    let pods = [("format-1", "pods"), ("rounds-1", "2"), ("least-1", "3"), ("most-1", "4")];
    let night = Night::make(Browser::open_without_javascript(1024, 768, "en").await, &pods).await;
    night.enter(&NAMES).await;
    night.browser.sees("5 people make no tables of 3 to 4. 6 would do.").await;
    night.browser.press_saying("#ready button", "Allow tables of 2").await;
    night.browser.sees("5 now: tables of 3 · 2.").await;
    night.browser.sees("name only").await;
    night.browser.close().await;
}

/// A tournament that is run by nothing but the staff's pages.
struct Night {
    app: TestApp,
    browser: Browser,
    /// Its id.
    id: String,
    /// The page that everybody sees.
    guests: String,
}

impl Night {
    /// Made with these fields of the form and a round of half an hour; guests may enter.
    async fn make(browser: Browser, fields: &[(&str, &str)]) -> Self {
        let app = TestApp::start();
        let owner = app.owner().await;
        for number in 1..=3 {
            owner.post("/tables", json!({ "name": format!("Deck {number}"), "seats": 3 })).await.is(201);
        }
        browser.sign_in(&app).await;
        browser.go(&format!("{}/admin/tournaments/new", app.url())).await;
        browser.fill("#name", "Friday cup").await;
        for (field, value) in [("rules", "other"), ("title", "Catan"), ("round_minutes", "30")].iter().chain(fields) {
            let css = format!("#{field}, [name={field}]");
            match *field {
                "rules" | "format-1" | "places-1" => {
                    drop(browser.run(&format!("document.querySelector('{css}').value = '{value}'")).await)
                }
                _ => browser.fill(&css, value).await,
            }
        }
        browser.press_saying("main form button", "Make it").await;
        browser.sees("Friday cup: made.").await;
        browser.press_saying(".next-step button", "Open registration").await;
        browser.sees("Registration is open.").await;
        let made = only(&owner).await;
        let (id, guests) = (text(&made, "id").to_owned(), format!("/tournaments/{}", text(&made, "code")));
        Self { app, browser, id, guests }
    }

    async fn go(&self, rest: &str) {
        self.browser.go(&format!("{}/admin/tournaments/{}{rest}", self.app.url(), self.id)).await;
    }

    async fn enter(&self, names: &[&str]) {
        self.browser.press_saying(".next-step a", "Entrants").await;
        for name in names {
            self.browser.fill("#add #name", name).await;
            self.browser.press("#add button").await;
            self.browser.sees(&format!("{name} has entered.")).await;
        }
    }

    /// All check in, and it begins.
    async fn start(&self, many: usize) {
        let browser = &self.browser;
        self.go("").await;
        browser.press_saying(".next-step button", "Open check-in").await;
        browser.sees("Check-in is open.").await;
        for number in 1..=many {
            browser.press(&format!("#e{number} button[value=check_in]")).await;
            browser.find(&format!("#e{number} button[value=take_back]")).await;
        }
        self.go("").await;
        browser.press_saying(".next-step button", "Start the tournament").await;
        browser.sees("The tournament has begun.").await;
    }

    /// Pairs a round, looks at its draft, publishes and starts it.
    async fn begin_round(&self) {
        let browser = &self.browser;
        browser.press_saying(".next-step button", "Pair the round").await;
        browser.sees("The round is drafted.").await;
        browser.find(".reasons li").await;
        browser.press_saying(".next-step button", "Publish").await;
        browser.sees("The round is published.").await;
        browser.press_saying(".next-step button", "Start the round").await;
        browser.sees("The round has begun.").await;
    }

    /// So many results, by one tap each.
    async fn write_duels(&self, bouts: usize) {
        for _ in 0..bouts {
            self.browser.press_saying(".bout .base a", "Write the result").await;
            self.browser.press_saying(".quick button", "wins").await;
            self.browser.sees("The result is written down.").await;
        }
    }

    /// So many results by places, in the order in which people sit.
    async fn write_places(&self, bouts: usize) {
        for _ in 0..bouts {
            self.browser.press_saying(".bout .base a", "Write the result").await;
            self.browser.find("#write [id^=place-]").await;
            let type_places = "document.querySelector('#write details').open = true;
                 document.querySelectorAll('#write [id^=place-]').forEach((it, at) => { it.value = at + 1; })";
            self.browser.run(type_places).await;
            self.browser.press_saying("#write button", "Write down and confirm").await;
            self.browser.sees("The result is written down.").await;
        }
    }

    /// The end, with so many in the standings.
    async fn finish(&self, many: usize) {
        self.browser.press_saying(".next-step button", "Finish the tournament").await;
        self.browser.sees("The tournament is finished.").await;
        let whole = self.app.anybody().get(&format!("/tournaments/{}", self.id)).await.is(200);
        assert_eq!(whole["tournament"]["status"], "finished");
        let rows = self.browser.run("return document.querySelectorAll('.standings tbody tr').length").await;
        assert_eq!(rows, many);
    }
}

/// A bracket of four in which both semi-finals and the final are played.
async fn bracket(owner: &Visitor) -> String {
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stage = json!({ "format": { "kind": "single_elimination", "third_place": false }, "scoring": scoring });
    let new = json!({ "name": "Cup", "game": "other", "title": "Catan", "stages": [stage], "seeding": "draw" });
    let made = owner.post("/tournaments", new).await.is(201);
    let path = format!("/tournaments/{}", text(&made, "id"));
    owner.post(&format!("{path}/registration"), json!({})).await.is(200);
    for name in &NAMES[..4] {
        owner.post(&format!("{path}/entrants"), json!({ "display_name": name })).await.is(201);
    }
    owner.put(&format!("{path}/seeds"), json!({ "by": "hand", "order": [1, 2, 3, 4] })).await.is(200);
    owner.post(&format!("{path}/start"), json!({})).await.is(200);
    for (round, results) in [(1, [("main-1-1", 1, 4), ("main-1-2", 2, 3)].as_slice()), (2, &[("main-2-1", 1, 2)])] {
        owner.post(&format!("{path}/pair"), json!({})).await.is(200);
        owner.post(&format!("{path}/stages/1/rounds/{round}/publish"), json!({})).await.is(200);
        for (key, winner, loser) in results {
            let finishes = json!([{ "entrant": winner, "place": 1 }, { "entrant": loser, "place": 2 }]);
            let at = format!("{path}/stages/1/bouts/{key}/result");
            owner.post(&at, json!({ "finishes": finishes })).await.is(200);
        }
    }
    path
}

#[tokio::test]
async fn a_correction_shows_first_what_it_undoes() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let path = bracket(&owner).await;
    let browser = Browser::open(390, 844, "en").await;
    browser.sign_in(&app).await;
    let bout = format!("{}/admin{path}/bouts/1/main-1-1", app.url());
    browser.go(&bout).await;
    browser.fill("#quick-reason", "Read the wrong slip").await;
    browser.press_saying(".quick button", "Bea wins").await;
    browser.sees("These bouts become void").await;
    assert!(browser.says("#follows .follows").await.contains("하늘"));
    let final_now = async || {
        let whole = owner.get(&path).await.is(200);
        let rounds = whole["rounds"].as_array().expect("it has rounds").clone();
        rounds
            .iter()
            .flat_map(|it| it["bouts"].as_array().cloned().unwrap_or_default())
            .find(|it| it["key"] == "main-2-1")
    };
    assert!(!final_now().await.expect("the final stands")["result"].is_null(), "nothing was undone yet");
    browser.press_saying("#follows button", "Correct it").await;
    browser.sees("The result is written down.").await;
    let last = final_now().await.expect("the final is paired again");
    assert!(last["result"].is_null(), "{last}");
    assert!(last["entrants"].as_array().is_some_and(|it| it.contains(&json!(4)) && !it.contains(&json!(1))), "{last}");
    // The bracket is lists under headings, and says who is waited for.
    browser.sees("Bout 3").await;
    let outline = browser.run("return document.querySelectorAll('.bracket section h4 + ol > li').length").await;
    assert_eq!(outline, 3);
    browser.close().await;
}

#[tokio::test]
async fn a_guest_enters_on_the_phone_checks_in_and_finds_table_and_opponent() {
    let app = TestApp::start();
    let owner = app.owner().await;
    owner.post("/tables", json!({ "name": "Deck 1", "seats": 4 })).await.is(201);
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stage = json!({ "format": { "kind": "round_robin", "legs": 1 }, "scoring": scoring });
    let new = json!({ "name": "Cup", "game": "perudo", "stages": [stage] });
    let made = owner.post("/tournaments", new).await.is(201);
    let path = format!("/tournaments/{}", text(&made, "id"));
    let page = format!("{}/tournaments/{}", app.url(), text(&made, "code"));
    let browser = Browser::open(390, 844, "en").await;
    browser.go(&page).await;
    browser.sees("404").await;
    owner.post(&format!("{path}/registration"), json!({})).await.is(200);
    browser.go(&page).await;
    browser.fill("#display_name", "Lucía").await;
    browser.press("#enter button").await;
    browser.sees("Cup: you have entered.").await;
    owner.post(&format!("{path}/entrants"), json!({ "display_name": "하늘" })).await.is(201);
    owner.post(&format!("{path}/check-in"), json!({})).await.is(200);
    browser.press_saying(".mine button", "I am here").await;
    browser.sees("Checked in.").await;
    owner.post(&format!("{path}/entrants/2/check-in"), json!({})).await.is(200);
    owner.post(&format!("{path}/start"), json!({})).await.is(200);
    owner.post(&format!("{path}/pair"), json!({})).await.is(200);
    // A draft is nobody's business but the staff's.
    assert!(!browser.text().await.contains("Against"));
    owner.post(&format!("{path}/stages/1/rounds/1/publish"), json!({})).await.is(200);
    browser.sees("Against: 하늘").await;
    browser.sees("Deck 1").await;
    browser.sees("Match code").await;
    browser.go(&format!("{page}?screen=1")).await;
    browser.sees("Deck 1").await;
    browser.close().await;
}

#[tokio::test]
async fn a_draft_takes_no_result_before_it_is_published() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stages = json!([{ "format": { "kind": "swiss", "rounds": 1 }, "scoring": scoring }]);
    let new = json!({ "name": "Cup", "game": "other", "title": "Catan", "stages": stages });
    let made = owner.post("/tournaments", new).await.is(201);
    let path = format!("/tournaments/{}", text(&made, "id"));
    owner.post(&format!("{path}/registration"), json!({})).await.is(200);
    for name in &NAMES[..2] {
        owner.post(&format!("{path}/entrants"), json!({ "display_name": name })).await.is(201);
    }
    for step in ["/start", "/pair"] {
        owner.post(&format!("{path}{step}"), json!({})).await.is(200);
    }
    let desk = app.owner_at_pages().await;
    let drafted = desk.open(&format!("/admin{path}")).await.text();
    assert!(drafted.contains("Details") && !drafted.contains("Write the result"), "{drafted}");
    owner.post(&format!("{path}/stages/1/rounds/1/publish"), json!({})).await.is(200);
    let published = desk.open(&format!("/admin{path}")).await.text();
    assert!(published.contains("Write the result"), "{published}");
}

/// Three come, play by one tap each, one pauses, a fourth joins on the phone, and the window is closed.
#[tokio::test]
async fn an_arena_is_run_by_taps() {
    play_arena(Browser::open(1024, 768, "en").await).await;
}

#[tokio::test]
async fn an_arena_is_run_without_javascript() {
    play_arena(Browser::open_without_javascript(1024, 768, "en").await).await;
}

async fn play_arena(browser: Browser) {
    let arena = [("format-1", "arena"), ("least-1", "2"), ("most-1", "2"), ("patience-1", "600")];
    let night = Night::make(browser, &arena).await;
    let Night { app, browser, .. } = &night;
    night.enter(&NAMES[..3]).await;
    night.start(3).await;
    browser.press_saying(".next-step button", "Open the arena").await;
    browser.sees("The arena is open.").await;
    browser.sees("1 waiting, 2 playing, 0 pausing.").await;
    browser.find("time.clock").await;
    // A tap says who won, and the one who waited plays at once.
    browser.press_saying(".bout .base button", "wins").await;
    browser.sees("The result is written down.").await;
    browser.sees("1 waiting, 2 playing, 0 pausing.").await;
    browser.press_saying("section[aria-labelledby=arena] button", "Pause").await;
    browser.sees("They pause.").await;
    browser.sees("0 waiting, 2 playing, 1 pausing.").await;
    // The phone of somebody new is paired as soon as somebody is free.
    let phone = app.anybody();
    let entry = phone.open(&night.guests).await;
    let entered = phone.submit(&entry, &format!("{}/entry", night.guests), &[("display_name", "Íñigo")]).await;
    assert_eq!(entered.status, 303);
    let waits = phone.open(&night.guests).await;
    assert!(waits.text().contains("As soon as somebody is free you play."), "{}", waits.text());
    night.go("").await;
    browser.press_saying(".bout .base button", "wins").await;
    browser.sees("The result is written down.").await;
    let plays = phone.open(&night.guests).await;
    assert!(plays.text().contains("Against") && plays.text().contains("Deck"), "{}", plays.text());
    let paused = phone.submit(&plays, &format!("{}/pause", night.guests), &[]).await;
    assert_eq!(paused.status, 303);
    assert!(phone.open(&night.guests).await.text().contains("You pause after this bout."));
    browser.press_saying("section[aria-labelledby=arena] button", "Back").await;
    browser.sees("They are back.").await;
    browser.press_saying("section[aria-labelledby=arena] button", "+10 min").await;
    browser.sees("The round has more time.").await;
    browser.press_saying(".next-step button", "Pause the arena").await;
    browser.sees("The arena pauses").await;
    browser.press_saying(".next-step button", "Go on").await;
    browser.sees("The arena goes on.").await;
    browser.press_saying(".next-step button", "Close the arena").await;
    browser.sees("The arena is closed.").await;
    loop {
        let whole = app.owner().await.get(&format!("/tournaments/{}", night.id)).await.is(200);
        if text(&whole["next"], "step") == "finish" {
            break;
        }
        night.go("").await;
        browser.press_saying(".bout .base button", "wins").await;
        browser.sees("The result is written down.").await;
    }
    night.go("").await;
    night.finish(4).await;
    night.browser.close().await;
}

#[tokio::test]
async fn a_phone_says_at_once_at_which_table_its_owner_plays() {
    let app = TestApp::start();
    let owner = app.owner().await;
    owner.post("/tables", json!({ "name": "Deck 1", "seats": 4 })).await.is(201);
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 0 } });
    let format = json!({ "kind": "arena", "minutes": 60, "least": 2, "most": 2, "patience": 60, "streaks": false });
    let stages = json!([{ "format": format, "scoring": scoring }]);
    let made = owner.post("/tournaments", json!({ "name": "Arena", "game": "perudo", "stages": stages })).await.is(201);
    let path = format!("/tournaments/{}", text(&made, "id"));
    for step in ["/registration", "/start", "/stages/1/rounds/1/start"] {
        owner.post(&format!("{path}{step}"), json!({})).await.is(200);
    }
    let browser = Browser::open_phone("en").await;
    browser.go(&format!("{}/tournaments/{}", app.url(), text(&made, "code"))).await;
    browser.fill("#display_name", "Lucía").await;
    browser.press("#enter button").await;
    browser.sees("As soon as somebody is free you play.").await;
    // Nobody touches the phone.
    app.guest("하늘").await.post(&format!("{path}/entrants"), json!({})).await.is(201);
    browser.sees("Deck 1").await;
    browser.sees("하늘").await;
    browser.sees("Match code").await;
    browser.close().await;
}

#[tokio::test]
async fn a_countdown_is_right_again_after_the_clock_of_the_device_was_set() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stages = json!([{ "format": { "kind": "swiss", "rounds": 1 }, "scoring": scoring }]);
    let new = json!({ "name": "Cup", "game": "other", "title": "Catan", "stages": stages, "round_minutes": 30 });
    let made = owner.post("/tournaments", new).await.is(201);
    let path = format!("/tournaments/{}", text(&made, "id"));
    owner.post(&format!("{path}/registration"), json!({})).await.is(200);
    for name in &NAMES[..2] {
        owner.post(&format!("{path}/entrants"), json!({ "display_name": name })).await.is(201);
    }
    for step in ["/start", "/pair", "/stages/1/rounds/1/publish", "/stages/1/rounds/1/start"] {
        owner.post(&format!("{path}{step}"), json!({})).await.is(200);
    }
    let browser = Browser::open_phone("en").await;
    browser.go(&format!("{}/tournaments/{}", app.url(), text(&made, "code"))).await;
    // The real time is that of the server, which runs on the same machine. Only what was fetched since then counts.
    let off = "const live = document.querySelector('#tournament'), time = document.querySelector('time.clock');
        if (live.dataset.time === window.seen) return document.body.dispatchEvent(new Event('changed')) && null;
        const [minutes, seconds] = time.textContent.split(':');
        return Math.abs((Date.parse(time.dateTime) - realNow()) / 1000 - minutes * 60 - seconds);";
    browser.run("window.realNow = Date.now").await;
    for minutes in [0, 10, -10] {
        let set = format!(
            "window.seen = document.querySelector('#tournament').dataset.time;
             Date.now = () => realNow() + {minutes} * 60000;"
        );
        browser.run(&set).await;
        eventually("the countdown is right", async || {
            browser.run(off).await.as_f64().is_some_and(|it| it < 5.0).then_some(())
        })
        .await;
    }
    browser.close().await;
}
