//! Four phones play each game to its end by taps. One of them is reloaded on the way, one loses its network
//! and gets it back, and one is replaced by another phone.

use std::time::{Duration, Instant};

use engine::{Source, playout};
use harness::{Browser, eventually};
use serde_json::{Value, json};

use crate::play::{Phones, Table};

const PHONES: usize = 4;
/// The game in which one player goes on with another phone.
const WITH_ANOTHER_PHONE: &str = "liars-dice";
/// A match that takes more taps does not end.
const MOST_TAPS: usize = 600;
const TAP: Duration = Duration::from_millis(20);
/// What cannot be taken back is held for 400 ms.
const HOLD: Duration = Duration::from_millis(440);
/// The page says that the network is gone no later than that, in milliseconds.
const SAID_WITHIN: f64 = 2000.;

/// How a page of the match stands.
const STATE: &str = "
    const play = document.querySelector('#play');
    if (!play) return null;
    const { version, status } = play.dataset;
    const sent = performance.getEntriesByType('resource').some(it => it.name.endsWith('/moves'));
    const shown = query => document.querySelector(query)?.hidden === false;
    return { version: Number(version), sent, status, mine: 'mine' in play.dataset,
        can: !!play.querySelector('form.move button:not([type=button])'),
        refused: !!play.querySelector('.refused'), sending: document.documentElement.classList.contains('sending'),
        offline: shown('#offline'), says: document.querySelector('#play-say').textContent }";

/// Notes when the network goes, and when the page says so.
const LISTEN: &str = "
    const bar = document.querySelector('#offline');
    window.gone = window.said = 0;
    addEventListener('offline', () => { gone = performance.now(); }, { once: true });
    new MutationObserver(() => { if (!bar.hidden) said ||= performance.now(); }).observe(bar, { attributeFilter: ['hidden'] })";

/// Marks what is tapped to make a choice at random, and says how much that is. A player who may doubt or draw does so mostly: it
/// ends sooner.
const PLAN: &str = "
    const numbers = arguments[0];
    performance.clearResourceTimings();
    const next = () => numbers.pop() ?? 0;
    const pick = list => list[Math.floor(next() * list.length)];
    for (const name of ['tap', 'chosen']) document.querySelectorAll(`[data-${name}]`).forEach(it => delete it.dataset[name]);
    const forms = [...document.querySelectorAll('#play form.move')].filter(it => it.querySelector('button:not([type=button])'));
    if (!forms.length) return null;
    const calls = forms.find(it => it.matches('.calls'));
    const form = next() < .6 && calls || pick(forms);
    form.dataset.chosen = '';
    const taps = [];
    for (let it = form.closest('details'); it; it = it.parentElement.closest('details')) {
        if (!it.open) taps.unshift(it.querySelector('summary'));
    }
    const groups = Map.groupBy(form.querySelectorAll('input:is([type=radio], [type=checkbox]):enabled'), it => it.name);
    for (const group of groups.values()) {
        const lacks = group[0].required && !group.some(it => it.checked);
        if (lacks || next() < .4) taps.push(pick(group).closest('label'));
    }
    taps.forEach((it, number) => { it.dataset.tap = number; });
    return taps.length";

/// Where the next tap goes, or what lies over it; none where a form has nothing to press.
const PLACE: &str = "
    const number = arguments[0], lot = arguments[1];
    const buttons = [...document.querySelectorAll('[data-chosen] button:enabled:not([type=button])')];
    const draw = lot < .85 && buttons.find(it => it.matches('.draw:not(.cant)'));
    const key = document.querySelector('[data-chosen] [data-commit]:not([hidden])');
    const it = number === -2 ? key : document.querySelector(`[data-tap='${number}']`) ?? (draw || buttons[Math.floor(lot * buttons.length)]);
    if (!it) return null;
    it.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { x, y, width, height } = it.getBoundingClientRect();
    const [across, down] = [x + width / 2, y + height / 2];
    const over = document.elementFromPoint(across, down);
    return { x: across, y: down, holds: 'hold' in it.dataset, says: !!key && 'say' in it.dataset, what: it.outerHTML.slice(0, 200),
        over: over && (it.contains(over) || over.contains(it)) ? null : over?.outerHTML.slice(0, 200) ?? 'nothing' }";

/// A match of which four are at it with phones, and the others, if it needs more, with forms.
struct Game {
    phones: Vec<Browser>,
    others: Option<Phones>,
    /// Of the table and of the match.
    addresses: (String, String),
    chance: Box<dyn Source + Send>,
    taps: usize,
    /// What was tapped last.
    tapped: String,
    /// From the tap to the new board on all phones.
    waits: Vec<Duration>,
}

impl Game {
    /// Four scan the code of a table and sit down to this game, as its options say.
    async fn begin(table: &Table, game: &str, seats: usize, options: Value) -> Self {
        let rules = table.house_rules(game, options).await;
        let mut phones = Vec::new();
        for number in 0..PHONES {
            let phone = Browser::open_phone("en").await;
            // Half of the guests prefer dark pages and little motion.
            if number % 2 == 1 {
                phone.prefer("dark").await;
            }
            phone.go(&format!("{}{}", table.app.url(), table.path)).await;
            phone.fill("#display_name", &format!("Guest {number}")).await;
            phone.press("form[action$='/members'] button.main").await;
            phone.find("form[action$='/calls']").await;
            phones.push(phone);
        }
        let first = &phones[0];
        first.go(&format!("{}{}/play?game={game}", table.app.url(), table.path)).await;
        first.press(&format!("label:has([name=seats][value='{seats}'])")).await;
        first.press(&format!("label:has([name=variant][value='{rules}'])")).await;
        first.press("form.start-match button.main").await;
        first.find("#play.is-waiting").await;
        let path = first.client.current_url().await.expect("it is open").path().to_owned();
        for phone in &phones[1..] {
            // Who has the table's page open is shown the match.
            phone.press(&format!("a[href='{path}']")).await;
            phone.press("form.sit button.main").await;
            phone.find("form.leave").await;
        }
        let others = match seats - PHONES {
            0 => None,
            more => Some(table.join(&path, more).await),
        };
        eventually("all are there", async || {
            (first.run("return document.querySelector('form.start button').disabled").await == false).then_some(())
        })
        .await;
        first.press("form.start button").await;
        for phone in &phones {
            phone.find("#play.is-running").await;
        }
        let chance = Box::new(playout::random(seats as u64));
        let url = table.app.url();
        let addresses = (format!("{url}{}", table.path), format!("{url}{path}"));
        Game { phones, others, addresses, chance, taps: 0, tapped: String::new(), waits: Vec::new() }
    }

    fn lot(&mut self) -> f64 {
        f64::from(self.chance.below(1 << 20)) / f64::from(1 << 20)
    }

    async fn state(&self, seat: usize) -> Value {
        let state = self.phones[seat].client.execute(STATE, vec![]).await;
        state.unwrap_or(Value::Null)
    }

    /// All phones show this version, or a later one.
    async fn all_show(&self, version: u64) {
        for seat in 0..PHONES {
            eventually(&format!("version {version} on phone {seat}"), async || {
                let state = self.state(seat).await;
                (state["version"].as_u64() >= Some(version)).then_some(())
            })
            .await;
        }
    }

    /// A phone on which something can be chosen, if there is one; who is on turn goes first.
    async fn mover(&mut self) -> Option<(usize, Value)> {
        let states: [Value; PHONES] = tokio::join!(self.state(0), self.state(1), self.state(2), self.state(3)).into();
        let can = states.into_iter().enumerate().filter(|(_, state)| state["can"] == true);
        let (on_turn, may): (Vec<_>, Vec<_>) = can.partition(|(_, state)| state["mine"] == true);
        let mut movers = if on_turn.is_empty() { may } else { on_turn };
        let lot = self.chance.below(movers.len().max(1) as u32) as usize;
        (!movers.is_empty()).then(|| movers.swap_remove(lot))
    }

    /// Makes a choice at random by taps, up to the last one; false where the form cannot be sent as it is.
    async fn choose(&mut self, seat: usize) -> bool {
        let numbers: Vec<f64> = (0..40).map(|_| self.lot()).collect();
        let taps = self.phones[seat].client.execute(PLAN, vec![json!(numbers)]).await.expect("it is planned");
        let taps = taps.as_u64().unwrap_or_else(|| panic!("nothing to choose on phone {seat}"));
        // What is chosen, then the key that makes it, and in some games one more on which the choice is said first.
        let mut steps: Vec<i64> = (0..taps as i64).chain([-1]).rev().collect();
        while let Some(step) = steps.pop() {
            let arguments = vec![json!(step), json!(self.lot())];
            let phone = &self.phones[seat];
            let place = phone.client.execute(PLACE, arguments).await.expect("it can be found");
            if place.is_null() {
                return false;
            }
            assert!(place["over"].is_null(), "{} lies over {}", place["over"], place["what"]);
            let at = (place["x"].as_f64().expect("a number"), place["y"].as_f64().expect("a number"));
            phone.touch(at, if place["holds"] == true { HOLD } else { TAP }).await;
            self.taps += 1;
            self.tapped = place["what"].to_string();
            if step == -1 && place["says"] == true {
                steps.push(-2);
            }
        }
        true
    }

    /// Somebody makes a choice, and all others see what came of it.
    async fn step(&mut self) {
        let Some((seat, _)) = self.mover().await else {
            if let Some(others) = &mut self.others {
                others.move_all().await;
                let version = others.version().await;
                self.all_show(version).await;
            }
            return;
        };
        if !self.choose(seat).await {
            return;
        }
        let tapped = Instant::now();
        let after = self.answered(seat).await;
        if after["refused"] == false {
            self.all_show(after["version"].as_u64().expect("a number")).await;
            self.waits.push(tapped.elapsed());
        }
    }

    /// The page once the choice was answered.
    async fn answered(&self, seat: usize) -> Value {
        eventually(&format!("an answer to {}", self.tapped), async || {
            let state = self.state(seat).await;
            (state["sent"] == true && state["sending"] == false).then_some(state)
        })
        .await
    }

    async fn is_over(&self) -> bool {
        self.state(0).await["status"] == "finished"
    }

    /// The player on turn loses the network and chooses all the same: it counts once, as soon as the network is back.
    async fn choose_offline(&mut self) {
        let (seat, before) = loop {
            match self.mover().await {
                Some(mover) => break mover,
                None => self.step().await,
            };
        };
        self.phones[seat].run(LISTEN).await;
        self.phones[seat].offline(true).await;
        let said = eventually("the bar that says so", async || {
            self.phones[seat].run("return window.said ? said - gone : null").await.as_f64()
        })
        .await;
        assert!(said < SAID_WITHIN, "the bar came after {said} ms");
        while !self.choose(seat).await {}
        eventually("a word that the choice is kept", async || {
            let says = self.state(seat).await["says"].as_str().unwrap_or_default().to_owned();
            says.starts_with("Waiting").then_some(())
        })
        .await;
        let other = (seat + 1) % PHONES;
        assert_eq!(self.state(other).await["version"], before["version"]);
        self.phones[seat].offline(false).await;
        let after = self.answered(seat).await;
        if after["refused"] == false {
            let version = before["version"].as_u64().expect("a number") + 1;
            self.all_show(version).await;
            assert_eq!(self.state(other).await["version"], version, "it counted more than once");
        }
        eventually("the bar goes", async || (self.state(seat).await["offline"] == false).then_some(())).await;
    }

    /// This player's phone died: another one asks to be theirs, somebody of the party says yes, and it goes on there.
    async fn replace_phone(&mut self, seat: usize) {
        let (table, path) = &self.addresses;
        let new = Browser::open_phone("en").await;
        new.go(&format!("{table}/phone")).await;
        new.press_saying("form.ask button", &format!("Guest {seat}")).await;
        let other = &self.phones[(seat + 1) % PHONES];
        other.press("form.answer-claim button[value=yes]").await;
        new.press("form.take button").await;
        new.find("form[action$='/calls']").await;
        new.go(path).await;
        new.find("[data-seated]").await;
        let old = std::mem::replace(&mut self.phones[seat], new);
        old.go(path).await;
        assert_eq!(
            old.run("return document.querySelector('[data-seated]')").await,
            Value::Null,
            "it is theirs no more"
        );
        old.close().await;
    }

    /// To the end: after some moves somebody reloads, then somebody loses the network, and in the end a phone dies.
    async fn play(&mut self, game: &str) {
        let began = Instant::now();
        let mut steps = 0;
        while !self.is_over().await {
            match steps {
                3 => self.phones[1].client.refresh().await.expect("it can be reloaded"),
                4 => self.choose_offline().await,
                5 if game == WITH_ANOTHER_PHONE => self.replace_phone(2).await,
                _ => self.step().await,
            }
            steps += 1;
            assert!(self.taps < MOST_TAPS && steps < MOST_TAPS, "it does not end");
        }
        for phone in &self.phones {
            phone.find("#play.is-finished .places").await;
            phone.find("form.rematch").await;
        }
        self.waits.sort();
        println!(
            "{game}: {} taps, {} moves by phones in {:?}; on all phones after {:?} in the middle",
            self.taps,
            self.waits.len(),
            began.elapsed(),
            self.waits.get(self.waits.len() / 2)
        );
    }

    async fn close(self) {
        for phone in self.phones {
            phone.close().await;
        }
    }
}

async fn is_played_by_taps(game: &str, seats: usize, options: Value) {
    let table = Table::open().await;
    let mut played = Game::begin(&table, game, seats, options).await;
    played.play(game).await;
    played.close().await;
}

#[tokio::test]
async fn four_phones_play_perudo() {
    is_played_by_taps("perudo", 4, json!({ "calza": true })).await;
}

#[tokio::test]
async fn four_phones_play_perudo_with_pirates() {
    is_played_by_taps("perudo-pirates", 4, json!({ "first_blood": true, "high_risk": true, "showdown": true })).await;
}

#[tokio::test]
async fn four_phones_play_liars_dice() {
    is_played_by_taps("liars-dice", 4, json!({})).await;
}

#[tokio::test]
async fn four_phones_play_dead_mans_draw() {
    is_played_by_taps("dead-mans-draw", 4, json!({ "traits": true })).await;
}

#[tokio::test]
async fn four_phones_and_six_others_play_animal_kingdom() {
    is_played_by_taps("animal-kingdom", 10, json!({ "max_rounds": 4 })).await;
}

#[tokio::test]
async fn four_phones_play_hogu_clue() {
    is_played_by_taps("hogu-clue", 4, json!({ "max_rounds": 3 })).await;
}

#[tokio::test]
async fn four_phones_play_middle_race() {
    is_played_by_taps("middle-race", 4, json!({ "track_length": 10, "move_cards": 3 })).await;
}
