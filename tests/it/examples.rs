//! Writes down the examples of the OpenAPI document: requests and answers of an evening that is really played.

use std::fs;

use harness::{TestApp, Visitor, repository};
use reqwest::Method;
use serde_json::{Map, Value, json};

/// What was asked and answered, by the name of the operation.
struct Notes {
    document: Value,
    noted: Map<String, Value>,
}

impl Notes {
    fn new() -> Self {
        let text = fs::read_to_string(repository().join("docs/openapi.json")).expect("it is there");
        Notes { document: serde_json::from_str(&text).expect("it is JSON"), noted: Map::new() }
    }

    /// Asks, and notes question and answer under this name of the example.
    async fn ask(&mut self, who: &Visitor, operation: &str, places: &[(&str, &str)], body: Value, name: &str) -> Value {
        let (path, method) = self.address(operation);
        let path = places.iter().fold(path, |path, (place, value)| path.replace(&format!("{{{place}}}"), value));
        let mut request = who.page(Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"), &path);
        if !body.is_null() {
            request = request.json(&body);
        }
        let answer = harness::Answer::of(request).await;
        assert!(answer.status < 300, "{operation}: {} {}", answer.status, answer.text());
        let said = if answer.body.is_empty() { Value::Null } else { answer.json() };
        let note = self.noted.entry(operation).or_insert_with(|| json!({}));
        if !body.is_null() {
            note["request"][name] = body;
        }
        if !said.is_null() {
            note["answers"][answer.status.to_string()][name] = discreet(said.clone());
        }
        said
    }

    fn address(&self, operation: &str) -> (String, String) {
        let paths = self.document["paths"].as_object().expect("it has paths").iter();
        let methods = paths.flat_map(|(path, item)| item.as_object().into_iter().flatten().map(move |it| (path, it)));
        let found = methods.into_iter().find(|(_, (_, of))| of["operationId"] == operation);
        let (path, (method, _)) = found.unwrap_or_else(|| panic!("there is no operation {operation}"));
        (path.clone(), method.clone())
    }
}

/// Without tokens, even though they have long expired; and lists cut short.
fn discreet(mut said: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| match (name.as_str(), &*value) {
                ("access_token" | "refresh_token" | "join_token", Value::String(_)) => *value = "…".into(),
                _ => walk(value),
            }),
            Value::Array(items) => {
                items.truncate(8);
                items.iter_mut().for_each(walk);
            }
            _ => {}
        }
    }
    walk(&mut said);
    said
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} of {value}"))
}

async fn play(notes: &mut Notes, app: &TestApp, game: &str) -> Vec<Visitor> {
    let mut players = Vec::new();
    for name in ["하늘", "Lucía"] {
        let body = json!({ "display_name": name });
        notes.ask(&app.anybody(), "create_guest", &[], body.clone(), "guest").await;
        players.push(app.anybody().sign_in("/auth/guest", body, 201).await);
    }
    let options = if game == "perudo" { json!({ "calza": true }) } else { json!({}) };
    let made = json!({ "game": game, "seats": 2, "options": options });
    let made = notes.ask(&players[0], "create_match", &[], made, game).await;
    let id = [("id", text(&made, "id"))];
    for player in &players {
        notes.ask(player, "take_seat", &id, json!({ "nonce": "행운" }), game).await;
    }
    notes.ask(&players[0], "start_match", &id, Value::Null, game).await;
    let mut moves = 0;
    loop {
        let mut is_over = false;
        for player in &players {
            let seen = player.get(&format!("/matches/{}/view", id[0].1)).await.is(200);
            is_over |= seen["status"] != "running";
            let choices = seen["legal_moves"].as_array().cloned().unwrap_or_default();
            // Not always the first: that would be the same type of move again and again.
            let Some(chosen) = choices.get(moves % choices.len().max(1)) else { continue };
            let sent = json!({ "move": chosen, "version": seen["version"] });
            if moves == 2 {
                notes.ask(player, "find_view", &id, Value::Null, game).await;
                notes.ask(player, "find_match", &id, Value::Null, game).await;
                notes.ask(player, "play_move", &id, sent, game).await;
            } else {
                player.post(&format!("/matches/{}/moves", id[0].1), sent).await.is(200);
            }
            moves += 1;
        }
        if is_over {
            break;
        }
    }
    notes.ask(&players[1], "send_reaction", &id, json!({ "reaction": "well_played" }), game).await;
    notes.ask(&players[0], "list_events", &id, Value::Null, game).await;
    if game == "perudo" {
        notes.ask(&players[0], "list_matches", &[], Value::Null, game).await;
        notes.ask(&players[0], "replay_match", &id, Value::Null, game).await;
        notes.ask(&players[0], "create_rematch", &id, Value::Null, game).await;
    }
    notes.ask(&players[0], "find_record", &id, Value::Null, game).await;
    players
}

async fn hold_a_tournament(notes: &mut Notes, owner: &Visitor, players: &[Visitor]) {
    let points = json!({ "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 });
    let stage = json!({ "format": { "kind": "swiss", "rounds": 1 }, "scoring": { "points": points }, "tie_breaks": ["buchholz"], "advance": null });
    let made = json!({ "name": "금요일 페루도 대회", "game": "perudo", "mode": "scored", "stages": [stage] });
    let made = notes.ask(owner, "create_tournament", &[], made, "swiss").await;
    let id = text(&made, "id").to_owned();
    let at = [("id", id.as_str()), ("stage", "1"), ("round", "1")];
    let name = "swiss";
    notes.ask(owner, "open_tournament_registration", &at, Value::Null, name).await;
    for player in players {
        notes.ask(player, "enter_tournament", &at, Value::Null, name).await;
    }
    notes.ask(owner, "open_tournament_check_in", &at, Value::Null, name).await;
    for player in players {
        notes.ask(player, "check_in_myself", &at, Value::Null, name).await;
    }
    notes.ask(owner, "start_tournament", &at, Value::Null, name).await;
    let paired = notes.ask(owner, "pair_tournament", &at, Value::Null, name).await;
    let key = text(&paired["rounds"][0]["bouts"][0], "key").to_owned();
    notes.ask(owner, "publish_round", &at, Value::Null, name).await;
    notes.ask(owner, "start_round", &at, Value::Null, name).await;
    let bout = [at[0], at[1], ("bout", key.as_str())];
    let finishes = json!([{ "entrant": 1, "place": 1 }, { "entrant": 2, "place": 2 }]);
    notes.ask(owner, "find_following", &bout, json!({ "finishes": finishes }), name).await;
    notes.ask(owner, "write_bout_result", &bout, json!({ "finishes": finishes }), name).await;
    notes.ask(owner, "finish_tournament", &at, Value::Null, name).await;
    for read in ["find_tournament", "list_tournament_standings", "list_tournament_bracket", "list_entrants"] {
        notes.ask(owner, read, &at, Value::Null, name).await;
    }
}

async fn keep_the_floor(notes: &mut Notes, owner: &Visitor, player: &Visitor) {
    let table = notes.ask(owner, "create_table", &[], json!({ "name": "창가 1", "seats": 4 }), "table").await;
    let code = [("code", text(&table, "code"))];
    let seated = notes.ask(player, "scan_table", &code, json!({ "party_size": 3 }), "scan").await;
    notes.ask(player, "find_table_by_code", &code, Value::Null, "member").await;
    let sitting = [("id", text(&seated["sitting"], "id"))];
    let call = json!({ "reason": "rules", "note": "페루도에서 에이스는 어떻게 세나요?" });
    let call = notes.ask(player, "create_call", &sitting, call, "rules").await;
    notes.ask(owner, "answer_call", &[("id", text(&call, "id"))], json!({ "status": "heard" }), "heard").await;
    notes.ask(owner, "list_calls", &[], Value::Null, "open").await;
    notes.ask(owner, "close_sitting", &sitting, Value::Null, "left").await;
    let variant = json!({ "game": "perudo", "name": "금요일 밤", "options": { "calza": true } });
    let variant = notes.ask(owner, "create_variant", &[], variant, "variant").await;
    notes.ask(owner, "publish_variant", &[("id", text(&variant, "id"))], Value::Null, "variant").await;
    for read in ["list_tables", "list_variants", "find_cafe", "list_limits", "list_games", "list_reactions", "find_me"]
    {
        notes.ask(owner, read, &[], Value::Null, "all").await;
    }
    notes.ask(player, "find_player_stats", &[("id", player.id())], Value::Null, "player").await;
    notes.ask(player, "list_player_matches", &[("id", player.id())], Value::Null, "player").await;
}

/// `WRITE_EXAMPLES=1` writes them to the document's room; then `make schema` puts them into the document.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long"]
async fn an_evening_gives_the_examples_of_the_document() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let mut notes = Notes::new();
    let mut players = Vec::new();
    for kind in engine::catalogue::GAMES {
        players = play(&mut notes, &app, kind.info().id).await;
    }
    hold_a_tournament(&mut notes, &owner, &players).await;
    keep_the_floor(&mut notes, &owner, &players[0]).await;
    assert!(notes.noted.len() > 40, "{:?}", notes.noted.keys());
    if std::env::var_os("WRITE_EXAMPLES").is_some() {
        let text = serde_json::to_string_pretty(&notes.noted).expect("it is JSON") + "\n";
        let path = repository().join("api/web/src/openapi/examples.json");
        fs::write(path, text).expect("the repository can be written to");
    }
}
