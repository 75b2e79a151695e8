//! `/admin/variants` and `/admin/trials`: the editor that a game's schema makes, what guests read of it, and try-outs.

use harness::{Answer, Browser, TestApp, Visitor};
use serde_json::{Value, json};

use crate::play::Table;

const RACE: [(&str, &str); 6] = [
    ("name", "Short race"),
    ("description", "For <b>late</b> evenings."),
    ("option.track_length", "20"),
    ("option.move_cards", "4"),
    ("option.max_rounds", "60"),
    ("option.open_hands", "on"),
];
const CHOICES: [(&str, &str); 2] = [("option.characters", "draft"), ("option.winner", "not_ends")];

fn race(change: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let kept = RACE.iter().chain(&CHOICES).filter(|(key, _)| !change.iter().any(|(changed, _)| changed == key));
    kept.chain(change).copied().collect()
}

async fn make(owner: &Visitor) -> String {
    let page = owner.open("/admin/variants/new?game=middle-race").await;
    assert_eq!(page.status, 200, "{}", page.text());
    let made = owner.submit(&page, "/admin/variants/new?game=middle-race", &race(&[])).await;
    assert_eq!(made.status, 303, "{}", made.text());
    made.header("location").to_owned()
}

#[tokio::test]
async fn the_form_comes_from_the_schema_of_every_game() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    for game in api.get("/games").await.is(200)["items"].as_array().expect("a list") {
        let id = game["id"].as_str().expect("an id");
        let page = owner.open(&format!("/admin/variants/new?game={id}")).await;
        assert_eq!(page.status, 200);
        for (key, property) in game["options_schema"]["properties"].as_object().expect("options") {
            let text = page.text();
            let (_, field) =
                text.split_once(&format!("name=\"option.{key}\"")).unwrap_or_else(|| panic!("{id}: {key}"));
            let tag = &field[..field.find('>').expect("it ends")];
            if let Some(most) = property["maximum"].as_i64() {
                assert!(tag.contains(&format!("max=\"{most}\"")), "{id}: {key}: {tag}");
            }
        }
    }
    assert_eq!(owner.open("/admin/variants/new?game=chess").await.status, 404);
    assert_eq!(app.anybody().open("/admin/variants").await.status, 401);
    assert_eq!(app.guest("하늘").await.open("/admin/variants").await.status, 403);
}

#[tokio::test]
async fn what_is_wrong_is_told_at_its_field() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/variants/new?game=middle-race").await;
    let refused = async |change: &[(&'static str, &'static str)]| {
        let answer = owner.submit(&page, "/admin/variants/new?game=middle-race", &race(change)).await;
        assert_eq!(answer.status, 422, "{change:?}");
        let text = answer.text();
        let wrong = text.split('<').filter(|tag| tag.contains("aria-invalid=\"true\""));
        let names = wrong.filter_map(|tag| tag.split_once(" name=\"")?.1.split('"').next().map(str::to_owned));
        (names.collect::<Vec<_>>(), text)
    };
    let (fields, text) = refused(&[("option.track_length", "61")]).await;
    assert_eq!(fields, ["option.track_length"]);
    assert!(text.contains("value=\"61\"") && text.contains("from 10 to 60"), "what was typed is kept: {text}");
    assert!(text.contains("value=\"not_ends\" selected"));
    assert_eq!(refused(&[("option.max_rounds", "many")]).await.0, ["option.max_rounds"]);
    assert_eq!(refused(&[("option.winner", "nobody")]).await.0, ["option.winner"]);
    assert_eq!(refused(&[("name", " ")]).await.0, ["name"]);
    assert_eq!(refused(&[("name", ""), ("option.track_length", "")]).await.0, ["name", "option.track_length"]);
}

#[tokio::test]
async fn a_variant_is_drafted_changed_published_and_retired() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    let path = make(&owner).await;
    let id = path.rsplit('/').next().expect("an id").to_owned();
    let current = async || api.get(&format!("/variants/{id}")).await.is(200);
    let options = current().await["draft"]["options"].clone();
    assert_eq!(
        (&options["track_length"], &options["open_hands"], &options["full_race"]),
        (&json!(20), &json!(true), &json!(false))
    );
    let list = owner.open("/admin/variants").await.text();
    assert!(list.contains("Short race") && list.contains("Unlike the basic game: ") && list.contains("played 0 times"));

    // The draft is changed in its place, once what changes was seen.
    let edit = format!("{path}/edit");
    let page = owner.open(&edit).await;
    let preview = owner.submit(&page, &edit, &race(&[("option.track_length", "25")])).await;
    assert_eq!(preview.status, 200);
    assert!(preview.text().contains("20 → 25") && preview.text().contains("version 1"), "{}", preview.text());
    assert_eq!(current().await["draft"]["options"]["track_length"], 20, "nothing is saved by looking");
    let saved = owner.submit(&page, &edit, &race(&[("option.track_length", "25"), ("agreed", "yes")])).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(current().await["draft"]["options"]["track_length"], 25);

    // What was published stays; the next version is another.
    assert_eq!(owner.submit(&page, &format!("{path}/publish"), &[]).await.status, 303);
    assert_eq!(current().await["status"], "published");
    let preview = owner.submit(&page, &edit, &race(&[])).await;
    assert!(preview.text().contains("version 2"), "{}", preview.text());
    owner.submit(&page, &edit, &race(&[("agreed", "yes")])).await;
    let now = current().await;
    assert_eq!((&now["current"]["number"], &now["draft"]["number"]), (&json!(1), &json!(2)));
    let shown = owner.open(&path).await.text();
    assert!(shown.contains("25 → 20") && shown.contains("For &#60;b&#62;late&#60;/b&#62;"), "{shown}");
    // A new name needs no new version.
    let named = owner.submit(&page, &edit, &race(&[("name", "Sprint")])).await;
    assert_eq!(named.status, 303);
    assert_eq!(current().await["name"], "Sprint");

    let made = api.post("/matches", json!({ "game": "middle-race", "seats": 3, "variant_id": id })).await;
    made.is(201);
    assert!(owner.open("/admin/variants").await.text().contains("played once"));
    assert_eq!(owner.submit(&page, &format!("{path}/retire"), &[]).await.status, 303);
    assert!(owner.open("/admin/variants?status=retired").await.text().contains("Sprint"));
    assert!(!owner.open("/admin/variants?status=published").await.text().contains("Sprint"));
    let taken = make(&owner).await;
    let again = owner.submit(&page, "/admin/variants/new?game=middle-race", &race(&[])).await;
    assert_eq!(again.status, 422);
    assert!(again.text().contains("aria-invalid=\"true\""), "{taken}");
}

/// So many more variants like this one, which were made later.
fn crowd(app: &TestApp, id: &str, count: usize) {
    let more = format!(
        "CREATE TEMPORARY TABLE twins AS
             SELECT n, ('ffffffff-ffff-7fff-8fff-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, {count}) n;
         INSERT INTO variants (id, game, name, description, status, created_by, created_at)
             SELECT twins.id, game, name || ' ' || n, description, status, created_by, created_at
             FROM variants, twins WHERE variants.id = '{id}';
         INSERT INTO variant_versions
             (variant_id, number, revision, options, variant_hash, created_by, created_at, published_at)
             SELECT twins.id, number, revision, options, variant_hash, created_by, created_at, published_at
             FROM variant_versions, twins WHERE variant_id = '{id}'"
    );
    app.database().with(|client| client.batch_execute(&more)).expect("there can be more");
}

#[tokio::test]
async fn a_page_of_the_list_says_nothing_of_games_that_stand_on_another() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    make(&owner).await;
    let made = api.post("/variants", json!({ "game": "perudo", "name": "Nightly" })).await.is(201);
    crowd(&app, made["id"].as_str().expect("an id"), 60);
    let none = "Only the basic rules so far.";
    let first = owner.open("/admin/variants").await.text();
    assert!(first.contains("Nightly 60") && !first.contains(">Short race</a>") && !first.contains(none), "{first}");
    let last = "ffffffff-ffff-7fff-8fff-000000000001";
    assert!(first.contains(&format!("/admin/variants?cursor={last}")), "{first}");
    let second = owner.open(&format!("/admin/variants?cursor={last}")).await.text();
    assert!(second.contains(">Short race</a>") && !second.contains(none), "{second}");
    assert!(owner.open("/admin/variants?game=liars-dice").await.text().contains(none));
}

#[tokio::test]
async fn a_party_is_offered_the_house_rules_of_a_game_however_many_another_has() {
    let table = Table::open().await;
    table.house_rules("perudo", json!({ "calza": true })).await;
    let race = table.house_rules("middle-race", json!({})).await;
    crowd(&table.app, &race, 60);
    let guest = table.scan("Guest").await;
    let games = guest.open(&format!("{}/play", table.path)).await.html();
    for (game, count) in [("perudo", "1 house rule<"), ("middle-race", "61 house rules<")] {
        let (_, offer) = games.split_once(&format!("/play?game={game}\"")).expect("it is offered");
        assert!(offer.split("</a>").next().expect("it ends").contains(&format!(">{count}")), "{game}: {games}");
    }
    let rules = guest.open(&format!("{}/play?game=perudo", table.path)).await.html();
    assert!(rules.contains("<strong>Short</strong>"), "{rules}");
}

#[tokio::test]
async fn rules_that_were_retired_meanwhile_give_way_to_the_basic_ones_in_sight() {
    let table = Table::open().await;
    let api = table.app.owner().await;
    let rules = table.house_rules("perudo", json!({ "calza": true })).await;
    let kept = api.post("/variants", json!({ "game": "perudo", "name": "Kept" })).await.is(201);
    let publish = format!("/variants/{}/publish", kept["id"].as_str().expect("an id"));
    api.post(&publish, json!({})).await.is(200);
    let guest = table.scan("Guest").await;
    let page = guest.open(&format!("{}/play?game=perudo", table.path)).await;
    api.post(&format!("/variants/{rules}/retire"), json!({})).await.is(200);
    let fields = [("game", "perudo"), ("seats", "2"), ("variant", rules.as_str())];
    let refused = guest.submit(&page, &format!("{}/matches", table.path), &fields).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    let text = refused.html();
    assert!(text.contains("This variant is no longer played."), "{text}");
    assert!(text.contains("name=\"variant\" value=\"\" checked>"), "{text}");
}

#[tokio::test]
async fn why_a_variant_cannot_come_back_is_told() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let path = make(&owner).await;
    let page = owner.open(&path).await;
    for action in ["publish", "retire"] {
        assert_eq!(owner.submit(&page, &format!("{path}/{action}"), &[]).await.status, 303);
    }
    // Meanwhile its name is another's.
    make(&owner).await;
    assert_eq!(owner.submit(&page, &format!("{path}/publish"), &[]).await.status, 303);
    let told = owner.open(&path).await.text();
    assert!(told.contains("There is a variant of this game with this name already."), "{told}");
}

#[tokio::test]
async fn after_a_revision_of_the_game_the_same_options_are_a_new_version() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    let path = make(&owner).await;
    let (id, edit) = (path.rsplit('/').next().expect("an id"), format!("{path}/edit"));
    let current = async || api.get(&format!("/variants/{id}")).await.is(200);
    let hash = current().await["draft"]["variant_hash"].clone();
    let revise = |also: &str| {
        let revised =
            format!("UPDATE variant_versions SET variant_hash = sha256('before'){also} WHERE variant_id = '{id}'");
        app.database().with(|client| client.batch_execute(&revised)).expect("it is of earlier rules");
    };
    // A draft is brought up to date.
    revise("");
    let page = owner.open(&edit).await;
    let preview = owner.submit(&page, &edit, &race(&[])).await.text();
    assert!(preview.contains("have been revised since") && preview.contains("version 1"), "{preview}");
    assert_eq!(owner.submit(&page, &edit, &race(&[("agreed", "yes")])).await.status, 303);
    assert_eq!(current().await["draft"]["variant_hash"], hash);
    // What was published gets a next version.
    revise(", published_at = now()");
    let preview = owner.submit(&page, &edit, &race(&[])).await.text();
    assert!(preview.contains("have been revised since") && preview.contains("version 2"), "{preview}");
    assert_eq!(owner.submit(&page, &edit, &race(&[("agreed", "yes")])).await.status, 303);
    let now = current().await;
    assert_eq!((&now["draft"]["number"], &now["draft"]["variant_hash"]), (&json!(2), &hash));
}

/// What a form sends besides what is typed.
fn hidden_of(form: &str) -> Vec<(String, String)> {
    let get = |tag: &str, name: &str| -> Option<String> {
        let value = tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
        Some(value.replace("&#60;", "<").replace("&#62;", ">"))
    };
    let is_hidden = |tag: &&str| tag.starts_with("input") && tag.contains("type=\"hidden\"");
    let fields = tags_of(form).filter(is_hidden).filter_map(|tag| Some((get(tag, "name")?, get(tag, "value")?)));
    fields.filter(|(name, _)| name != "csrf").collect()
}

#[tokio::test]
async fn a_later_save_does_not_undo_what_somebody_else_changed() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    let path = make(&owner).await;
    let (variant, edit) = (format!("/variants/{}", path.rsplit('/').next().expect("an id")), format!("{path}/edit"));
    let page = owner.open(&edit).await;
    let other = json!({ "name": "Sprint", "description": "Meanwhile.", "options": { "track_length": 25 } });
    api.patch(&variant, other).await.is(200);
    let seen: Vec<_> = hidden_of(&page.text()).into_iter().filter(|(name, _)| name.starts_with("seen.")).collect();
    assert_eq!(seen.len(), 3, "{seen:?}");
    let mut fields = race(&[("option.move_cards", "5"), ("agreed", "yes")]);
    fields.extend(seen.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let preview = owner.submit(&page, &edit, &fields).await;
    assert_eq!(preview.status, 200, "{}", preview.text());
    let text = preview.text();
    assert!(text.contains("Somebody else has changed") && text.contains("25 → 20"), "{text}");
    let now = api.get(&variant).await.is(200);
    assert_eq!((&now["name"], &now["draft"]["options"]["track_length"]), (&json!("Sprint"), &json!(25)));
    // What was seen now is saved, and nothing else of what was there before.
    let shown = text.split_once("id=\"preview\"").expect("it is shown").1;
    let sent = hidden_of(shown.split("</section>").next().expect("it ends"));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let saved = owner.submit(&preview, &edit, &sent).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let now = api.get(&variant).await.is(200);
    assert_eq!((&now["name"], &now["description"]), (&json!("Sprint"), &json!("Meanwhile.")));
    let options = &now["draft"]["options"];
    assert_eq!((&options["track_length"], &options["move_cards"]), (&json!(20), &json!(5)));
}

#[tokio::test]
async fn nobody_publishes_what_somebody_else_wrote_meanwhile() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    let path = make(&owner).await;
    let variant = format!("/variants/{}", path.rsplit('/').next().expect("an id"));
    let publish = format!("{path}/publish");
    let old = owner.open(&path).await;
    api.patch(&variant, json!({ "options": { "track_length": 25 } })).await.is(200);
    assert_eq!(owner.edit(&old, &publish, &[]).await.status, 303);
    assert_eq!(api.get(&variant).await.is(200)["status"], "draft");
    let now = owner.open(&path).await;
    assert!(now.text().contains("Somebody else has changed"), "{}", now.text());
    // What was seen is published however often it is asked for.
    let published = ("publish", "published");
    for (action, status) in [published, published, ("retire", "retired"), published] {
        assert_eq!(owner.edit(&now, &format!("{path}/{action}"), &[]).await.status, 303);
        assert_eq!(api.get(&variant).await.is(200)["status"], status);
    }
}

#[tokio::test]
async fn guests_read_what_the_house_changed() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let path = make(&owner).await;
    let id = path.rsplit('/').next().expect("an id");
    let page = owner.open(&path).await;
    let rules = format!("/rules/middle-race?variant={id}");
    assert_eq!(app.anybody().open(&rules).await.status, 404, "a draft is nobody's business");
    owner.submit(&page, &format!("{path}/publish"), &[]).await;
    let text = app.anybody().open(&rules).await.text();
    assert!(text.contains("Changed by the house") && text.contains("30 → 20"), "{text}");
    assert!(text.matches("<mark>changed by the house</mark>").count() >= 2, "{text}");
    assert!(!app.anybody().open("/rules/middle-race").await.text().contains("<mark>"));
}

#[tokio::test]
async fn the_longest_name_of_a_variant_fits_on_a_phone() {
    let app = TestApp::start();
    let api = app.owner().await;
    let variant = json!({ "game": "perudo", "name": "긴".repeat(60), "options": { "calza": true } });
    let made = api.post("/variants", variant).await.is(201);
    let id = made["id"].as_str().expect("an id");
    api.post(&format!("/variants/{id}/publish"), json!({})).await.is(200);
    let browser = Browser::open(390, 800, "ko").await;
    browser.go(&format!("{}/rules/perudo?variant={id}", app.url())).await;
    let over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
    assert!(over.as_i64().is_some_and(|over| over <= 0), "{over} pixels too wide");
    browser.close().await;
}

#[tokio::test]
async fn who_sees_a_match_reads_the_rules_that_it_is_played_by() {
    let app = TestApp::start();
    let (api, guest, anybody) = (app.owner().await, app.guest("하늘").await, app.anybody());
    let options = json!({ "calza": true, "palifico": true });
    let new = json!({ "game": "perudo", "name": "Secret", "description": "Nobody knows.", "options": options });
    let draft = api.post("/variants", new).await.is(201)["id"].as_str().expect("an id").to_owned();
    let make = async |who: &Visitor, new: Value| {
        let made = who.post("/matches", new).await.is(201);
        made["code"].as_str().expect("it has a code").to_owned()
    };
    let changed = "Calza (expert rule): no → yes";
    for new in [
        json!({ "game": "perudo", "seats": 2, "variant_id": draft }),
        json!({ "game": "perudo", "seats": 2, "options": options }),
    ] {
        let page = anybody.open(&format!("/m/{}", make(&api, new).await)).await.text();
        let (_, link) = page.split_once("href=\"/rules/perudo").expect("it leads to its rules");
        let link = link.split('"').next().expect("it ends").replace("&#38;", "&");
        let rules = anybody.open(&format!("/rules/perudo{link}")).await;
        assert_eq!(rules.status, 200, "{link}: {}", rules.text());
        let text = rules.text();
        assert!(text.contains(changed) && text.contains("<mark>"), "{link}: {text}");
        assert!(!text.contains("Secret") && !text.contains("Nobody knows."), "{link}: {text}");
    }
    let code = make(&guest, json!({ "game": "perudo", "seats": 2 })).await;
    assert!(anybody.open(&format!("/m/{code}")).await.text().contains("href=\"/rules/perudo\""));
    // One match opens its own rules and no others.
    let other = anybody.open(&format!("/rules/perudo?variant={draft}&match={code}")).await;
    assert!(other.status == 200 && !other.text().contains(changed), "{}", other.text());
    let new = json!({ "game": "perudo", "seats": 2, "options": options, "visibility": "private" });
    let code = make(&guest, new).await;
    let hidden = format!("/rules/perudo?match={code}");
    assert!(guest.open(&hidden).await.text().contains(changed));
    assert_eq!(anybody.open(&hidden).await.status, 404);
    for missing in [format!("liars-dice?match={code}"), "perudo?match=NOSUCH".to_owned()] {
        assert_eq!(guest.open(&format!("/rules/{missing}")).await.status, 404, "{missing}");
    }
}

/// The fields of the first form that makes a move, besides the move itself.
fn hidden(page: &Answer, field: &str) -> String {
    let text = page.text();
    let moves = text.split_once("/moves\"").expect("somebody may move").1;
    let value = moves.split_once(&format!("name=\"{field}\" value=\"")).expect(field).1;
    value[..value.find('"').expect("it ends")].to_owned()
}

fn tags_of(form: &str) -> impl Iterator<Item = &str> {
    form.split('<').map(|tag| tag.split('>').next().unwrap_or_default())
}

/// What the first form that makes a move would post for it: the first button's own field and what is chosen already.
fn some_move(page: &Answer) -> Vec<(String, String)> {
    let text = page.text();
    let forms = text.split("<form class=\"move").skip(1).map(|form| form.split("</form>").next().unwrap_or_default());
    // A wrong answer may end a match at once.
    let sends =
        |tag: &&str| tag.starts_with("button") && !tag.contains("type=\"button\"") && !tag.contains(" disabled");
    let button = |form: &&str| tags_of(form).find(|tag| sends(tag) && !tag.contains("answer")).is_some();
    let is_answer = |form: &str| tags_of(form).any(|tag| tag.starts_with("input") && tag.contains("answer"));
    let form = forms.into_iter().find(|form| button(form) && !is_answer(form)).expect("somebody may move");
    let tags = || tags_of(form);
    let get = |tag: &str, name: &str| {
        let value = tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
        Some(value.replace("&#34;", "\"").replace("&quot;", "\""))
    };
    let field = |tag: &str| Some((get(tag, "name")?, get(tag, "value")?));
    let own = |tag: &&str| !["csrf", "version", "mover"].iter().any(|it| get(tag, "name").as_deref() == Some(*it));
    let chosen = |tag: &&str| tag.starts_with("input") && (tag.contains("type=\"hidden\"") || tag.contains(" checked"));
    let mut fields: Vec<_> = tags().filter(chosen).filter(own).filter_map(field).collect();
    for select in form.split("<select").skip(1) {
        let option = select.split("<option").nth(1).expect("it offers something");
        fields.extend(get(select, "name").zip(get(option, "value")));
    }
    fields.extend(tags().find(|tag| sends(tag) && !tag.contains("answer")).and_then(field));
    fields
}

#[tokio::test]
async fn a_try_out_is_played_for_every_seat_and_counts_nowhere() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    for game in api.get("/games").await.is(200)["items"].as_array().expect("a list") {
        let game = game["id"].as_str().expect("an id");
        let made = api.post("/variants", json!({ "game": game, "name": "Try me" })).await.is(201);
        let variant = format!("/admin/variants/{}", made["id"].as_str().expect("an id"));
        let page = owner.open(&variant).await;
        let begun = owner.submit(&page, &format!("{variant}/try"), &[]).await;
        assert_eq!(begun.status, 303, "{game}: {}", begun.text());
        let trial = begun.header("location").to_owned();
        let page = owner.open(&trial).await;
        assert_eq!(page.status, 200, "{game}: {}", page.text());
        assert!(page.text().contains("it counts nowhere"));
        let (version, mover) = (hidden(&page, "version"), hidden(&page, "mover"));
        let nonsense = [("version", version.as_str()), ("mover", mover.as_str()), ("move", "{}")];
        let refused = owner.submit(&page, &format!("{trial}/moves"), &nonsense).await;
        assert_eq!(refused.status, 422, "{game}");
        assert!(refused.text().contains("role=\"alert\""), "{game}: it says why");
        let chosen = some_move(&page);
        let mut fields = vec![("version", version.as_str()), ("mover", mover.as_str())];
        fields.extend(chosen.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        assert_eq!(owner.submit(&page, &format!("{trial}/moves"), &fields).await.status, 303);
        let moved = owner.open(&trial).await;
        assert_eq!(hidden(&moved, "version"), "1", "{game}");
        // What was seen before is no more: nothing is played twice.
        owner.submit(&page, &format!("{trial}/moves"), &fields).await;
        let told = owner.open(&trial).await;
        assert!(told.text().contains("The board has changed since"), "{game}");
        assert_eq!(hidden(&told, "version"), "1");
        let fields = [("version", "1"), ("count", "5")];
        assert_eq!(owner.submit(&page, &format!("{trial}/house"), &fields).await.status, 303);
        assert!(!owner.open(&trial).await.text().contains("Move 1<"), "{game}");
        let found = api.get(&format!("/variants/{}", made["id"].as_str().expect("an id"))).await.is(200);
        assert_eq!(found["draft"]["played"], false, "a draft that is tried out may still change");
        assert_eq!(app.anybody().open(&trial).await.status, 401);
    }
    assert_eq!(api.get("/matches").await.is(200)["items"], json!([]));
    let ids: Vec<Value> = app.database().with(|client| {
        let rows = client.query("SELECT subject_id::text FROM audit_log WHERE action = 'variant.try'", &[]);
        rows.expect("it can be read").iter().map(|row| json!(row.get::<_, String>(0))).collect()
    });
    assert_eq!(ids.len(), 7);
}

#[tokio::test]
async fn staff_write_house_rules_in_a_browser() {
    write_house_rules(Browser::open(1024, 768, "en").await, true).await;
}

#[tokio::test]
async fn staff_write_house_rules_without_javascript() {
    write_house_rules(Browser::open_without_javascript(390, 800, "en").await, false).await;
}

/// From a mistake at a field to rules that guests play by, their next version, and their end.
async fn write_house_rules(browser: Browser, has_scripts: bool) {
    let app = TestApp::start();
    browser.sign_in(&app).await;
    browser.go(&format!("{}/admin/variants", app.url())).await;
    browser.press("a[href='/admin/variants/new?game=middle-race']").await;
    browser.fill("#name", "Sprint").await;
    browser.fill("[name='option.track_length']", "99").await;
    browser.press("main form.form button.main").await;
    browser.sees("It must be a number from 10 to 60").await;
    assert_eq!(browser.run("return document.querySelectorAll('[aria-invalid]').length").await, 1);
    browser.fill("[name='option.track_length']", "15").await;
    browser.press("[name='option.may_decline']").await;
    browser.press("main form.form button.main").await;
    browser.sees("Draft made: Sprint").await;
    browser.sees("Unlike the basic game: ").await;
    browser.press("a[href$='/edit']").await;
    browser.press("[name='option.may_decline']").await;
    browser.press("main form.form button.main").await;
    browser.sees("What changes in version 1").await;
    browser.sees("yes → no").await;
    browser.press("#preview button.main").await;
    browser.sees("Saved: Sprint").await;
    browser.find("form[action$='/try'] button").await;
    let rules = browser.client.current_url().await.expect("it is somewhere");
    browser.press("form[action$='/try'] button").await;
    browser.sees("This is a try-out").await;
    browser.press("form[action$='/moves'] [data-say]").await;
    if has_scripts {
        // The choice is said on the key that makes it.
        browser.press("form[action$='/moves'] [data-commit]:enabled").await;
    }
    browser.sees("Move 1").await;

    // Published, it stays what it is: what is written then is the next version, and told as a difference.
    browser.go(rules.as_str()).await;
    browser.press("form[action$='/publish'] button").await;
    browser.sees("Published.").await;
    browser.press("a[href$='/edit']").await;
    browser.fill("[name='option.track_length']", "20").await;
    browser.press("main form.form button.main").await;
    browser.sees("What changes in version 2").await;
    browser.sees("15 → 20").await;
    browser.press("#preview button.main").await;
    browser.sees("Saved: Sprint").await;
    assert!(browser.says(".versions").await.contains("15 → 20"));
    browser.press("form[action$='/publish'] button").await;
    browser.sees("Published.").await;
    browser.press("form[action$='/retire'] button").await;
    browser.sees("Retired.").await;
    assert_eq!(app.owner().await.get("/variants?status=published").await.is(200)["items"], json!([]));
    browser.close().await;
}
