//! Everybody who is at the house, and what they do if it does not answer: ask again, at another address.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

use harness::{Answer, Visitor, within};
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::cafe::OWNER;
use super::faults::Fault;
use super::played::Played;

/// Nothing may be away for longer.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);
/// Who has no answer by then asks somewhere else.
const ANSWER: Duration = Duration::from_secs(5);
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// What they share.
pub(super) struct Crowd {
    addresses: RefCell<Vec<String>>,
    next: Cell<usize>,
    is_over: Cell<bool>,
    played: RefCell<Vec<Played>>,
    tally: RefCell<Tally>,
}

/// What was acknowledged, and what it took.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    faults: BTreeMap<Fault, u32>,
    pub(super) matches: u64,
    pub(super) moves: u64,
    pub(super) forms: u64,
    pub(super) tournaments: u64,
    pub(super) results: u64,
    pub(super) frames: u64,
    /// That brought these frames; a match takes several.
    pub(super) streams: u64,
    /// Attempts beyond the first.
    pub(super) retries: u64,
    /// How often anybody was told that there is no room.
    pub(super) full: u64,
}

impl Crowd {
    pub(super) fn at(addresses: Vec<String>) -> Self {
        Crowd {
            addresses: RefCell::new(addresses),
            next: Cell::new(0),
            is_over: Cell::new(false),
            played: RefCell::default(),
            tally: RefCell::default(),
        }
    }

    /// The processes are elsewhere now.
    pub(super) fn find(&self, addresses: Vec<String>) {
        self.addresses.replace(addresses);
    }

    /// The next address, so that everybody comes through every process.
    pub(super) fn address(&self) -> String {
        let next = self.next.get();
        self.next.set(next + 1);
        let addresses = self.addresses.borrow();
        addresses[next % addresses.len()].clone()
    }

    /// Sends it again until it is answered, whatever is wrong meanwhile. No answer says more than that the house is away.
    pub(super) async fn persist(&self, request: impl Fn(&str) -> RequestBuilder) -> Answer {
        let began = Instant::now();
        loop {
            match Answer::try_of(request(&self.address()).timeout(ANSWER)).await {
                Some(answer) if answer.status < 500 => return answer,
                Some(answer) => self.expect_away(&answer),
                None => {}
            }
            self.tally(|it| it.retries += 1);
            assert!(began.elapsed() < PATIENCE, "the service does not come back");
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn expect_away(&self, answer: &Answer) {
        let text = answer.text();
        assert_eq!(answer.status, 503, "{text}");
        if text.contains("storage_full") {
            self.tally(|it| it.full += 1);
        }
    }

    pub(super) async fn get(&self, who: &Visitor, path: &str) -> Answer {
        self.persist(|address| who.at(address).api(Method::GET, path)).await
    }

    pub(super) async fn post(&self, who: &Visitor, path: &str, body: serde_json::Value) -> Answer {
        self.persist(|address| who.at(address).api(Method::POST, path).json(&body)).await
    }

    pub(super) async fn guest(&self, name: &str) -> Visitor {
        let nobody = Visitor::new(&self.address());
        let signed_in = self.post(&nobody, "/auth/guest", json!({ "display_name": name })).await.is(201);
        nobody.bearing(signed_in["access_token"].as_str())
    }

    pub(super) async fn owner(&self) -> Visitor {
        let nobody = Visitor::new(&self.address());
        let owner = json!({ "email": OWNER.0, "password": OWNER.1 });
        let signed_in = self.post(&nobody, "/auth/login", owner).await.is(200);
        nobody.bearing(signed_in["access_token"].as_str())
    }

    /// A table for guests with phones: its address.
    pub(super) async fn set_table(&self) -> String {
        let owner = self.owner().await;
        let table = self.post(&owner, "/tables", json!({ "name": "Anchor", "seats": 4 })).await.is(201);
        format!("/t/{}", table["code"].as_str().expect("a table has a code"))
    }

    /// How often anybody was told that there is no room.
    pub(super) fn told_full(&self) -> u64 {
        self.tally.borrow().full
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Everybody has done something since the last fault, and then stops.
    pub(super) async fn go_home(&self) {
        let before = self.tally.borrow().clone();
        within(PATIENCE, "forms, results and frames", async || {
            let now = self.tally.borrow();
            (now.forms > before.forms && now.results > before.results && now.frames > before.frames).then_some(())
        })
        .await;
        self.is_over.set(true);
    }

    /// Waits until so many more moves were made.
    pub(super) async fn play_for(&self, moves: u32) {
        let enough = self.tally.borrow().moves + u64::from(moves);
        within(PATIENCE, "moves", async || (self.tally.borrow().moves >= enough).then_some(())).await;
    }

    pub(super) fn tally(&self, change: impl FnOnce(&mut Tally)) {
        change(&mut self.tally.borrow_mut());
    }

    pub(super) fn note(&self, fault: Fault) {
        self.tally(|it| *it.faults.entry(fault).or_default() += 1);
    }

    /// A match is over, or will not go on.
    pub(super) fn leave(&self, played: Played) {
        self.tally(|it| it.matches += 1);
        self.played.borrow_mut().push(played);
    }

    pub(super) fn take_played(&self) -> Vec<Played> {
        self.played.take()
    }

    pub(super) fn into_tally(self) -> Tally {
        self.tally.into_inner()
    }

    /// So far.
    pub(super) fn progress(&self) -> String {
        let Tally { moves, forms, results, frames, retries, .. } = &*self.tally.borrow();
        format!("{moves} moves, {forms} forms, {results} results, {frames} frames, {retries} retries")
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for (fault, times) in other.faults {
            *self.faults.entry(fault).or_default() += times;
        }
        self.matches += other.matches;
        self.moves += other.moves;
        self.forms += other.forms;
        self.tournaments += other.tournaments;
        self.results += other.results;
        self.frames += other.frames;
        self.streams += other.streams;
        self.retries += other.retries;
        self.full += other.full;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (fault, times) in &self.faults {
            writeln!(f, "{times:6} × {fault}")?;
        }
        writeln!(f, "{} matches: {} moves by API, {} by forms", self.matches, self.moves, self.forms)?;
        writeln!(f, "{} tournaments: {} results", self.tournaments, self.results)?;
        writeln!(f, "{} frames by {} streams", self.frames, self.streams)?;
        write!(f, "{} attempts failed, {} of them for want of room", self.retries, self.full)
    }
}
