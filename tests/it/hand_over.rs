//! The phones of guests: shared by two people, replaced by another one, taken up again after the time ran out, shown to a friend.

use harness::{Answer, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use crate::play::{Phones, Table, forms, submit};

/// Somebody of the party seats a second person on their own phone. Gives the phone.
async fn shared(table: &Table, game: &str) -> Phones {
    let phones = table.gather_for(game, (1, 2), &[]).await;
    let page = phones.look(0).await;
    let sat = phones.people[0].submit(&page, &format!("{}/others", phones.path), &[("display_name", "Mina")]).await;
    assert_eq!(sat.status, 303, "{}", sat.text());
    let cookies: Vec<_> = sat.headers.get_all("set-cookie").iter().map(|it| it.to_str().expect("it is text")).collect();
    let cookie = cookies.iter().find(|it| it.starts_with("houserules-other=")).expect("it is set");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    assert!(!cookies.iter().any(|it| it.starts_with("houserules=")), "{cookies:?}");
    phones
}

/// Presses the button that stands there for the hand-over.
async fn hand_over(phone: &Visitor, path: &str) {
    let page = phone.open(path).await;
    let forms = forms(&page.text(), "swap");
    let [form] = forms.as_slice() else { panic!("{} buttons: {}", forms.len(), page.text()) };
    let done = submit(phone, &page, &form.action, &form.fields).await;
    assert_eq!((done.status, done.header("location")), (303, path), "{}", done.text());
}

pub(crate) fn lines(app: &TestApp, action: &str) -> i64 {
    let count = "SELECT count(*) FROM audit_log WHERE action = $1";
    app.database().with(|client| client.query_one(count, &[&action])).expect("it counts").get(0)
}

#[tokio::test]
async fn two_people_play_on_one_phone_and_hand_it_over() {
    let table = Table::open().await;
    let mut phones = shared(&table, "perudo").await;
    assert_eq!(phones.press(0, "start").await.status, 303);
    let (phone, path) = (phones.people[0].clone(), phones.path.clone());
    let (mut moves, mut handed) = (0, 0);
    loop {
        let page = phones.look(0).await;
        let text = page.text();
        if text.contains("data-status=\"finished\"") {
            break;
        }
        if text.contains("class=\"hand-over\"") {
            // Nothing of anybody's hand, and one big button.
            assert!(!text.contains("data-secret") && forms(&text, "move").is_empty(), "{text}");
            assert!(!text.contains("class=\"board"), "{text}");
            assert_eq!(page.header("cache-control"), "no-store");
            hand_over(&phone, &path).await;
            handed += 1;
            continue;
        }
        let choices: Vec<_> = forms(&text, "move").into_iter().filter(|it| !it.buttons.is_empty()).collect();
        let fields = choices[0].filled(&mut *phones.chance);
        let sent = submit(&phone, &page, &choices[0].action, &fields).await;
        moves += u32::from(sent.status == 303);
        assert!(moves + handed < 2000, "it does not end");
    }
    assert!(handed > 2, "{handed} of {moves}");
    // They were two players of the match.
    let found =
        table.app.owner().await.get(&format!("/matches/by-code/{}", path.trim_start_matches("/m/"))).await.is(200);
    let names: Vec<_> = [0, 1].map(|seat| found["seats"][seat]["player"]["display_name"].clone()).to_vec();
    assert_eq!(names, [json!("Guest 0"), json!("Mina")]);
    assert_ne!(found["seats"][0]["player"]["id"], found["seats"][1]["player"]["id"]);
}

#[tokio::test]
async fn a_shared_phone_shows_the_hand_of_one_person_only() {
    let table = Table::open().await;
    let phones = shared(&table, "perudo").await;
    assert_eq!(phones.press(0, "start").await.status, 303);
    let (phone, path) = (&phones.people[0], phones.path.as_str());
    // The API knows nothing of the other person.
    let me = async || Answer::of(phone.api(Method::GET, "/auth/me")).await.is(200)["display_name"].clone();
    let first = me().await;
    let page = phone.open("/me").await;
    assert!(page.text().contains("Also on this phone"), "{}", page.text());
    let swap = async |page: &Answer| phone.submit(page, "/hand-over", &[("back", path)]).await;
    assert_eq!(swap(&page).await.status, 303);
    let second = me().await;
    assert_ne!(first, second);
    // A form of the page before is not the other person's.
    assert_eq!(swap(&page).await.status, 403);
    // Other sites hand nothing over.
    let page = phone.open("/me").await;
    let token = page.token();
    let foreign = phone.page(Method::POST, "/hand-over").header("origin", "https://evil.example");
    let foreign = foreign.header("sec-fetch-site", "cross-site").form(&[("csrf", token.as_str()), ("back", "/me")]);
    assert_eq!(Answer::of(foreign).await.status, 403);
    let elsewhere = phone.submit(&page, "/hand-over", &[("back", "//evil.example")]).await;
    assert_eq!((elsewhere.status, elsewhere.header("location")), (303, "/admin"));
    assert_eq!(me().await, first);
    // Where one signs out, the other stays.
    let page = phone.open("/me").await;
    let out = phone.submit(&page, "/me/sign-out", &[]).await;
    assert_eq!((out.status, out.header("clear-site-data")), (303, "\"cache\""));
    assert_eq!(Answer::of(phone.api(Method::GET, "/auth/me")).await.status, 401);
    let page = phone.open("/me").await;
    assert_eq!(swap(&page).await.status, 303);
    assert_eq!(me().await, second);
    // The one who signed out is not there to come back to.
    let page = phone.open("/me").await;
    assert!(!page.text().contains("Also on this phone"), "{}", page.text());
    assert_eq!(swap(&page).await.status, 303);
    assert_eq!(me().await, second);
}

#[tokio::test]
async fn who_may_not_seat_another_on_their_phone_is_told_so() {
    let table = Table::open().await;
    let phones = table.gather("perudo", 2, &[]).await;
    let action = format!("{}/others", phones.path);
    let name = [("display_name", "Mina")];
    // A player without a seat, a guest of no party, and somebody who is not known.
    for (who, status) in [(phones.people[1].clone(), 403), (table.app.anybody(), 403)] {
        let page = who.open(&phones.path).await;
        let refused = who.submit(&page, &action, &name).await;
        assert_eq!(refused.status, status, "{}", refused.text());
        assert!(!refused.header("set-cookie").contains("houserules-other="), "{:?}", refused.headers);
    }
    let page = phones.look(0).await;
    let blank = phones.people[0].submit(&page, &action, &[("display_name", " ")]).await;
    assert!(blank.status == 422 && blank.text().contains("other-name-wrong"), "{}", blank.text());
    // A full match takes nobody.
    assert_eq!(phones.press(1, "sit").await.status, 303);
    let full = phones.people[0].submit(&page, &action, &name).await;
    assert_eq!(full.status, 409);
    // Staff share their session with nobody.
    let staff = table.app.owner_at_pages().await;
    let page = staff.open("/admin").await;
    let refused = staff.submit(&page, "/hand-over", &[("back", "/admin")]).await;
    assert_eq!(refused.status, 303);
    assert_eq!(staff.open("/admin").await.status, 200);
    let made = staff.open("/me").await;
    assert_eq!(made.status, 200);
}

#[tokio::test]
async fn the_phone_is_kept_only_where_one_may_step_in() {
    let table = Table::open().await;
    let phones = shared(&table, "perudo").await;
    assert_eq!(phones.press(0, "start").await.status, 303);
    let (phone, path) = (&phones.people[0], phones.path.as_str());
    if !phones.look(0).await.text().contains("class=\"hand-over\"") {
        hand_over(phone, path).await;
    }
    // Where nobody may step in, the address that keeps the phone keeps nothing.
    let kept = phone.open(&format!("{path}?mine=1")).await.text();
    assert!(kept.contains("class=\"hand-over\"") && !kept.contains("data-secret"), "{kept}");
}

/// On another phone, this guest of the table's party asks to be themselves.
pub(crate) async fn ask(phone: &Visitor, table: &Table, name: &str) -> Answer {
    let path = format!("{}/phone", table.path);
    let page = phone.open(&path).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    let (before, _) = text.split_once(&format!("<span>{name}</span>")).unwrap_or_else(|| panic!("{name}: {text}"));
    let id = before.rsplit("value=\"").next().and_then(|it| it.split('"').next()).expect("the button has a value");
    phone.submit(&page, &path, &[("player", id)]).await
}

/// Presses one of the two buttons below the question.
pub(crate) async fn answer(who: &Visitor, at: &str, yes: bool) -> Answer {
    let page = who.open(at).await;
    let forms = forms(&page.text(), "answer-claim");
    let [form] = forms.as_slice() else { panic!("{} questions: {}", forms.len(), page.text()) };
    let mut fields = form.fields.clone();
    fields.push(("answer".to_owned(), if yes { "yes" } else { "no" }.to_owned()));
    submit(who, &page, &form.action, &fields).await
}

/// Presses one of the two buttons below the question on the floor, where forms have a button each.
async fn answer_on_floor(desk: &Visitor, sheet: &str, yes: bool) -> Answer {
    let page = desk.open(sheet).await;
    let answer = if yes { "yes" } else { "no" };
    let text = page.text();
    let form = text
        .split("<form action=\"")
        .filter_map(|piece| piece.split("</form>").next())
        .find(|it| it.starts_with("/admin/claims/") && it.contains(&format!("name=\"answer\" value=\"{answer}\"")))
        .unwrap_or_else(|| panic!("no question: {text}"));
    let action = form.split('"').next().expect("a form has an action");
    let back = form.split_once("name=\"back\" value=\"").and_then(|(_, rest)| rest.split('"').next());
    desk.submit(&page, action, &[("answer", answer), ("back", back.expect("it leads back"))]).await
}

pub(crate) async fn take(phone: &Visitor, table: &Table) -> Answer {
    let path = format!("{}/phone", table.path);
    let page = phone.open(&path).await;
    phone.submit(&page, &format!("{path}/take"), &[]).await
}

pub(crate) fn expire(app: &TestApp) {
    let passed = "UPDATE claims SET asked_at = asked_at - interval '11 minutes', expires_at = expires_at - interval '11 minutes'";
    app.database().with(|client| client.batch_execute(passed)).expect("it is sound SQL");
}

#[tokio::test]
async fn a_guest_goes_on_with_another_phone_once_somebody_of_the_party_says_yes() {
    let table = Table::open().await;
    let phones = table.start("perudo", 2, &[]).await;
    let mut news = phones.people[1].listen_to(&format!("{}/live", phones.path), None).await;
    news.next_of("changed").await;
    let new = table.app.anybody();
    let asked = ask(&new, &table, "Guest 0").await;
    assert_eq!(asked.status, 303, "{}", asked.text());
    assert!(asked.header("set-cookie").contains("HttpOnly"), "{:?}", asked.headers);
    // Nothing is theirs before the answer.
    assert_eq!(take(&new, &table).await.status, 303);
    assert_eq!(Answer::of(new.api(Method::GET, "/auth/me")).await.status, 401);
    // The others hear of it at once, at the match as at the table.
    news.next_of("changed").await;
    assert_eq!(forms(&phones.people[1].open(&table.path).await.text(), "answer-claim").len(), 1);
    let said = answer(&phones.people[1], &phones.path, true).await;
    assert_eq!((said.status, said.header("location")), (303, phones.path.as_str()), "{}", said.text());
    let page = new.open(&format!("{}/phone", table.path)).await;
    assert_eq!(forms(&page.text(), "take").len(), 1, "{}", page.text());
    let taken = take(&new, &table).await;
    assert_eq!((taken.status, taken.header("location")), (303, table.path.as_str()), "{}", taken.text());
    // The new phone holds the seat, the old one is signed out.
    let seen = new.open(&phones.path).await.text();
    assert!(seen.contains("data-seated"), "{seen}");
    let old = phones.look(0).await.text();
    assert!(!old.contains("data-seated") && !old.contains("data-secret"), "{old}");
    // The party is told who said so.
    let page = phones.people[1].open(&table.path).await.text();
    assert!(page.contains("Guest 0 goes on with another phone. Guest 1 confirmed it."), "{page}");
    // Once is enough.
    let again = take(&new, &table).await;
    assert_eq!(again.header("location"), format!("{}/phone", table.path));
}

#[tokio::test]
async fn nobody_else_answers_for_a_phone_and_a_no_is_told() {
    let table = Table::open().await;
    let (mina, jun) = (table.scan("Mina").await, table.scan("Jun").await);
    let new = table.app.anybody();
    assert_eq!(ask(&new, &table, "Mina").await.status, 303);
    let page = jun.open(&table.path).await;
    let form = forms(&page.text(), "answer-claim").remove(0);
    let yes: Vec<_> =
        [("answer", "yes"), ("back", "/")].map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    // A stranger, a guest of another table, and the phone itself under another name.
    let stranger = table.app.anybody();
    let page = stranger.open(&table.path).await;
    assert_eq!(submit(&stranger, &page, &form.action, &yes).await.status, 401);
    let owner = table.app.owner().await;
    let other = owner.post("/tables", json!({ "name": "Buoy", "seats": 4 })).await.is(201);
    let other = Table { path: format!("/t/{}", other["code"].as_str().expect("it has a code")), app: table.app };
    let elsewhere = other.scan("Zoe").await;
    let table = Table { path: table.path, app: other.app };
    let told = async |who: &Visitor| {
        let page = who.open("/me").await;
        let sent = submit(who, &page, &form.action, &yes).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
        who.open("/me").await.text()
    };
    assert!(told(&elsewhere).await.contains("scan the code"), "a guest of another table");
    let page = new.open(&table.path).await;
    let joined = new.submit(&page, &format!("{}/members", table.path), &[("display_name", "Max")]).await;
    assert_eq!(joined.status, 303);
    assert!(told(&new).await.contains("cannot confirm yourself"), "the phone itself");
    // A second phone for the same guest waits its turn.
    let third = table.app.anybody();
    assert_eq!(ask(&third, &table, "Mina").await.status, 303);
    assert!(third.open(&table.path).await.text().contains("Another phone already"));
    assert_eq!(answer(&mina, &table.path, false).await.status, 303);
    let page = new.open(&format!("{}/phone", table.path)).await.text();
    assert!(page.contains("not Mina") && forms(&page, "take").is_empty(), "{page}");
    assert!(forms(&jun.open(&table.path).await.text(), "answer-claim").is_empty());
    assert!(told(&jun).await.contains("no longer open"), "it is answered");
    // A question that nobody answers is over after ten minutes.
    assert_eq!(ask(&third, &table, "Mina").await.status, 303);
    expire(&table.app);
    assert!(forms(&jun.open(&table.path).await.text(), "answer-claim").is_empty());
    let page = third.open(&format!("{}/phone", table.path)).await.text();
    assert!(page.contains("no longer open"), "{page}");
    // And so is an answer that nobody takes.
    assert_eq!(ask(&third, &table, "Mina").await.status, 303);
    assert_eq!(answer(&jun, &table.path, true).await.status, 303);
    expire(&table.app);
    take(&third, &table).await;
    assert_eq!(Answer::of(third.api(Method::GET, "/auth/me")).await.status, 401);
    assert_eq!(Answer::of(mina.api(Method::GET, "/auth/me")).await.status, 200);
}

#[tokio::test]
async fn who_has_registered_signs_in_and_asks_nobody() {
    let table = Table::open().await;
    let (mina, jun) = (table.scan("Mina").await, table.scan("Jun").await);
    let new = table.app.anybody();
    assert_eq!(ask(&new, &table, "Mina").await.status, 303);
    let page = mina.open("/me").await;
    let fields = [("email", "mina@example.org"), ("password", "a long enough password")];
    assert_eq!(mina.submit(&page, "/me/register", &fields).await.status, 303);
    // Even where somebody says yes.
    assert_eq!(answer(&jun, &table.path, true).await.status, 303);
    take(&new, &table).await;
    assert!(new.open(&table.path).await.text().contains("sign in with their email"));
    assert_eq!(Answer::of(new.api(Method::GET, "/auth/me")).await.status, 401);
    let page = table.app.anybody().open(&format!("{}/phone", table.path)).await.text();
    assert!(!page.contains("<span>Mina</span>") && page.contains("<span>Jun</span>"), "{page}");
}

#[tokio::test]
async fn staff_confirm_a_phone_and_reset_a_name_with_one_tap_each_and_it_is_noted() {
    let table = Table::open().await;
    let mina = table.scan("Rude Name").await;
    let desk = table.app.owner_at_pages().await;
    let new = table.app.anybody();
    assert_eq!(ask(&new, &table, "Rude Name").await.status, 303);
    let owner = table.app.owner().await;
    let tables = owner.get("/tables").await.is(200);
    let id = tables["items"][0]["id"].as_str().expect("it has an id").to_owned();
    let sheet = format!("/admin?table={id}");
    // Staff who play against the guest leave it to others.
    let made = owner.post("/matches", json!({ "game": "perudo", "seats": 2, "table_id": id })).await.is(201);
    let at = format!("/matches/{}", made["id"].as_str().expect("it has an id"));
    owner.post(&format!("{at}/seats"), json!({})).await.is(201);
    let lobby = format!("/m/{}", made["code"].as_str().expect("it has a code"));
    let page = mina.open(&lobby).await;
    assert_eq!(mina.submit(&page, &format!("{lobby}/seats"), &[]).await.status, 303);
    assert_eq!(answer_on_floor(&desk, &sheet, true).await.status, 303);
    assert!(desk.open(&sheet).await.text().contains("Somebody else of the staff"), "they play");
    owner.post(&format!("{at}/abort"), json!({})).await.is(200);
    let said = answer_on_floor(&desk, &sheet, true).await;
    assert_eq!((said.status, said.header("location")), (303, sheet.as_str()), "{}", said.text());
    assert_eq!(lines(&table.app, "player.confirm_phone"), 1);
    assert_eq!(take(&new, &table).await.status, 303);
    assert_eq!(Answer::of(new.api(Method::GET, "/auth/me")).await.is(200)["display_name"], "Rude Name");
    assert_eq!(Answer::of(mina.api(Method::GET, "/auth/me")).await.status, 401);
    // The name goes with one tap.
    let sheet = format!("{sheet}&sheet=people");
    let page = desk.open(&sheet).await;
    let text = page.text();
    let (_, rest) = text.split_once("/neutral-name\"").unwrap_or_else(|| panic!("{text}"));
    assert!(rest.contains("Rude Name: give a neutral name"), "{rest}");
    let (before, _) = text.split_once("/neutral-name\"").expect("it is there");
    let action = format!("{}/neutral-name", before.rsplit('"').next().expect("it has an address"));
    let reset = desk.submit(&page, &action, &[("back", &sheet)]).await;
    assert_eq!((reset.status, reset.header("location")), (303, sheet.as_str()), "{}", reset.text());
    let name = Answer::of(new.api(Method::GET, "/auth/me")).await.is(200)["display_name"].clone();
    assert!(name.as_str().is_some_and(|it| it.starts_with("Guest ")), "{name}");
    assert_eq!(lines(&table.app, "player.rename"), 1);
    // Guests do neither.
    for action in [action.as_str(), "/admin/claims/00000000-0000-7000-8000-000000000000"] {
        let page = new.open(&table.path).await;
        let refused = new.submit(&page, action, &[("back", "/"), ("answer", "yes")]).await;
        assert!([400, 403].contains(&refused.status), "{action}: {}", refused.status);
    }
    assert_eq!(lines(&table.app, "player.rename"), 1);
}

#[tokio::test]
async fn a_new_phone_that_asks_is_in_the_queue_of_the_floor_and_is_answered_there() {
    let table = Table::open().await;
    let mina = table.scan("Mina").await;
    let desk = table.app.owner_at_pages().await;
    assert!(!desk.open("/admin").await.text().contains("new phone"));
    let new = table.app.anybody();
    assert_eq!(ask(&new, &table, "Mina").await.status, 303);
    let page = desk.open("/admin").await;
    let text = page.text();
    assert!(text.contains("new phone") && text.contains("belongs to Mina"), "{text}");
    let (_, rest) = text.split_once("\"/admin/claims/").expect("there is a button");
    let action = format!("/admin/claims/{}", rest.split('"').next().expect("it has an address"));
    let said = desk.submit(&page, &action, &[("answer", "yes"), ("back", "/admin")]).await;
    assert_eq!((said.status, said.header("location")), (303, "/admin"), "{}", said.text());
    let after = desk.open("/admin").await.text();
    assert!(!after.contains("/admin/claims/"), "{after}");
    assert_eq!(take(&new, &table).await.status, 303);
    assert_eq!(Answer::of(new.api(Method::GET, "/auth/me")).await.is(200)["display_name"], "Mina");
    assert_eq!(Answer::of(mina.api(Method::GET, "/auth/me")).await.status, 401);
}

#[tokio::test]
async fn who_looked_at_hidden_cards_confirms_no_phone_for_a_seat_there() {
    let table = Table::open().await;
    let phones = table.start("perudo", 2, &[]).await;
    let desk = table.app.owner_at_pages().await;
    let code = phones.path.trim_start_matches("/m/");
    let owner = table.app.owner().await;
    let found = owner.get(&format!("/matches/by-code/{code}")).await.is(200);
    let at = format!("/admin/matches/{}", found["id"].as_str().expect("it has an id"));
    let page = desk.open(&at).await;
    let looked = desk.submit(&page, &format!("{at}/reveal"), &[("reason", "A die fell off the table")]).await;
    assert_eq!(looked.status, 303, "{}", looked.text());
    let new = table.app.anybody();
    assert_eq!(ask(&new, &table, "Guest 0").await.status, 303);
    let page = desk.open("/admin").await;
    let text = page.text();
    let (_, rest) = text.split_once("\"/admin/claims/").unwrap_or_else(|| panic!("{text}"));
    let action = format!("/admin/claims/{}", rest.split('"').next().expect("it has an address"));
    let answers = |answer| [("answer", answer), ("back", "/admin")];
    let refused = desk.submit(&page, &action, &answers("yes")).await;
    assert_eq!(refused.status, 303, "{}", refused.text());
    assert!(desk.open("/admin").await.text().contains("You have looked at hidden dice"));
    take(&new, &table).await;
    assert_eq!(Answer::of(new.api(Method::GET, "/auth/me")).await.status, 401, "it was not confirmed");
    assert_eq!(lines(&table.app, "player.confirm_phone"), 0);
    // Nor as a guest of the party.
    let page = desk.open(&table.path).await;
    let joined = desk.submit(&page, &format!("{}/members", table.path), &[]).await;
    if joined.status == 303 {
        let by_party = action.replace("/admin", &table.path);
        let page = desk.open("/admin").await;
        desk.submit(&page, &by_party, &answers("yes")).await;
        take(&new, &table).await;
        assert_eq!(Answer::of(new.api(Method::GET, "/auth/me")).await.status, 401, "it was not confirmed");
    }
    // Saying no is theirs, and somebody else may say yes.
    let said = answer(&phones.people[1], &phones.path, true).await;
    assert_eq!(said.status, 303, "{}", said.text());
    take(&new, &table).await;
    assert_eq!(Answer::of(new.api(Method::GET, "/auth/me")).await.is(200)["display_name"], "Guest 0");
}

#[tokio::test]
async fn what_phones_asked_about_me_is_in_my_data() {
    let table = Table::open().await;
    let (mina, jun) = (table.scan("Mina").await, table.scan("Jun").await);
    let new = table.app.anybody();
    assert_eq!(ask(&new, &table, "Mina").await.status, 303);
    assert_eq!(ask(&jun, &table, "Mina").await.status, 303, "another phone already asks");
    let claims =
        async |who: &Visitor| Answer::of(who.api(Method::GET, "/auth/me/export")).await.is(200)["claims"].clone();
    let asked = claims(&mina).await;
    assert_eq!(asked.as_array().map(Vec::len), Some(1), "{asked}");
    assert_eq!((&asked[0]["asked_by_me"], &asked[0]["status"]), (&json!(false), &json!("open")));
    assert_eq!(asked[0]["user_agent"], Value::Null, "a stranger's phone is not told");
    assert_eq!(answer(&mina, &table.path, false).await.status, 303);
    assert_eq!(ask(&jun, &table, "Mina").await.status, 303);
    let own = claims(&jun).await;
    assert_eq!((&own[0]["asked_by_me"], &own[0]["status"]), (&json!(true), &json!("open")), "{own}");
    assert_eq!(claims(&mina).await.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn who_ran_out_of_time_takes_the_seat_back_and_who_gave_up_does_not() {
    let table = Table::open().await;
    let phones = table.start("perudo", 3, &[("seconds", "60")]).await;
    let code = phones.path.trim_start_matches("/m/").to_owned();
    let owner = table.app.owner().await;
    let found = owner.get(&format!("/matches/by-code/{code}")).await.is(200);
    let id = found["id"].as_str().expect("it has an id").to_owned();
    let sql =
        |statement: &str| table.app.database().with(|client| client.batch_execute(statement)).expect("it is sound");
    // The clock of the player on turn runs out three times: the server moves for all but one of them.
    let late = loop {
        sql(&format!(
            "UPDATE match_clocks SET turn_since = turn_since - interval '2 minutes', deadline = now() WHERE match_id = '{id}'"
        ));
        let version = owner.get(&format!("/matches/{id}")).await.is(200)["version"].clone();
        eventually("the server moves", async || {
            let shown = owner.get(&format!("/matches/{id}")).await.is(200);
            (shown["version"] != version || shown["status"] != "running").then_some(())
        })
        .await;
        let shown = owner.get(&format!("/matches/{id}")).await.is(200);
        assert_eq!(shown["status"], "running", "it ended too soon");
        let seats = shown["seats"].as_array().expect("it has seats").clone();
        if let Some(seat) = seats.iter().position(|seat| seat["left_why"] == "timed_out") {
            break seat;
        }
        // Each is told that they may still move.
        let told = [phones.look(0).await.text(), phones.look(1).await.text(), phones.look(2).await.text()];
        assert!(told.iter().all(|page| page.contains("class=\"note by-house")), "{told:?}");
    };
    let other = (late + 1) % 3;
    assert!(phones.look(other).await.text().contains("may come back at any time"));
    assert_eq!(phones.press(late, "take-back").await.status, 303);
    let shown = owner.get(&format!("/matches/{id}")).await.is(200);
    assert_eq!(shown["seats"][late]["left_why"], Value::Null);
    let page = phones.look(late).await.text();
    assert!(forms(&page, "take-back").is_empty() && forms(&page, "resign").len() == 1, "{page}");
    // Asking again changes nothing; others cannot; and what was given up stays given up.
    let again = phones.people[late].submit(&phones.look(late).await, &format!("{}/take-back", phones.path), &[]).await;
    assert_eq!(again.status, 303);
    let stranger = table.app.anybody();
    let seen = stranger.open(&phones.path).await;
    assert_eq!(stranger.submit(&seen, &format!("{}/take-back", phones.path), &[]).await.status, 403);
    assert_eq!(phones.press(late, "resign").await.status, 303);
    let page = phones.look(late).await;
    assert!(forms(&page.text(), "take-back").is_empty(), "{}", page.text());
    let refused = phones.people[late].submit(&page, &format!("{}/take-back", phones.path), &[]).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("You gave up this seat"), "{}", refused.text());
}

#[tokio::test]
async fn the_result_says_what_ones_bluffs_did() {
    let table = Table::open().await;
    let mut phones = table.start("liars-dice", 2, &[]).await;
    phones.play_to_the_end().await;
    eventually("the bluffs are counted", async || {
        let all = [phones.look(0).await.text(), phones.look(1).await.text()];
        all.iter().any(|page| page.contains("class=\"bluffs\"")).then_some(())
    })
    .await;
    // Who watched has none.
    assert!(!table.scan("Watcher").await.open(&phones.path).await.text().contains("class=\"bluffs\""));
}

#[tokio::test]
async fn a_friend_joins_party_and_match_by_the_code_that_is_shown() {
    let table = Table::open().await;
    let phones = table.gather_for("perudo", (1, 2), &[]).await;
    assert!(phones.look(0).await.text().contains("/qr\""));
    let picture = phones.people[0].get_page(&format!("{}/qr", phones.path)).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/svg+xml; charset=utf-8"));
    let of_table = phones.people[0].get_page(&format!("{}/qr", table.path)).await;
    assert_eq!(of_table.status, 200);
    let token: String = table
        .app
        .database()
        .with(|client| client.query_one("SELECT join_token FROM sittings", &[]))
        .expect("there is a party")
        .get(0);
    let friend = table.app.anybody();
    // A stranger's picture has no token, and a made-up one opens nothing.
    let plain = friend.get_page(&format!("{}/qr", phones.path)).await;
    assert_ne!(plain.body, picture.body);
    let wrong = friend.open(&format!("{}?join=nonsense", phones.path)).await;
    assert!(forms(&wrong.text(), "sit").is_empty(), "{}", wrong.text());
    let page = friend.open(&format!("{}?join={token}", phones.path)).await;
    let form = forms(&page.text(), "sit").remove(0);
    let mut fields = form.fields.clone();
    fields.retain(|(name, _)| name != "display_name" && name != "nonce");
    fields.push(("display_name".to_owned(), "Lucía".to_owned()));
    let sat = submit(&friend, &page, &form.action, &fields).await;
    assert_eq!((sat.status, sat.header("location")), (303, phones.path.as_str()), "{}", sat.text());
    let page = friend.open(&phones.path).await.text();
    assert!(forms(&page, "leave").len() == 1 && page.contains(&table.path), "{page}");
}

#[tokio::test]
async fn a_party_is_not_asked_without_end() {
    let table = Table::open().await;
    table.scan("Mina").await;
    let asked = "INSERT INTO claims (id, sitting_id, player_id, phone_hash, status, asked_at, expires_at, answered_at, answered_by)
        SELECT gen_random_uuid(), sitting_id, player_id, sha256(n::text::bytea), 'refused', now(), now(), now(), player_id
        FROM sitting_members, generate_series(1, 20) AS n";
    table.app.database().with(|client| client.batch_execute(asked)).expect("it is sound SQL");
    let new = table.app.anybody();
    assert_eq!(ask(&new, &table, "Mina").await.status, 303);
    assert!(new.open(&table.path).await.text().contains("too many such questions"));
    // Whom nobody of the party is, nobody is asked about.
    let page = new.open(&format!("{}/phone", table.path)).await;
    let unknown = [("player", "00000000-0000-7000-8000-000000000000")];
    assert_eq!(new.submit(&page, &format!("{}/phone", table.path), &unknown).await.status, 303);
    assert!(new.open(&table.path).await.text().contains("no such player"));
}
