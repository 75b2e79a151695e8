//! People who have sat down to a match, and play it with random legal moves.

use engine::{Source, playout};
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::visitor::{Answer, Visitor};

const NAMES: [&str; 10] = ["하늘", "Lucía", "민지", "Bea", "도윤", "Íñigo", "서연", "Ana", "지우", "Tom"];

/// People at a match that has started.
pub struct Party {
    /// By seat; the first made the match.
    pub players: Vec<Visitor>,
    /// The match.
    pub id: String,
    /// By seat, what they added to the chance.
    pub nonces: Vec<Option<String>>,
    chance: Box<dyn Source + Send>,
}

impl Party {
    /// So many guests make a match, sit down in order and start it. Every other one adds a nonce.
    pub async fn start(app: &TestApp, game: &str, seats: usize, options: Value) -> Self {
        let mut party = Party::gather(app, game, seats, options).await;
        party.begin().await;
        party
    }

    /// All sit down in order, and the first starts the match.
    pub async fn begin(&mut self) {
        for seat in 0..self.seats() {
            self.sit(seat).await.is(201);
        }
        self.players[0].post(&self.path("/start"), json!({})).await.is(200);
        self.chance = Box::new(playout::random(self.seats() as u64));
    }

    /// So many guests and a match that waits for all of them.
    pub async fn gather(app: &TestApp, game: &str, seats: usize, options: Value) -> Self {
        Party::gather_for(app, json!({ "game": game, "options": options, "seats": seats })).await
    }

    /// As many guests as this new match has seats for; the first makes it.
    pub async fn gather_for(app: &TestApp, new: Value) -> Self {
        let seats = new["seats"].as_u64().expect("a match has seats") as usize;
        let mut players = Vec::new();
        for name in NAMES.iter().take(seats) {
            players.push(app.guest(name).await);
        }
        let made = players[0].post("/matches", new).await.is(201);
        let id = made["id"].as_str().expect("a match has an id").to_owned();
        let nonces = (0..seats).map(|seat| (seat % 2 == 0).then(|| format!("행운 {seat}"))).collect();
        Party { players, id, nonces, chance: Box::new(playout::random(0)) }
    }

    /// People who have their seats already, at a match that somebody else made.
    pub fn seated(players: Vec<Visitor>, id: &str) -> Self {
        let nonces = vec![None; players.len()];
        Party { players, id: id.to_owned(), nonces, chance: Box::new(playout::random(0)) }
    }

    /// The player sits down at their seat.
    pub async fn sit(&self, seat: usize) -> Answer {
        let mut request = json!({ "seat": seat });
        if let Some(nonce) = &self.nonces[seat] {
            request["nonce"] = json!(nonce);
        }
        self.players[seat].post(&self.path("/seats"), request).await
    }

    /// The same people start another match like this one, in the same seats: its id. The party's own match stays what it was.
    pub async fn rematch(&self) -> String {
        let now = self.look().await;
        let request = json!({ "game": now["game"], "options": now["options"], "seats": self.seats() });
        let made = self.players[0].post("/matches", request).await.is(201);
        let id = made["id"].as_str().expect("a match has an id");
        for (seat, player) in self.players.iter().enumerate() {
            player.post(&format!("/matches/{id}/seats"), json!({ "seat": seat })).await.is(201);
        }
        self.players[0].post(&format!("/matches/{id}/start"), json!({})).await.is(200);
        id.to_owned()
    }

    /// Below the match's own address.
    pub fn path(&self, rest: &str) -> String {
        format!("/matches/{}{rest}", self.id)
    }

    /// They all turn to the process at this address.
    pub fn move_to(&mut self, url: &str) {
        self.players.iter_mut().for_each(|player| *player = player.at(url));
    }

    /// How many they are.
    pub fn seats(&self) -> usize {
        self.players.len()
    }

    /// What the player at this seat sees: the whole answer.
    pub async fn see(&self, seat: usize) -> Value {
        self.players[seat].get(&self.path("/view")).await.is(200)
    }

    /// What everybody may see: the whole answer.
    pub async fn look(&self) -> Value {
        self.players[0].get(&self.path("")).await.is(200)
    }

    /// The player at this seat makes this move.
    pub async fn play(&self, seat: usize, chosen: &Value) -> Answer {
        self.players[seat].post(&self.path("/moves"), json!({ "move": chosen })).await
    }

    /// The first seat whose turn it is, and what it sees; none after the end.
    pub async fn on_turn(&self) -> Option<(usize, Value)> {
        let public = self.look().await;
        let seat = public["view"]["to_move"][0].as_u64()? as usize;
        let seen = self.see(seat).await;
        Some((seat, seen))
    }

    /// One of these, at random.
    pub fn pick<'a>(&mut self, moves: &'a Value) -> &'a Value {
        let moves = moves.as_array().expect("legal moves are a list");
        &moves[self.chance.below(moves.len() as u32) as usize]
    }

    /// Somebody whose turn it is makes a random move: the seat and the answer. None after the end.
    pub async fn step(&mut self) -> Option<(usize, Value)> {
        let (seat, seen) = self.on_turn().await?;
        let chosen = self.pick(&seen["legal_moves"]).clone();
        let answer = self.play(seat, &chosen).await.is(200);
        Some((seat, answer))
    }

    /// The others play to the end, while the autopilot moves for this seat.
    pub async fn play_on_without(&mut self, gone: usize) {
        loop {
            let shown = self.look().await;
            if shown["status"] == "finished" {
                return;
            }
            if shown["clock"]["to_move"][0] == gone {
                let next = self.path(&format!("/view?after={}&wait=30", shown["version"]));
                self.players[(gone + 1) % self.seats()].get(&next).await.is(200);
            } else {
                self.step().await;
            }
        }
    }

    /// Random moves to the end: how many there were.
    pub async fn play_to_the_end(&mut self) -> usize {
        let mut moves = 0;
        while self.step().await.is_some() {
            moves += 1;
        }
        moves
    }
}
