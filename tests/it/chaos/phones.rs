//! A party with phones without scripts, at one table: they play match after match by plain forms.

use engine::{Source, catalogue};
use harness::{Answer, Visitor};
use reqwest::Method;
use serde_json::Value;

use super::crowd::Crowd;
use super::played::{Acknowledged, Played};
use crate::play::{PageForm, forms};

const PHONES: usize = 3;
/// So often may a page refuse what is pressed there because it was done already, which nobody heard.
const TRIES: usize = 20;

pub(super) async fn play(crowd: &Crowd, table: &str, mut chance: impl Source) {
    let mut people = Vec::new();
    for number in 0..PHONES {
        people.push(scan(crowd, table, &format!("Guest {number}")).await);
    }
    while !crowd.is_over() {
        let mut phones = Phones::begin(crowd, table, &people, &mut chance).await;
        while !crowd.is_over() && phones.make_a_move(&mut chance).await {}
        crowd.leave(phones.played);
    }
}

/// Somebody scans the code and joins the party.
async fn scan(crowd: &Crowd, table: &str, name: &str) -> Visitor {
    let who = Visitor::new(&crowd.address());
    let page = open(crowd, &who, table).await;
    let fields = [("display_name", name), ("party_size", "3")];
    let joined = crowd.persist(|address| who.at(address).form(&page, &format!("{table}/members"), &fields)).await;
    assert_eq!(joined.status, 303, "{}", joined.text());
    who
}

async fn open(crowd: &Crowd, who: &Visitor, path: &str) -> Answer {
    let page = crowd.persist(|address| who.at(address).page(Method::GET, path).header("accept", "text/html")).await;
    assert_eq!(page.status, 200, "{path}: {}", page.text());
    page
}

struct Phones<'a> {
    crowd: &'a Crowd,
    people: &'a [Visitor],
    /// Of the match's page.
    path: String,
    played: Played,
}

impl<'a> Phones<'a> {
    /// The first opens a match for as many as a game needs, and they sit down and start.
    async fn begin(crowd: &'a Crowd, table: &str, people: &'a [Visitor], chance: &mut impl Source) -> Self {
        let games = catalogue::GAMES.iter().map(|it| it.info());
        let games: Vec<_> = games.filter(|it| usize::from(*it.seats.start()) <= people.len()).collect();
        let game = &games[chance.below(games.len() as u32) as usize];
        let people = &people[..usize::from(*game.seats.start())];
        let page = open(crowd, &people[0], &format!("{table}/play?game={}", game.id)).await;
        let (action, seats) = (format!("{table}/matches"), people.len().to_string());
        let fields = [("game", game.id), ("seats", &seats)];
        let made = crowd.persist(|address| people[0].at(address).form(&page, &action, &fields)).await;
        assert_eq!(made.status, 303, "{}", made.text());
        let path = made.header("location").to_owned();
        let by_code = format!("/matches/by-code/{}", path.trim_start_matches("/m/"));
        let found: Value = crowd.get(&people[0], &by_code).await.is(200);
        let played = Played::new(found["id"].as_str().expect("a match has an id"));
        let phones = Phones { crowd, people, path, played };
        for seat in 1..people.len() {
            phones.press(seat, "sit").await;
        }
        phones.press(0, "start").await;
        phones
    }

    /// Sends this form until it is no longer there.
    async fn press(&self, seat: usize, class: &str) {
        let mut told = String::new();
        for _ in 0..TRIES {
            let page = open(self.crowd, &self.people[seat], &self.path).await;
            let Some(form) = forms(&page.text(), class).pop() else { return };
            told = self.send(seat, &page, &form.action, &form.fields).await.text();
        }
        panic!("the form {class} is still there: {told}");
    }

    async fn send(&self, seat: usize, page: &Answer, action: &str, fields: &[(String, String)]) -> Answer {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.crowd.persist(|address| self.people[seat].at(address).form(page, action, &fields)).await
    }

    /// Somebody who may chooses at random; false after the end.
    async fn make_a_move(&mut self, chance: &mut impl Source) -> bool {
        let first = chance.below(self.people.len() as u32) as usize;
        for seat in (0..self.people.len()).map(|seat| (seat + first) % self.people.len()) {
            let page = open(self.crowd, &self.people[seat], &self.path).await;
            if page.text().contains("data-status=\"finished\"") {
                return false;
            }
            let mut moves = forms(&page.text(), "move");
            moves.retain(PageForm::has_buttons);
            if !moves.is_empty() {
                self.choose(seat, &page, &moves, chance).await;
                return true;
            }
        }
        panic!("nobody can move at {}", self.path);
    }

    async fn choose(&mut self, seat: usize, page: &Answer, forms: &[PageForm], chance: &mut impl Source) {
        let form = &forms[chance.below(forms.len() as u32) as usize];
        let fields = form.filled(chance);
        let answer = self.send(seat, page, &form.action, &fields).await;
        match answer.status {
            303 => {
                self.played.moves.push(Acknowledged { seat, chosen: None });
                self.crowd.tally(|it| it.forms += 1);
            }
            // Not everything that a form can send is a move.
            422 => {}
            _ => panic!("{fields:?}: {} {}", answer.status, answer.text()),
        }
    }
}
