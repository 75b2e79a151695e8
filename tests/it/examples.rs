//! Writes down the examples of the OpenAPI document: requests and answers of an evening that is really played.

use std::collections::BTreeMap;
use std::fs;

use engine::Kind;
use harness::{Answer, Party, Reply, Service, TestApp, Visitor, eventually, repository};
use reqwest::Method;
use serde_json::{Map, Value, json};

const NAMES: [&str; 10] = ["하늘", "Lucía", "민지", "Bea", "도윤", "Íñigo", "서연", "Ana", "지우", "Tom"];
const PASSWORD: &str = "파란 고래 셋이 웃는다";

/// What was asked and answered, by the name of the operation.
struct Notes {
    document: Value,
    noted: Map<String, Value>,
    /// Where the server is; nobody reads that.
    url: String,
}

impl Notes {
    fn new(url: &str) -> Self {
        let text = fs::read_to_string(repository().join("docs/openapi.json")).expect("it is there");
        let document = serde_json::from_str(&text).expect("it is JSON");
        Notes { document, noted: Map::new(), url: url.to_owned() }
    }

    /// Asks, and notes question and answer.
    async fn ask(&mut self, who: &Visitor, operation: &str, places: &[(&str, &str)], body: Value) -> Value {
        self.ask_as("example", who, operation, places, body).await
    }

    /// The same under this name of the example. What is no part of the path goes into the query.
    async fn ask_as(&mut self, name: &str, who: &Visitor, operation: &str, at: &[(&str, &str)], body: Value) -> Value {
        let (mut path, method) = self.address(operation);
        let mut query = Vec::new();
        for (field, value) in at {
            match path.contains(&format!("{{{field}}}")) {
                true => path = path.replace(&format!("{{{field}}}"), value),
                false => query.push((field, value)),
            }
        }
        let mut request = who.page(Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"), &path);
        if !query.is_empty() {
            request = request.query(&query);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        let answer = Answer::of(request).await;
        assert!(answer.status < 300, "{operation}: {} {}", answer.status, answer.text());
        let said = match answer.header("content-type") {
            _ if answer.body.is_empty() => Value::Null,
            kind if kind.starts_with("application/json") => answer.json(),
            _ => answer.text().into(),
        };
        let (asked, told) = (self.discreet(body), self.discreet(said.clone()));
        let note = self.noted.entry(operation).or_insert_with(|| json!({}));
        if !asked.is_null() {
            note["request"][name] = asked;
        }
        if !told.is_null() {
            note["answers"][answer.status.to_string()][name] = told;
        }
        said
    }

    /// Notes what is heard first.
    async fn listen(&mut self, who: &Visitor, operation: &str, (id, path): (&str, &str)) {
        let sent = who.listen(&path.replace("{id}", id), None).await.next().await.expect("something is sent");
        let text = format!("event: {}\nid: {}\ndata: {}\n\n", sent.event, sent.id, sent.data);
        self.noted.insert(operation.to_owned(), json!({ "answers": { "200": { "example": text } } }));
    }

    fn address(&self, operation: &str) -> (String, String) {
        let found = operations(&self.document).find(|(_, _, of)| of["operationId"] == operation);
        let (path, method, _) = found.unwrap_or_else(|| panic!("there is no operation {operation}"));
        (path.to_owned(), method.to_owned())
    }

    /// Without secrets, even though they have long expired; at an address of nobody; and lists cut short.
    fn discreet(&self, mut said: Value) -> Value {
        const SECRETS: [&str; 5] = ["access_token", "refresh_token", "join_token", "secret", "token"];
        fn walk(name: &str, value: &mut Value, url: &str) {
            match value {
                // What its references lead to is no part of this document.
                Value::Object(_) if name.ends_with("_schema") => *value = json!({ "type": "object" }),
                Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| walk(name, value, url)),
                Value::Array(items) => {
                    items.truncate(if name == "items" { 3 } else { 12 });
                    items.iter_mut().for_each(|it| walk(name, it, url));
                }
                Value::String(text) if SECRETS.contains(&name) => "…".clone_into(text),
                Value::String(text) if text.starts_with(url) => {
                    let way = text[url.len()..].rsplit_once('/').map_or("", |(way, _)| way);
                    *text = format!("https://cafe.example{way}/…");
                }
                Value::String(text) if text.starts_with("http://127.") => {
                    "https://example.org/house-rules".clone_into(text)
                }
                _ => {}
            }
        }
        walk("", &mut said, &self.url);
        said
    }

    /// Of answers of one shape the longest is kept: it says most, and stands for the others.
    fn keep_the_longest(&mut self) {
        let Notes { document, noted, .. } = self;
        let of =
            |operation| answers(operation).map(move |(status, shape)| (text(operation, "operationId"), status, shape));
        let all: Vec<_> = operations(document).flat_map(|(.., operation)| of(operation)).collect();
        let mut longest = BTreeMap::new();
        for (operation, status, shape) in &all {
            let at = format!("/answers/{status}/example");
            let example = noted.get(*operation).and_then(|it| it.pointer(&at));
            let length = example.map_or(0, |it| it.to_string().len());
            let kept = longest.entry(shape).or_insert((length, operation));
            *kept = (*kept).max((length, operation));
        }
        for (operation, status, _) in all.iter().filter(|(operation, _, shape)| longest[shape].1 != operation) {
            let named = noted.get_mut(*operation).and_then(|it| it.pointer_mut(&format!("/answers/{status}")));
            named.and_then(Value::as_object_mut).map(|named| named.remove("example"));
        }
    }

    /// Operations that nothing was asked of and whose shape of answer nothing else had.
    fn left_out(&self) -> Vec<String> {
        let has_answer = |of: &Value, status: &str| !self.noted[text(of, "operationId")]["answers"][status].is_null();
        let shapes: Vec<&str> = operations(&self.document)
            .filter(|(.., of)| self.noted.contains_key(text(of, "operationId")))
            .flat_map(|(.., of)| answers(of).filter(move |(status, _)| has_answer(of, status)).map(|(_, shape)| shape))
            .collect();
        let mut left_out = Vec::new();
        for (.., of) in operations(&self.document) {
            let operation = text(of, "operationId");
            let noted = self.noted.get(operation).cloned().unwrap_or_default();
            let asks = of.pointer("/requestBody/content/application~1json").is_some();
            if asks && noted["request"].is_null() {
                left_out.push(format!("{operation} is asked nothing"));
            }
            left_out
                .extend(answers(of).filter(|(_, it)| !shapes.contains(it)).map(|(_, it)| format!("{operation}: {it}")));
        }
        left_out
    }
}

/// Path, method and operation.
fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let methods = paths.flat_map(|(path, item)| item.as_object().into_iter().flatten().map(move |it| (path, it)));
    methods
        .map(|(path, (method, of))| (path.as_str(), method.as_str(), of))
        .filter(|(.., of)| of["operationId"].is_string())
}

/// The statuses of success with the schema that each has by name.
fn answers(operation: &Value) -> impl Iterator<Item = (&str, &str)> {
    let all = operation["responses"].as_object().into_iter().flatten().filter(|(status, _)| status.starts_with('2'));
    all.filter_map(|(status, it)| {
        Some((status.as_str(), it.pointer("/content/application~1json/schema/$ref")?.as_str()?))
    })
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} of {value}"))
}

fn id(value: &Value) -> [(&'static str, &str); 1] {
    [("id", text(value, "id"))]
}

async fn play(notes: &mut Notes, app: &TestApp, kind: &dyn Kind) -> Vec<Visitor> {
    let (game, seats) = (kind.info().id, usize::from(*kind.info().seats.start()));
    let mut players = Vec::new();
    for name in NAMES.into_iter().take(seats) {
        let body = json!({ "display_name": name });
        notes.ask(&app.anybody(), "create_guest", &[], body.clone()).await;
        players.push(app.anybody().sign_in("/auth/guest", body, 201).await);
    }
    let options = if game == "perudo" { json!({ "calza": true }) } else { json!({}) };
    let made = json!({ "game": game, "seats": seats, "options": options });
    let made = notes.ask_as(game, &players[0], "create_match", &[], made).await;
    let at = id(&made);
    for player in &players {
        notes.ask(player, "take_seat", &at, json!({ "nonce": "행운" })).await;
    }
    notes.ask(&players[0], "start_match", &at, Value::Null).await;
    let mut moves = 0;
    loop {
        let mut is_over = false;
        for player in &players {
            let seen = player.get(&format!("/matches/{}/view", at[0].1)).await.is(200);
            is_over |= seen["status"] != "running";
            let choices = seen["legal_moves"].as_array().cloned().unwrap_or_default();
            // Not always the first: that would be the same type of move again and again.
            let Some(chosen) = choices.get(moves % choices.len().max(1)) else { continue };
            let sent = json!({ "move": chosen, "version": seen["version"] });
            if moves == 2 {
                notes.ask_as(game, player, "find_view", &at, Value::Null).await;
                notes.ask(player, "find_match", &at, Value::Null).await;
                notes.ask_as(game, player, "play_move", &at, sent).await;
            } else {
                player.post(&format!("/matches/{}/moves", at[0].1), sent).await.is(200);
            }
            moves += 1;
        }
        if is_over {
            break;
        }
    }
    notes.ask_as(game, &players[0], "list_events", &at, Value::Null).await;
    notes.ask_as(game, &players[0], "find_record", &at, Value::Null).await;
    if game == "perudo" {
        notes.ask(&players[1], "send_reaction", &at, json!({ "reaction": "well_played" })).await;
        notes.ask(&players[0], "list_matches", &[], Value::Null).await;
        notes.ask(&players[0], "find_match_by_code", &[("code", text(&made, "code"))], Value::Null).await;
        notes.ask(&players[0], "replay_match", &at, Value::Null).await;
        notes.listen(&players[0], "stream_match", (at[0].1, "/matches/{id}/stream")).await;
        notes.ask(&players[0], "create_rematch", &at, Value::Null).await;
    }
    players
}

/// Matches that end otherwise, or need the staff.
async fn help_at_matches(notes: &mut Notes, app: &TestApp, owner: &Visitor) {
    let [one, other] = [app.guest("민지").await, app.guest("Bea").await];
    let new = json!({ "game": "perudo", "seats": 2, "visibility": "private" });
    let made = one.post("/matches", new).await.is(201);
    notes.ask(&one, "create_invitation", &id(&made), json!({ "player_id": other.id() })).await;
    notes.ask(&one, "list_invitations", &id(&made), Value::Null).await;
    notes.ask(owner, "abort_match", &id(&made), json!({ "reason": "주사위가 하나 없어요" })).await;

    let party = Party::start(app, "perudo", 3, json!({})).await;
    let at = [("id", party.id.as_str()), ("seat", "1")];
    notes.ask(owner, "remove_player", &at, json!({ "reason": "집에 가셨어요" })).await;
    let offered = json!({ "player_id": other.id(), "reason": "대신 두실 분이에요" });
    notes.ask(owner, "offer_seat", &at, offered).await;
    notes.ask(&party.players[0], "resign_match", &at, Value::Null).await;

    let new = json!({ "game": "perudo", "seats": 2, "mode": "scored" });
    let mut party = Party::gather_for(app, new).await;
    party.begin().await;
    let at = [("id", party.id.as_str()), ("number", "1")];
    notes.ask(&party.players[0], "report_result", &at, json!({ "ranks": [1, 2] })).await;
    notes.ask(&party.players[0], "list_results", &at, Value::Null).await;
    notes.ask(owner, "list_waiting_results", &[], Value::Null).await;
    notes.ask(owner, "confirm_result", &at, json!({ "reason": "점수표를 봤어요" })).await;
}

/// The friend's phone died. The guest says so, too.
async fn replace_phone(
    notes: &mut Notes,
    app: &TestApp,
    owner: &Visitor,
    (guest, friend): (&Visitor, &Visitor),
    (code, sitting): (&[(&str, &str)], &Value),
) {
    let new = app.anybody();
    notes.ask(&new, "list_table_guests", code, Value::Null).await;
    let ticket = notes.ask(&new, "create_claim", code, json!({ "player_id": friend.id() })).await;
    let token = [("token", text(&ticket, "token"))];
    let waiting = notes.ask(owner, "list_claims", &[], Value::Null).await;
    notes.ask(guest, "answer_claim", &id(&waiting["items"][0]), json!({ "status": "confirmed" })).await;
    notes.ask(&new, "find_own_claim", &token, Value::Null).await;
    let sign_in = json!({ "token": ticket["token"], "device": "Pixel 9" });
    notes.ask(&new, "take_claim", &[], sign_in).await;
    notes.ask(guest, "list_sitting_claims", &id(sitting), Value::Null).await;
    notes.ask(&new, "withdraw_claim", &token, Value::Null).await;
}

async fn keep_the_floor(notes: &mut Notes, app: &TestApp, owner: &Visitor) {
    let new = json!({ "name": "창가 1", "seats": 4, "area": "1층" });
    let table = notes.ask(owner, "create_table", &[], new).await;
    let other = owner.post("/tables", json!({ "name": "창가 2", "seats": 6 })).await.is(201);
    notes.ask(owner, "change_table", &id(&other), json!({ "out_of_service": "다리가 흔들려요" })).await;
    owner.patch(&format!("/tables/{}", text(&other, "id")), json!({ "out_of_service": null })).await.is(200);
    let (guest, friend) = (app.guest("도윤").await, app.guest("Íñigo").await);
    let code = [("code", text(&table, "code"))];
    let seated = notes.ask(&guest, "scan_table", &code, json!({ "party_size": 3 })).await;
    notes.ask(&guest, "find_table_by_code", &code, Value::Null).await;
    let sitting = &seated["sitting"];
    let token = owner.get(&format!("/sittings/{}", text(sitting, "id"))).await.is(200)["join_token"].clone();
    notes.ask(&friend, "join_sitting", &[], json!({ "join_token": token })).await;
    replace_phone(notes, app, owner, (&guest, &friend), (&code, sitting)).await;
    notes.ask(owner, "find_sitting", &id(sitting), Value::Null).await;
    notes.ask(owner, "change_sitting", &id(sitting), json!({ "party_size": 4 })).await;
    let asked = json!({ "reason": "rules", "note": "페루도에서 에이스는 어떻게 세나요?" });
    let call = notes.ask(&guest, "create_call", &id(sitting), asked).await;
    notes.ask(&guest, "list_sitting_calls", &id(sitting), Value::Null).await;
    notes.ask(owner, "list_calls", &[], Value::Null).await;
    notes.ask(owner, "answer_call", &id(&call), json!({ "status": "heard" })).await;
    let member = [("id", text(sitting, "id")), ("player_id", friend.id())];
    notes.ask(owner, "remove_member", &member, Value::Null).await;
    let opened = notes.ask(owner, "open_sitting", &id(&other), json!({ "party_size": 2 })).await;
    notes.ask(owner, "merge_sittings", &id(&opened), json!({ "into": sitting["id"] })).await;
    let note = notes.ask(owner, "write_shift_note", &[], json!({ "text": "3번 테이블 다리가 흔들려요" })).await;
    notes.ask(owner, "list_shift_notes", &[], Value::Null).await;
    notes.ask(owner, "mark_shift_note_read", &id(&note), Value::Null).await;
    notes.ask(owner, "find_day", &[], Value::Null).await;
    notes.ask(owner, "close_the_day", &[], json!({ "sittings": [], "matches": [], "copies": [] })).await;
    notes.ask(owner, "close_sitting", &id(sitting), Value::Null).await;
    notes.ask(owner, "list_sittings", &id(&table), Value::Null).await;
    let undos = notes.ask(owner, "list_undos", &[], Value::Null).await;
    notes.ask(owner, "undo", &id(&undos["items"][0]), Value::Null).await;
    notes.ask(owner, "list_tables", &[], Value::Null).await;
    let plan = owner.get("/floor-plans").await.is(200)["items"][0].clone();
    let place = json!({ "table_id": table["id"], "x": 1, "y": 1, "width": 4, "height": 3, "shape": "round" });
    let plan = json!({ "area": plan["area"], "version": plan["version"], "tables": [place] });
    notes.ask(owner, "save_floor_plan", &[], plan).await;
    notes.ask(owner, "list_floor_plans", &[], Value::Null).await;
}

async fn keep_the_waiting_list(notes: &mut Notes, app: &TestApp, owner: &Visitor) {
    let anybody = app.anybody();
    let door = notes.ask(owner, "renew_waiting_code", &[], Value::Null).await;
    let code = [("code", text(&door, "code"))];
    notes.ask(owner, "find_waiting_door", &[], Value::Null).await;
    notes.ask(&anybody, "open_waiting_door", &code, Value::Null).await;
    let new = json!({ "name": "하늘", "party_size": 4, "phone": "010-1234-5678" });
    let party = notes.ask(owner, "add_waiting", &[], new).await;
    let new = json!({ "name": "Lucía", "party_size": 2 });
    let ticket = notes.ask(&anybody, "join_waiting", &code, new).await;
    let token = [("token", text(&ticket, "token"))];
    notes.ask(&anybody, "find_own_waiting", &token, Value::Null).await;
    notes.ask(owner, "list_waiting", &[], Value::Null).await;
    notes.ask(owner, "change_waiting", &id(&party), json!({ "status": "called" })).await;
    notes.ask(owner, "find_waiting", &id(&party), Value::Null).await;
    notes.ask(&anybody, "leave_waiting", &token, Value::Null).await;
    let table = owner.post("/tables", json!({ "name": "창가 3", "seats": 4 })).await.is(201);
    let seated = notes.ask(owner, "seat_waiting", &id(&party), json!({ "table_id": table["id"] })).await;
    owner.delete(&format!("/sittings/{}", text(&seated, "id"))).await.is(200);
}

async fn keep_the_library(notes: &mut Notes, owner: &Visitor) {
    let table = owner.get("/tables").await.is(200)["items"][0]["id"].clone();
    let mut new = json!({
        "name": { "ko": "카탄", "en": "Catan", "es": "Catán" }, "players": { "from": 3, "to": 4 },
        "minutes": { "from": 60, "to": 120 }, "difficulty": "medium", "teach_minutes": 15,
        "rules_url": "https://example.org/catan",
    });
    let title = notes.ask(owner, "create_title", &[], new.clone()).await;
    new["difficulty"] = json!("easy");
    notes.ask(owner, "change_title", &id(&title), new).await;
    notes.ask(owner, "list_titles", &[("players", "4")], Value::Null).await;
    notes.ask(owner, "export_library", &[], Value::Null).await;
    let copy = notes.ask(owner, "add_copy", &id(&title), json!({ "shelf": "A3" })).await;
    notes.ask(owner, "change_copy", &id(&copy), json!({ "shelf": "B1" })).await;
    notes.ask(owner, "list_copies", &id(&title), Value::Null).await;
    let lend = [id(&copy)[0], ("errand", "lend")];
    notes.ask(owner, "move_copy", &lend, json!({ "table_id": table })).await;
    notes.ask(owner, "list_copies_by_state", &[("state", "table")], Value::Null).await;
    notes.ask(owner, "list_copy_history", &id(&copy), Value::Null).await;
    let notes_of = notes.ask(owner, "add_copy_note", &id(&copy), json!({ "text": "양 카드가 한 장 없음" })).await;
    notes.ask(owner, "settle_copy_note", &id(&notes_of["items"][0]), json!({ "settled": true })).await;
    let sheet = "Korean name,English name,Players from,Players to,Minutes from,Minutes to,Difficulty,Shelves\n\
                 윙스팬,Wingspan,1,5,40,70,Medium,B-2\n";
    let request = owner.api(Method::POST, "/library/import").header("content-type", "text/csv").body(sheet);
    let told = Answer::of(request).await.is(200);
    notes.noted.insert(
        "import_library".to_owned(),
        json!({ "request": { "example": sheet }, "answers": { "200": { "example": told } } }),
    );
}

async fn write_rules(notes: &mut Notes, owner: &Visitor) {
    let new = json!({ "game": "perudo", "name": "금요일 밤", "options": { "calza": true } });
    let variant = notes.ask(owner, "create_variant", &[], new).await;
    notes.ask(owner, "change_variant", &id(&variant), json!({ "description": "처음 오신 분도 쉽게" })).await;
    notes.ask(owner, "publish_variant", &id(&variant), Value::Null).await;
    notes.ask(owner, "create_variant_version", &id(&variant), json!({ "options": { "calza": false } })).await;
    notes.ask(owner, "list_variant_versions", &id(&variant), Value::Null).await;
    let version = [id(&variant)[0], ("number", "2"), ("from", "1")];
    notes.ask(owner, "compare_variant_versions", &version, Value::Null).await;
    // The shortest game there is, since bots play it many times.
    let new = json!({ "game": "hogu-clue", "name": "빠른 호구", "options": { "max_rounds": 2 } });
    let short = owner.post("/variants", new).await.is(201);
    let version = [id(&short)[0], ("number", "1")];
    notes.ask(owner, "ask_lab", &version, Value::Null).await;
    crate::lab::answered(owner, &format!("/variants/{}/versions/1/lab", version[0].1)).await;
    notes.ask(owner, "find_lab", &version, Value::Null).await;
    notes.ask(owner, "list_variants", &[], Value::Null).await;
}

async fn know_people(notes: &mut Notes, app: &TestApp, owner: &Visitor, player: &Visitor) {
    let anybody = app.anybody();
    let new =
        json!({ "email": "lucia@example.org", "password": PASSWORD, "display_name": "Lucía", "device": "Pixel 9" });
    let session = notes.ask(&anybody, "register_player", &[], new).await;
    notes.ask(&anybody, "refresh_session", &[], json!({ "refresh_token": session["refresh_token"] })).await;
    let account = json!({ "email": "lucia@example.org", "password": PASSWORD, "device": "Pixel 9" });
    let session = notes.ask(&anybody, "log_in", &[], account.clone()).await;
    let lucia = anybody.bearing(session["access_token"].as_str());
    notes.ask(&lucia, "change_me", &[], json!({ "display_name": "Lucía Gil" })).await;
    notes.ask(&lucia, "find_me", &[], Value::Null).await;
    notes.ask(&lucia, "list_sessions", &[], Value::Null).await;
    notes.ask(&lucia, "export_me", &[], Value::Null).await;
    let known = notes.ask(owner, "search_players", &[("q", "Lucía Gil")], Value::Null).await;
    let them = id(&known["items"][0]);
    notes.ask(owner, "rename_player", &them, json!({ "display_name": "Lucía" })).await;
    let ban = json!({ "reason": "다른 손님을 불편하게 함", "until": "2099-01-01T00:00:00Z" });
    notes.ask(owner, "ban_player", &them, ban).await;
    owner.delete(&format!("/players/{}/ban", them[0].1)).await.is(204);
    let guest = app.guest("Lucía").await;
    let into = [("id", guest.id()), ("into", them[0].1)];
    notes.ask(owner, "plan_merge", &into, Value::Null).await;
    notes.ask(owner, "merge_player", &into[..1], json!({ "into": them[0].1 })).await;

    let at = [("id", player.id()), ("game", "perudo")];
    for read in ["find_player", "find_player_stats", "list_player_matches", "list_rating_changes"] {
        notes.ask(player, read, if read == "list_rating_changes" { &at } else { &at[..1] }, Value::Null).await;
    }
    notes.ask(player, "list_leaderboard", &[at[1], ("provisional", "true")], Value::Null).await;

    let session = anybody.post("/auth/login", account.clone()).await.is(200);
    let lucia = anybody.bearing(session["access_token"].as_str());
    notes.ask(&lucia, "log_out", &[], json!({ "refresh_token": session["refresh_token"] })).await;
    let lucia = anybody.sign_in("/auth/login", account, 200).await;
    let new = "초록 고래 셋이 웃는다";
    notes.ask(&lucia, "change_password", &[], json!({ "current": PASSWORD, "new": new })).await;
    let account = json!({ "email": "lucia@example.org", "password": new });
    let lucia = anybody.sign_in("/auth/login", account, 200).await;
    notes.ask(&lucia, "delete_me", &[], json!({ "password": new })).await;
}

/// A tournament on paper, of four in Swiss rounds and a final.
struct Evening<'a> {
    notes: &'a mut Notes,
    owner: &'a Visitor,
    id: String,
}

impl Evening<'_> {
    fn path(&self, rest: &str) -> String {
        format!("/tournaments/{}{rest}", self.id)
    }

    async fn now(&self) -> Value {
        self.owner.get(&self.path("")).await.is(200)
    }

    /// Asks of this tournament, and notes it.
    async fn ask(&mut self, operation: &str, body: Value) -> Value {
        self.ask_at(operation, &[], body).await
    }

    async fn ask_at(&mut self, operation: &str, at: &[(&str, &str)], body: Value) -> Value {
        let id = self.id.clone();
        let at: Vec<_> = [("id", id.as_str())].into_iter().chain(at.iter().copied()).collect();
        self.notes.ask(self.owner, operation, &at, body).await
    }

    /// A step at the revision that staff have seen.
    async fn step(&mut self, operation: &str, at: &[(&str, &str)]) {
        let revision = self.now().await["tournament"]["revision"].clone();
        self.ask_at(operation, at, json!({ "revision": revision })).await;
    }

    async fn post(&self, rest: &str, body: Value) -> Value {
        self.owner.post(&self.path(rest), body).await.is(200)
    }

    async fn begin(&mut self, players: &[Visitor]) {
        self.ask("change_tournament", json!({ "most_entrants": 16, "round_minutes": 30 })).await;
        self.step("open_tournament_registration", &[]).await;
        let at = [("id", self.id.clone())];
        let at = [(at[0].0, at[0].1.as_str())];
        for player in players {
            self.notes.ask(player, "enter_tournament", &at, json!({})).await;
        }
        self.ask("enter_tournament", json!({ "display_name": "서연" })).await;
        let list = json!({ "text": "서연\n\u{1}", "dry_run": true });
        self.ask("enter_list", list).await;
        self.ask_at("rate_entrant", &[("number", "2")], json!({ "rating": 1640 })).await;
        self.ask("seed_tournament", json!({ "by": "hand", "order": [1, 2, 3, 4] })).await;
        let apart = json!({ "apart": [{ "one": 1, "other": 2 }] });
        self.ask("set_rulings", apart).await;
        self.ask("find_rulings", Value::Null).await;
        self.ask("set_rulings", json!({})).await;
        self.ask("change_tournament", json!({ "team_size": 2 })).await;
        self.ask_at("set_entrant_team", &[("number", "2")], json!({ "team": "부엉이", "board": 1 })).await;
        self.ask("change_tournament", json!({ "team_size": null })).await;
        self.ask_at("set_entrant_table", &[("number", "3")], json!({ "area": "1층" })).await;
        self.ask_at("set_entrant_table", &[("number", "3")], json!({})).await;
        self.step("open_tournament_check_in", &[]).await;
        self.notes.ask(&players[0], "check_in_myself", &at, Value::Null).await;
        for number in ["2", "3", "4"] {
            self.ask_at("check_in_entrant", &[("number", number)], Value::Null).await;
        }
        self.step("start_tournament", &[]).await;
    }

    async fn play_a_round(&mut self) {
        let round = [("stage", "1"), ("round", "1")];
        self.ask("preview_pairing", Value::Null).await;
        self.step("pair_tournament", &[]).await;
        self.step("discard_tournament_draft", &[]).await;
        let paired = self.post("/pair", json!({})).await;
        let second = |bout: usize| paired["rounds"][0]["bouts"][bout]["entrants"][1].clone();
        self.ask("swap_entrants", json!({ "one": second(0), "other": second(1) })).await;
        let first = [("stage", "1"), ("bout", text(&paired["rounds"][0]["bouts"][0], "key"))];
        self.ask_at("lock_bout", &first, Value::Null).await;
        self.ask_at("unlock_bout", &first, Value::Null).await;
        self.step("publish_round", &round).await;
        self.step("withdraw_round", &round).await;
        self.post("/stages/1/rounds/1/publish", json!({})).await;
        self.step("start_round", &round).await;
        self.ask_at("add_minutes", &round, json!({ "minutes": 5 })).await;
        self.ask_at("pause_round_clock", &round, json!({})).await;
        self.ask_at("resume_round_clock", &round, Value::Null).await;
        let bout = self.now().await["rounds"][0]["bouts"][0].clone();
        let at = [("stage", "1"), ("bout", text(&bout, "key"))];
        let table = self.owner.get("/tables").await.is(200)["items"][1]["id"].clone();
        self.ask_at("give_table", &at, json!({ "table_id": table })).await;
        self.ask_at("find_following", &at, json!({ "finishes": finishes(&bout, [1, 2]) })).await;
        self.ask_at("write_bout_result", &at, json!({ "finishes": finishes(&bout, [1, 2]) })).await;
        let corrected = json!({ "finishes": finishes(&bout, [2, 1]), "reason": "이름을 바꿔 적었어요" });
        self.ask_at("correct_bout", &at, corrected).await;
        let seen = self.now().await;
        let other = seen["rounds"][0]["bouts"][1].clone();
        let abort = format!("/matches/{}/abort", text(&other["match"], "id"));
        self.owner.post(&abort, json!({ "reason": "주사위가 굴러갔어요" })).await.is(200);
        // The tournament hears of it a moment later.
        let hears = async || {
            let now = self.now().await;
            (now["tournament"]["revision"] != seen["tournament"]["revision"]).then_some(())
        };
        eventually("the tournament to hear of it", hears).await;
        self.step("play_bout_again", &[("stage", "1"), ("bout", text(&other, "key"))]).await;
        self.ask_at("list_tournament_bouts", &[("status", "ready")], Value::Null).await;
        let results = json!([{ "bout": other["key"], "finishes": finishes(&other, [1, 2]) }, { "bout": "main-9-9", "finishes": finishes(&other, [1, 2]) }]);
        self.ask_at("write_bout_results", &[("stage", "1")], json!({ "results": results })).await;
        self.ask_at("set_break", &round, json!({ "minutes": 10 })).await;
        self.ask_at("end_break", &round, Value::Null).await;
        self.ask_at("drop_entrant", &[("number", "1")], Value::Null).await;
        self.step("reinstate_entrant", &[("number", "1")]).await;
    }

    /// Does what is next until only the end is.
    async fn play_on(&mut self) {
        for _ in 0..40 {
            let seen = self.now().await;
            let stage = &seen["tournament"]["stage"];
            let round = format!("/stages/{stage}/rounds/{}", seen["next"]["round"]);
            match text(&seen["next"], "step") {
                "pair" => drop(self.post("/pair", json!({})).await),
                "publish" => drop(self.post(&format!("{round}/publish"), json!({})).await),
                "start_round" => drop(self.post(&format!("{round}/start"), json!({})).await),
                "next_stage" => self.step("start_next_stage", &[]).await,
                "finish" => return,
                _ => self.write_results(&seen).await,
            }
        }
        panic!("it does not end");
    }

    async fn write_results(&self, seen: &Value) {
        let stage = &seen["tournament"]["stage"];
        let rounds = seen["rounds"].as_array().expect("a list").iter().filter(|it| it["stage"] == *stage);
        let bouts = rounds.flat_map(|it| it["bouts"].as_array().expect("a list"));
        for bout in bouts.filter(|it| it["result"].is_null() && it["entrants"][1].is_number()) {
            let at = format!("/stages/{stage}/bouts/{}/result", text(bout, "key"));
            self.post(&at, json!({ "finishes": finishes(bout, [1, 2]) })).await;
        }
    }

    async fn end(&mut self) {
        let log = self.ask("list_tournament_log", Value::Null).await;
        let steps = log["items"].as_array().expect("a list");
        let last = steps.iter().rfind(|it| it["has_way_back"] == true).expect("one can be taken back");
        self.ask("undo_tournament_step", json!({ "step": last["revision"] })).await;
        self.play_on().await;
        self.step("finish_tournament", &[]).await;
        for read in ["find_tournament", "list_entrants", "export_tournament"] {
            self.ask(read, Value::Null).await;
        }
        let id = self.id.clone();
        self.notes.listen(self.owner, "stream_tournament", (&id, "/tournaments/{id}/stream")).await;
        for read in [
            "list_tournament_standings",
            "list_tournament_bracket",
            "export_standings",
            "export_pairings",
            "export_trf",
        ] {
            self.ask_at(read, &[("stage", "1")], Value::Null).await;
        }
        self.ask_at("export_brackets_viewer", &[("stage", "2")], Value::Null).await;
        self.ask("export_open_bracket", Value::Null).await;
    }
}

fn finishes(bout: &Value, places: [u8; 2]) -> Value {
    let entrants = bout["entrants"].as_array().expect("a list").iter().zip(places);
    entrants.map(|(entrant, place)| json!({ "entrant": entrant, "place": place })).collect()
}

async fn hold_an_arena(notes: &mut Notes, owner: &Visitor, players: &[Visitor]) {
    let format = json!({ "kind": "arena", "minutes": 60, "least": 2, "most": 2, "patience": 60, "streaks": false });
    let points = json!({ "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 0 });
    let stage = json!({ "format": format, "scoring": { "points": points }, "tie_breaks": ["average_points"] });
    let new = json!({ "name": "수요일 번개", "game": "perudo", "mode": "scored", "stages": [stage] });
    let made = owner.post("/tournaments", new).await.is(201);
    let path = format!("/tournaments/{}", text(&made, "id"));
    let at = id(&made);
    for step in ["/registration", "/start", "/stages/1/rounds/1/start"] {
        owner.post(&format!("{path}{step}"), json!({})).await.is(200);
    }
    for player in players {
        player.post(&format!("{path}/entrants"), json!({})).await.is(201);
    }
    notes.ask(&players[0], "pause_myself", &at, Value::Null).await;
    notes.ask(&players[0], "resume_myself", &at, Value::Null).await;
    let number = [at[0], ("number", "2")];
    notes.ask(owner, "pause_entrant", &number, json!({})).await;
    notes.ask(owner, "resume_entrant", &number, Value::Null).await;
    notes.ask(owner, "find_arena", &at, Value::Null).await;
    notes.ask(owner, "pause_arena", &at, json!({})).await;
    notes.ask(owner, "resume_arena", &at, Value::Null).await;
    notes.ask(owner, "end_arena", &at, json!({})).await;
}

async fn hold_a_tournament(notes: &mut Notes, owner: &Visitor, players: &[Visitor]) {
    let stage = |format: Value, advance: Option<u8>| {
        let points = json!({ "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 });
        let scoring = json!({ "points": points });
        json!({ "format": format, "scoring": scoring, "tie_breaks": ["buchholz"], "advance": advance })
    };
    let swiss = stage(json!({ "kind": "swiss", "rounds": 2 }), Some(2));
    let last = stage(json!({ "kind": "single_elimination", "third_place": false }), None);
    let mut new = json!({ "name": "금요일 페루도 대회", "game": "perudo", "mode": "scored", "stages": [swiss, last] });
    let made = notes.ask(owner, "create_tournament", &[], new.clone()).await;
    let mut evening = Evening { notes, owner, id: text(&made, "id").to_owned() };
    evening.begin(players).await;
    evening.play_a_round().await;
    evening.play_on().await;
    evening.end().await;
    let again = json!({ "name": "다음 금요일 대회", "starts_at": "2026-12-04T10:00:00Z", "entrants": true });
    let copy = notes.ask(owner, "copy_tournament", &id(&made), again).await;
    keep_a_series(notes, owner, text(&made, "id"), text(&copy, "id")).await;
    notes.ask(owner, "list_tournaments", &[], Value::Null).await;
    hold_an_arena(notes, owner, players).await;
    new["name"] = json!("토요일 대회");
    let other = owner.post("/tournaments", new).await.is(201);
    notes.ask(owner, "list_regulars", &id(&other), Value::Null).await;
    notes.ask(owner, "cancel_tournament", &id(&other), json!({ "reason": "정전" })).await;
}

/// A season with the tournament that was played, which gives seeds to the one to come.
async fn keep_a_series(notes: &mut Notes, owner: &Visitor, played: &str, to_come: &str) {
    let points = json!({ "kind": "places", "scale": [1000, 700, 500, 300] });
    let rules = json!({ "points": points, "best": 3, "attendance": 100, "tie_breaks": ["wins", "latest"] });
    let divisions = json!([{ "name": "1부", "relegated": 1 }, { "name": "2부", "promoted": 1 }]);
    let new = json!({ "name": "2026 가을 시즌", "rules": rules, "divisions": divisions });
    let made = notes.ask(owner, "create_series", &[], new).await;
    let (series, code) = (text(&made["series"], "id"), text(&made["series"], "code"));
    let at = [("id", series)];
    let revision = &made["series"]["revision"];
    notes.ask(owner, "change_series", &at, json!({ "status": "running", "revision": revision })).await;
    let event = |tournament| [("id", series), ("tournament", tournament)];
    notes.ask(owner, "put_series_event", &event(to_come), json!({ "division": 1 })).await;
    notes.ask(owner, "remove_series_event", &event(to_come), Value::Null).await;
    let shown = notes.ask(owner, "put_series_event", &event(played), json!({})).await;
    let first = text(&shown["tables"][1]["rows"][0]["player"], "id");
    notes.ask(owner, "set_series_person", &[("id", series), ("player", first)], json!({ "division": 1 })).await;
    notes.ask(owner, "list_series", &[], Value::Null).await;
    notes.ask(owner, "find_series_by_code", &[("code", code)], Value::Null).await;
    for read in ["find_series", "plan_next_season", "export_series_table"] {
        notes.ask(owner, read, &at, Value::Null).await;
    }
    notes.ask(owner, "seed_from_series", &at, json!({ "tournament_id": to_come })).await;
    let moved = json!([{ "player_id": first, "division": 1 }]);
    let next = notes.ask(owner, "end_season", &at, json!({ "name": "2027 봄 시즌", "divisions": moved })).await;
    notes.ask(owner, "delete_series", &id(&next["series"]), Value::Null).await;
}

async fn run_the_house(notes: &mut Notes, app: &TestApp, owner: &Visitor, elsewhere: &Service) {
    let settings = json!({
        "name": "하늘 보드게임 카페", "time_zone": "Asia/Seoul", "language": "ko", "second_factor_required": false,
        "hours": [{ "weekday": 5, "opens": "13:00", "closes": "02:00" }],
    });
    notes.ask(owner, "change_cafe", &[], settings).await;
    let rate =
        json!({ "first_minutes": 60, "first_price": 3000, "step_minutes": 10, "step_price": 500, "day_pass": 15000 });
    let tariff =
        json!({ "currency": "KRW", "grace_minutes": 5, "weekday": rate, "weekend": rate, "weekend_days": [6, 7] });
    notes.ask(owner, "change_tariff", &[], tariff).await;
    notes.ask(owner, "find_tariff", &[], Value::Null).await;
    notes.ask(owner, "remove_tariff", &[], Value::Null).await;
    notes.ask(owner, "create_staff_invitation", &[], json!({ "email": "mina@example.org", "role": "staff" })).await;
    notes.ask(owner, "list_staff_invitations", &[], Value::Null).await;
    crate::staff::hire(app, owner, "mina", "staff").await;
    let staff = notes.ask(owner, "list_staff", &[], Value::Null).await;
    let mina =
        staff["items"].as_array().expect("a list").iter().find(|it| it["display_name"] == "mina").expect("she is");
    notes.ask(owner, "change_staff", &id(mina), json!({ "role": "manager" })).await;
    let new = json!({ "name": "Brackets", "role": "manager", "sandbox": true });
    notes.ask(owner, "create_key", &[], new).await;
    notes.ask(owner, "list_keys", &[], Value::Null).await;
    let new = json!({ "url": format!("{}/house-rules", elsewhere.url()), "events": ["match.finished"] });
    let hook = notes.ask(owner, "create_webhook", &[], new).await;
    notes.ask(owner, "change_webhook", &id(&hook), json!({ "events": ["match.finished", "call.opened"] })).await;
    notes.ask(owner, "test_webhook", &id(&hook), Value::Null).await;
    notes.ask(owner, "list_deliveries", &id(&hook), Value::Null).await;
    notes.ask(owner, "list_webhooks", &[], Value::Null).await;
    notes.ask(owner, "find_webhook", &id(&hook), Value::Null).await;
    for read in ["find_cafe", "list_limits", "list_games", "list_reactions", "list_audit", "check_audit"] {
        notes.ask(owner, read, &[], Value::Null).await;
    }
    notes.ask(owner, "find_rules", &[("game", "perudo"), ("lang", "en")], Value::Null).await;
    notes.ask(owner, "find_words", &[("game", "perudo"), ("lang", "en")], Value::Null).await;
    notes.ask(owner, "find_game", &[("game", "perudo")], Value::Null).await;
    for read in ["days", "games", "hours", "lengths", "seats", "orders", "roles", "tables"] {
        notes.ask(owner, &format!("list_stats_{read}"), &[], Value::Null).await;
    }
    for read in ["find_stats_summary", "find_stats_returning", "find_operations"] {
        notes.ask(owner, read, &[], Value::Null).await;
    }
}

/// `WRITE_EXAMPLES=1` writes them to the document's room; then `make schema` puts them into the document.
#[tokio::test(flavor = "multi_thread")]
async fn an_evening_gives_the_examples_of_the_document() {
    let app = TestApp::start_with(|launch| launch.set("HOUSERULES_PRIVATE_WEBHOOKS", "on"));
    let elsewhere = Service::start(|_| Reply::empty(204)).await;
    let owner = app.owner().await;
    let mut notes = Notes::new(app.url());
    let mut players = Vec::new();
    for kind in engine::catalogue::GAMES {
        players.extend(play(&mut notes, &app, *kind).await);
    }
    help_at_matches(&mut notes, &app, &owner).await;
    keep_the_floor(&mut notes, &app, &owner).await;
    keep_the_waiting_list(&mut notes, &app, &owner).await;
    keep_the_library(&mut notes, &owner).await;
    write_rules(&mut notes, &owner).await;
    hold_a_tournament(&mut notes, &owner, &players[..3]).await;
    know_people(&mut notes, &app, &owner, &players[0]).await;
    run_the_house(&mut notes, &app, &owner, &elsewhere).await;
    assert_eq!(notes.left_out(), Vec::<String>::new());
    notes.keep_the_longest();
    if std::env::var_os("WRITE_EXAMPLES").is_some() {
        let text = serde_json::to_string_pretty(&notes.noted).expect("it is JSON") + "\n";
        let path = repository().join("api/web/src/openapi/examples.json");
        fs::write(path, text).expect("the repository can be written to");
    }
}
