//! Tables that play match after match by the API, any game, some of them against the clock.

use engine::{Source, catalogue};
use harness::Visitor;
use reqwest::Method;
use serde_json::{Value, json};

use super::crowd::Crowd;
use super::played::{Acknowledged, Played};
use super::watchers;

/// Less than a jump of the clock, and more than anybody needs.
const TURN_SECONDS: u32 = 120;

pub(super) async fn play(crowd: &Crowd, mut chance: impl Source) {
    while !crowd.is_over() {
        let mut table = Table::sit_down(crowd, &mut chance).await;
        let ended = watchers::End::default();
        let (who, id) = (table.people[0].clone(), table.played.id.clone());
        let play = async {
            while !crowd.is_over() && table.make_a_move(&mut chance).await {}
            ended.came_after(table.played.moves.len());
        };
        tokio::join!(play, watchers::watch(crowd, &who, &id, &ended));
        crowd.leave(table.played);
    }
}

struct Table<'a> {
    crowd: &'a Crowd,
    /// By seat.
    people: Vec<Visitor>,
    played: Played,
}

impl<'a> Table<'a> {
    async fn sit_down(crowd: &'a Crowd, chance: &mut impl Source) -> Self {
        let game = catalogue::GAMES[chance.below(catalogue::GAMES.len() as u32) as usize].info();
        let seats = usize::from(*game.seats.start());
        let mut people = Vec::new();
        for seat in 0..seats {
            people.push(crowd.guest(&format!("seat {seat}")).await);
        }
        let mut new = json!({ "game": game.id, "seats": seats });
        if chance.below(2) == 0 {
            new["turn_seconds"] = json!(TURN_SECONDS);
        }
        let made = crowd.post(&people[0], "/matches", new).await.is(201);
        let id = made["id"].as_str().expect("a match has an id");
        for (seat, person) in people.iter().enumerate() {
            // Refused if it was done already, which nobody heard.
            crowd.post(person, &format!("/matches/{id}/seats"), json!({ "seat": seat })).await;
        }
        crowd.post(&people[0], &format!("/matches/{id}/start"), json!({})).await.is(200);
        Table { crowd, people, played: Played::new(id) }
    }

    /// Somebody on turn moves; false after the end.
    async fn make_a_move(&mut self, chance: &mut impl Source) -> bool {
        let path = format!("/matches/{}", self.played.id);
        let shown = self.crowd.get(&self.people[0], &path).await.is(200);
        let Some(seat) = shown["view"]["to_move"][0].as_u64().map(|seat| seat as usize) else { return false };
        let seen = self.crowd.get(&self.people[seat], &format!("{path}/view")).await.is(200);
        let legal = seen["legal_moves"].as_array().expect("they are listed");
        let chosen = legal[chance.below(legal.len() as u32) as usize].clone();
        // Now and then an impatient player sends it twice.
        let answer = match chance.below(4) {
            0 => {
                let (answer, again) = tokio::join!(self.send(seat, &chosen), self.send(seat, &chosen));
                assert_eq!(again, answer);
                answer
            }
            _ => self.send(seat, &chosen).await,
        };
        self.played.moves.push(Acknowledged { seat, chosen: Some(chosen) });
        assert_eq!(answer["version"], self.played.moves.len());
        self.crowd.tally(|it| it.moves += 1);
        true
    }

    async fn send(&self, seat: usize, chosen: &Value) -> Value {
        let path = format!("/matches/{}/moves", self.played.id);
        let key = format!("{}-{}", self.played.id, self.played.moves.len());
        let send = |address: &str| {
            let request = self.people[seat].at(address).api(Method::POST, &path);
            request.header("idempotency-key", &key).json(&json!({ "move": chosen }))
        };
        self.crowd.persist(send).await.is(200)
    }
}
