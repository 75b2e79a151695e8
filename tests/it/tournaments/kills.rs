//! The server is killed in the middle of a tournament: what it acknowledged is there, nothing else is half done, and the
//! tournament is played to its end.

use std::collections::BTreeSet;

use harness::{Answer, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::event::{Event, entrants, finishes, new, single, stage, swiss};

/// What everybody was told, and what is only kept.
const WRITTEN: [&str; 8] = [
    "tournaments",
    "tournament_entrants",
    "tournament_participants",
    "tournament_rounds",
    "tournament_bouts",
    "pending_bout_results",
    "matches",
    "audit_log",
];

impl Event {
    fn count(&self, count: &str) -> i64 {
        self.app.database().with(|client| client.query_one(count, &[])).expect("it counts").get(0)
    }

    /// Every row, once bouts know of their matches: until then they change by themselves.
    async fn written(&self) -> Vec<String> {
        let unsettled = "SELECT count(*) FROM pending_bout_results";
        eventually("bouts know of their matches", async || (self.count(unsettled) == 0).then_some(())).await;
        let rows = WRITTEN.map(|table| format!("SELECT '{table} ' || it::text FROM {table} AS it"));
        let all = format!("SELECT * FROM ({}) AS rows (line) ORDER BY line", rows.join(" UNION ALL "));
        let rows = self.app.database().with(|client| client.query(&all, &[])).expect("they can be read");
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// What staff send next, as the tournament itself has it; nothing after its end.
    async fn due(&self) -> Option<(String, Value)> {
        let whole = self.look().await;
        let (next, stage) = (&whole["next"], &whole["tournament"]["stage"]);
        let step = match next["step"].as_str().expect("staff do something next") {
            "pair" => "/pair".to_owned(),
            "publish" => format!("/stages/{stage}/rounds/{}/publish", next["round"]),
            "start_round" => format!("/stages/{stage}/rounds/{}/start", next["round"]),
            "results" => return Some(self.result_due(&whole)),
            "next_stage" => "/next-stage".to_owned(),
            "finish" => "/finish".to_owned(),
            "nothing" => return None,
            other => panic!("what comes next is {other}"),
        };
        Some((self.path(&step), json!({})))
    }

    /// The first that is missing: the lower number has won.
    fn result_due(&self, whole: &Value) -> (String, Value) {
        let round = whole["rounds"].as_array().expect("it has rounds").last().expect("one is played");
        let mut bouts = round["bouts"].as_array().expect("it has bouts").iter();
        let bout = bouts.find(|bout| bout["result"].is_null()).expect("one is not over");
        self.result_of(round["stage"].as_u64().expect("of a stage"), bout)
    }

    fn result_of(&self, stage: u64, bout: &Value) -> (String, Value) {
        let mut order = entrants(bout);
        order.sort_unstable();
        let key = bout["key"].as_str().expect("it has a key");
        (self.path(&format!("/stages/{stage}/bouts/{key}/result")), json!({ "finishes": finishes(&order) }))
    }

    /// Kills the server, and has everybody go to the one that takes its place.
    fn kill(&mut self) {
        self.app.kill_and_replace();
        self.staff = self.staff.at(self.app.url());
    }

    /// Staff send this; all of it is written but the last line, and nothing committed, when the server is killed.
    async fn kill_amid(&mut self, path: &str, body: &Value) {
        let lock = self.app.database().lock("audit_log");
        let asked = tokio::spawn(send(&self.staff, path, body));
        let waits = async || (self.app.database().waiting() > 0).then_some(());
        eventually("it is about to write the log", waits).await;
        self.app.server().kill();
        drop(lock);
        assert!(asked.await.expect("it ends").is_none(), "nobody was told anything");
        self.kill();
    }
}

fn send(who: &Visitor, path: &str, body: &Value) -> impl Future<Output = Option<Answer>> + Send + 'static {
    Answer::try_of(who.api(Method::POST, path).json(body))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_acknowledged_when_the_server_was_killed_was_not_begun() {
    let mut first = swiss(1);
    first["advance"] = json!(2);
    let mut event = Event::start(new("perudo", json!([first, single()])), 4).await;
    let mut steps = 0;
    while let Some((path, body)) = event.due().await {
        let before = event.written().await;
        event.kill_amid(&path, &body).await;
        assert_eq!(event.written().await, before, "{path}");
        event.staff.post(&path, body).await.is(200);
        steps += 1;
    }
    assert_eq!(steps, 5 + 1 + 4 + 1, "each stage's rounds with their bouts, what is between them, and the end");
    assert_eq!(event.standings(2).await[0], (1, 1));
    let correction = event.path("/stages/2/bouts/main-1-1/correction");
    let other = json!({ "finishes": finishes(&[2, 1]), "reason": "반대였어요" });
    let before = event.written().await;
    event.kill_amid(&correction, &other).await;
    assert_eq!(event.written().await, before);
    event.staff.post(&correction, other).await.is(200);
    assert_eq!(event.standings(2).await[0], (1, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_arena_that_is_killed_has_paired_everybody_or_nobody() {
    let format = json!({ "kind": "arena", "minutes": 60, "least": 2, "most": 2, "patience": 600, "streaks": false });
    let mut event = Event::start(new("perudo", json!([stage(format)])), 4).await;
    let mut due = (event.path("/stages/1/rounds/1/start"), json!({}));
    for _ in 0..7 {
        let before = event.written().await;
        event.kill_amid(&due.0, &due.1).await;
        assert_eq!(event.written().await, before, "{}", due.0);
        let done = event.staff.post(&due.0, due.1).await.is(200);
        let bouts = done["rounds"][0]["bouts"].as_array().expect("it has bouts").clone();
        let open: Vec<&Value> = bouts.iter().filter(|it| it["result"].is_null()).collect();
        let playing: Vec<u64> = open.iter().flat_map(|it| entrants(it)).collect();
        assert_eq!(playing.len(), playing.iter().collect::<BTreeSet<_>>().len(), "nobody plays twice");
        due = event.result_of(1, open[0]);
    }
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_when_the_server_was_killed_is_there() {
    // After three rounds one of eight has won all bouts.
    const ROUNDS: u8 = 3;
    let mut event = Event::start(new("perudo", json!([swiss(ROUNDS)])), 8).await;
    let mut played = 0;
    for acknowledged in 1..=ROUNDS {
        let (stage, _, bouts) = event.next_round().await;
        let (tell, mut told) = mpsc::unbounded_channel();
        let mut sent = Vec::new();
        for bout in &bouts {
            let (path, body) = event.result_of(stage, bout);
            let (asked, tell) = (send(&event.staff, &path, &body), tell.clone());
            let asked = tokio::spawn(async move {
                let answer = asked.await;
                tell.send(()).ok();
                answer
            });
            sent.push((path, body, asked));
        }
        for _ in 0..acknowledged {
            told.recv().await.expect("they are answered");
        }
        event.kill();
        for (bout, (path, body, asked)) in bouts.iter().zip(sent) {
            let key = bout["key"].as_str().expect("it has a key");
            if let Some(answer) = asked.await.expect("it ends") {
                answer.is(200);
                assert!(!event.bout(stage, key).await["result"].is_null(), "{key} was acknowledged");
            }
            event.staff.post(&path, body).await.is(200);
        }
        played += bouts.len() as i64;
        let noted = event.count("SELECT count(*) FROM audit_log WHERE action = 'tournament.result'");
        assert_eq!(noted, played, "each result is written down once");
    }
    event.step("/finish").await.is(200);
    let standings = event.standings(1).await;
    assert_eq!((standings.len(), standings[0]), (8, (1, 1)));
}
