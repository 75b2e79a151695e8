//! No state of a match keeps anybody out: axe-core looks at the page of each game in its lobby, on one's own turn and on another's,
//! at its end and on a screen, in three languages, by day and by night, on small phones and on a tablet.

use std::io::Write;

use harness::{Axe, Browser, eventually};
use serde_json::json;

use crate::play::{Phones, Table};

const LANGUAGES: [&str; 3] = ["ko", "en", "es"];
const THEMES: [&str; 2] = ["light", "dark"];
const SCREENS: [(u32, u32); 3] = [(320, 640), (360, 740), (768, 1024)];

/// The games with how many play them, and rules by which they do not take long.
const GAMES: [(&str, usize, &str); 7] = [
    ("perudo", 3, "{}"),
    ("perudo-pirates", 3, r#"{ "high_risk": true, "showdown": true }"#),
    ("liars-dice", 2, "{}"),
    ("dead-mans-draw", 2, r#"{ "traits": true }"#),
    ("animal-kingdom", 10, r#"{ "max_rounds": 4 }"#),
    ("hogu-clue", 3, r#"{ "max_rounds": 3 }"#),
    ("middle-race", 4, r#"{ "track_length": 10, "move_cards": 3 }"#),
];

struct Tour {
    browser: Browser,
    axe: Axe,
    table: Table,
    states: usize,
    /// In each language.
    looks: usize,
}

impl Tour {
    /// The page that is open, in each language: on one screen and theme after the other, closely in one language after the other; or
    /// all that closely in all of them.
    async fn look(&mut self, what: &str) {
        let all = SCREENS.into_iter().flat_map(|screen| THEMES.map(|theme| (theme, screen))).collect::<Vec<_>>();
        for (spoken, language) in LANGUAGES.into_iter().enumerate() {
            self.browser.speak(self.table.app.url(), language).await;
            self.browser.client.refresh().await.expect("it can be reloaded");
            self.browser.find(&format!("html[lang={language}] #play")).await;
            let is_close = self.looks == all.len() || self.states % LANGUAGES.len() == spoken;
            for number in 0..self.looks {
                let (theme, (width, height)) = all[(self.states + self.looks * spoken + number) % all.len()];
                self.browser.prefer(theme).await;
                self.browser.resize(width, height).await;
                let name = format!("{what} [{language} {theme} {width}]");
                match number {
                    0 if is_close => self.axe.look(&self.browser, &name).await,
                    _ => self.axe.look_again(&self.browser, &name).await,
                }
            }
        }
        self.states += 1;
    }

    async fn is(&self, what: &str) -> bool {
        self.browser.run(&format!("return {what}")).await == true
    }

    /// Whether the one who looks may move; the page is loaded again, since nothing else tells when the others have moved.
    async fn reload(&self, path: &str) -> bool {
        self.browser.go(&format!("{}{path}", self.table.app.url())).await;
        self.is("'mine' in document.querySelector('#play').dataset").await
    }

    async fn watch(&mut self, game: &str, seats: usize, options: &str) {
        let options = serde_json::from_str(options).expect("they are JSON");
        let rules = self.table.house_rules(game, options).await;
        let url = self.table.app.url().to_owned();
        self.browser.go(&format!("{url}{}/play?game={game}", self.table.path)).await;
        let choose = format!(
            "const form = document.querySelector('form.start-match'); form.querySelector(`[name=seats][value='{seats}']`).checked = true;
             form.querySelector(`[name=variant][value='{rules}']`).checked = true; form.requestSubmit()"
        );
        self.browser.run(&choose).await;
        self.browser.find("#play.is-waiting").await;
        let path = self.browser.client.current_url().await.expect("it is open").path().to_owned();
        self.look(&format!("{game}, lobby")).await;
        let mut others = self.table.join(&path, seats - 1).await;
        self.reload(&path).await;
        self.browser.run("document.querySelector('form.start').requestSubmit()").await;
        self.browser.find("#play.is-running").await;
        self.turns(game, &path, &mut others).await;
        self.browser.go(&format!("{url}{path}?screen=1")).await;
        self.look(&format!("{game}, screen")).await;
        self.reload(&path).await;
        self.browser.run("document.querySelector('form.resign')?.requestSubmit()").await;
        self.browser.find("#play:is(.is-finished, :not([data-seated]))").await;
        // The server plays for who has left, and the others play on.
        eventually("the end", async || {
            others.move_all().await;
            others.look(0).await.text().contains("data-status=\"finished\"").then_some(())
        })
        .await;
        self.reload(&path).await;
        self.browser.find("#play.is-finished").await;
        self.look(&format!("{game}, over")).await;
    }

    /// One's own turn, and another's: whichever comes first.
    async fn turns(&mut self, game: &str, path: &str, others: &mut Phones) {
        let mut seen = [false; 2];
        for number in 0..40 {
            if self.has_seen_both(game, path, &mut seen).await {
                return;
            }
            let choose = format!(
                "const forms = [...document.querySelectorAll('form.move')].filter(it => it.querySelector('button:not([type=button])'));
                 const form = forms[{number} % forms.length];
                 form?.querySelectorAll('input[required]').forEach(it => {{ it.checked = true; }});
                 form?.requestSubmit(form.querySelector('button:not([type=button])'))"
            );
            self.browser.run(&choose).await;
            self.browser.find("html:not(.sending)").await;
            if self.has_seen_both(game, path, &mut seen).await {
                return;
            }
            others.move_all().await;
        }
        panic!("{game} does not come to both: {seen:?}");
    }

    /// Looks at the page if whose turn it is was not seen yet: another's, and one's own.
    async fn has_seen_both(&mut self, game: &str, path: &str, seen: &mut [bool; 2]) -> bool {
        let mine = self.reload(path).await;
        if !seen[usize::from(mine)] {
            self.look(&format!("{game}, {}", if mine { "mine" } else { "another's" })).await;
            seen[usize::from(mine)] = true;
        }
        *seen == [true; 2]
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_state_of_a_match_keeps_anybody_out() {
    look_at_all(1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long"]
async fn no_state_of_a_match_keeps_anybody_out_in_any_look() {
    look_at_all(SCREENS.len() * THEMES.len()).await;
}

async fn look_at_all(looks: usize) {
    let table = Table::open().await;
    let browser = Browser::open(360, 740, "en").await;
    browser.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
    let axe = Axe::aboard(&browser).await;
    browser.go(&format!("{}{}", table.app.url(), table.path)).await;
    browser.fill("#display_name", "Lucía").await;
    browser.press("form[action$='/members'] button.main").await;
    browser.find("form[action$='/calls']").await;
    let mut tour = Tour { browser, axe, table, states: 0, looks };
    for (game, seats, options) in GAMES {
        tour.watch(game, seats, options).await;
    }
    tour.browser.close().await;
    let told = format!("axe-core, matches: {} states, {}\n", tour.states, tour.axe.summary());
    std::io::stderr().write_all(told.as_bytes()).expect("somebody listens");
    let wrong = tour.axe.violations();
    assert!(wrong.is_empty(), "{told}{wrong}");
}
