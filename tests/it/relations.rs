//! A player decides nothing about their own match, and somebody who has looked into it does not play: each role, in each relation
//! to a running match, tries everything that touches it.

use harness::{Answer, TestApp, Visitor};
use reqwest::Method;
use serde_json::{Value, json};

use Outcome::{Done, Refused};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Guest,
    Registered,
    Staff,
    Manager,
    Owner,
}

/// What somebody has to do with a match that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Stranger,
    AtTable,
    MadeIt,
    Seated,
    /// Gave up.
    Left,
    /// Gave up, and somebody else plays on.
    Replaced,
    /// Was offered a seat that somebody left.
    Offered,
    /// Took such a seat.
    StandsIn,
    Looked,
    /// Looked after a seat was offered to them.
    OfferedAndLooked,
    /// Confirmed the phone of one who plays.
    ConfirmedPhone,
    /// The same at the page of the party, as one of it.
    ConfirmedPhoneInParty,
    /// Merged a guest who plays into another account, if they work here.
    Merged,
    /// The same of a guest who gave up, and may come back or look at that hand.
    MergedLeaver,
    /// The same of a guest who stood in, and for whom somebody else plays on.
    MergedStandIn,
}

/// What touches the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Watch,
    SeeHand,
    Report,
    Rematch,
    Move,
    Look,
    ConfirmPhone,
    ConfirmPhoneOfLeaver,
    Merge,
    MergeLeaver,
    SeatBot,
    SeatBotAtPage,
    Offer,
    OfferAtPage,
    Sit,
    Remove,
    RemoveAtPage,
    Ban,
    BanAtPage,
    Abort,
    AbortAtPage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    Refused(String),
}

const ROLES: [Role; 5] = [Role::Guest, Role::Registered, Role::Staff, Role::Manager, Role::Owner];
const RELATIONS: [Relation; 15] = [
    Relation::Stranger,
    Relation::AtTable,
    Relation::MadeIt,
    Relation::Seated,
    Relation::Left,
    Relation::Replaced,
    Relation::Offered,
    Relation::StandsIn,
    Relation::Looked,
    Relation::OfferedAndLooked,
    Relation::ConfirmedPhone,
    Relation::ConfirmedPhoneInParty,
    Relation::Merged,
    Relation::MergedLeaver,
    Relation::MergedStandIn,
];
/// Those that change the least come first.
const ACTS: [Act; 21] = [
    Act::Watch,
    Act::SeeHand,
    Act::Report,
    Act::Rematch,
    Act::Move,
    Act::Look,
    Act::ConfirmPhone,
    Act::ConfirmPhoneOfLeaver,
    Act::Merge,
    Act::MergeLeaver,
    Act::SeatBot,
    Act::SeatBotAtPage,
    Act::Offer,
    Act::OfferAtPage,
    Act::Sit,
    Act::Remove,
    Act::RemoveAtPage,
    Act::Ban,
    Act::BanAtPage,
    Act::Abort,
    Act::AbortAtPage,
];

/// The rule.
fn expected(role: Role, relation: Relation, act: Act) -> Outcome {
    use Relation as R;
    let holds_seat = matches!(relation, R::Seated | R::Left | R::StandsIn);
    let plays = matches!(relation, R::Seated | R::StandsIn);
    let has_played = holds_seat || relation == R::Replaced;
    let has_looked = matches!(relation, R::Looked | R::OfferedAndLooked);
    let is_offered = matches!(relation, R::Offered | R::OfferedAndLooked);
    let has_merged = matches!(relation, R::Merged | R::MergedLeaver | R::MergedStandIn);
    let has_confirmed = has_merged || matches!(relation, R::ConfirmedPhone | R::ConfirmedPhoneInParty);
    let works_here = role >= Role::Staff;
    let as_staff = |least: Role, refused: Option<&str>| match refused {
        _ if role < least => refuse("forbidden"),
        Some(code) => refuse(code),
        None => Done,
    };
    let as_bystander = has_played.then_some("plays_here");
    match act {
        Act::Watch => Done,
        Act::SeeHand if holds_seat => Done,
        Act::SeeHand => refuse("not_seated"),
        Act::Move if plays => Done,
        Act::Move if relation == R::Left => refuse("resigned"),
        Act::Move => refuse("not_seated"),
        Act::Report if holds_seat || works_here => refuse("match_not_scored"),
        Act::Report => refuse("not_seated"),
        Act::Rematch if works_here || has_played || relation == R::MadeIt => refuse("match_not_over"),
        Act::Rematch => refuse("not_seated"),
        Act::Sit if relation == R::OfferedAndLooked => refuse("has_looked"),
        Act::Sit if holds_seat || is_offered => Done,
        Act::Sit => refuse("match_not_waiting"),
        Act::Look => as_staff(Role::Manager, as_bystander.or(has_confirmed.then_some("confirmed_phone"))),
        Act::ConfirmPhone | Act::ConfirmPhoneOfLeaver | Act::Merge | Act::MergeLeaver => {
            as_staff(Role::Staff, as_bystander.or(has_looked.then_some("claim_looked")))
        }
        Act::Offer | Act::OfferAtPage | Act::Remove | Act::RemoveAtPage | Act::Abort | Act::AbortAtPage => {
            as_staff(Role::Staff, as_bystander)
        }
        Act::SeatBot if relation == R::MadeIt => Done,
        Act::SeatBot | Act::SeatBotAtPage => as_staff(Role::Staff, as_bystander),
        Act::Ban | Act::BanAtPage => as_staff(Role::Manager, as_bystander),
    }
}

fn refuse(code: &str) -> Outcome {
    Refused(code.to_owned())
}

impl Act {
    /// What is done leaves another match than it found.
    fn changes(self) -> bool {
        !matches!(self, Act::Watch | Act::SeeHand | Act::Report | Act::Rematch | Act::Move)
    }
}

/// Somebody by the JSON API and, if they work here, at the staff's pages.
struct Person {
    api: Visitor,
    desk: Option<Visitor>,
}

/// A running match of four seats at a table, in one relation to a person. The first seat was given up.
struct Scene<'a> {
    app: &'a TestApp,
    owner: &'a Visitor,
    who: &'a Person,
    /// By seat.
    players: Vec<Visitor>,
    table: String,
    id: String,
}

async fn hire(app: &TestApp, role: Role) -> Person {
    let email = format!("{role:?}@example.org").to_lowercase();
    let password = "a long enough password";
    if role == Role::Guest {
        return Person { api: app.guest("Mina").await, desk: None };
    }
    let account = json!({ "email": email, "password": password, "display_name": "Mina" });
    let registered = app.anybody().sign_in("/auth/register", account, 201).await;
    if role == Role::Registered {
        return Person { api: registered, desk: None };
    }
    run(app, &format!("UPDATE players SET role = lower('{role:?}') WHERE email = '{email}'"));
    let api = app.anybody().sign_in("/auth/login", json!({ "email": email, "password": password }), 200).await;
    let desk = app.anybody();
    assert_eq!(desk.sign_in_at_page((&email, password)).await.status, 303);
    Person { api, desk: Some(desk) }
}

fn run(app: &TestApp, statement: &str) {
    app.database().with(|client| client.batch_execute(statement)).expect("it is sound SQL");
}

fn text(app: &TestApp, query: &str) -> String {
    app.database().with(|client| client.query_one(query, &[])).expect("there is a row").get(0)
}

impl<'a> Scene<'a> {
    async fn set_up(app: &'a TestApp, owner: &'a Visitor, who: &'a Person, relation: Relation) -> Self {
        use Relation as R;
        let name = format!("T{}", text(app, "SELECT count(*)::text FROM tables"));
        let table = owner.post("/tables", json!({ "name": name, "seats": 8 })).await.is(201);
        let code = table["code"].as_str().expect("a table has a code").to_owned();
        let mut players = Vec::new();
        for name in ["Ana", "Bea", "Cho", "Dan"] {
            players.push(app.guest(name).await);
        }
        if matches!(relation, R::Seated | R::Left | R::Replaced) {
            players[3] = who.api.clone();
        }
        let is_of_party = matches!(relation, R::AtTable | R::MadeIt | R::ConfirmedPhoneInParty);
        for member in players.iter().chain(is_of_party.then_some(&who.api)) {
            let joined = member.post(&format!("/tables/by-code/{code}/members"), json!({})).await;
            assert!([200, 201].contains(&joined.status), "{}", joined.text());
        }
        let maker = if relation == R::MadeIt { &who.api } else { &players[0] };
        let new = json!({ "game": "perudo", "seats": 4, "table_id": table["id"] });
        let made = maker.post("/matches", new).await.is(201);
        let id = made["id"].as_str().expect("a match has an id").to_owned();
        let scene = Scene { app, owner, who, players, table: code, id };
        for (seat, player) in scene.players.iter().enumerate() {
            player.post(&scene.at("/seats"), json!({ "seat": seat })).await.is(201);
        }
        let maker = if relation == R::MadeIt { &who.api } else { &scene.players[0] };
        maker.post(&scene.at("/start"), json!({})).await.is(200);
        scene.players[0].post(&scene.at("/resign"), json!({})).await.is(200);
        scene.relate(relation).await;
        scene
    }

    async fn relate(&self, relation: Relation) {
        use Relation as R;
        let me = &self.who.api;
        match relation {
            R::Stranger | R::AtTable | R::MadeIt | R::Seated => {}
            R::Left => drop(me.post(&self.at("/resign"), json!({})).await.is(200)),
            R::Replaced => {
                me.post(&self.at("/resign"), json!({})).await.is(200);
                self.replace(3, &self.app.guest("Eun").await).await;
            }
            R::Offered | R::OfferedAndLooked | R::StandsIn => {
                self.players[3].post(&self.at("/resign"), json!({})).await.is(200);
                match relation {
                    R::StandsIn => self.replace(3, me).await,
                    _ => self.offer(3, me).await,
                }
                if relation == R::OfferedAndLooked {
                    self.has_looked();
                }
            }
            R::Looked => self.has_looked(),
            R::ConfirmedPhone | R::ConfirmedPhoneInParty => {
                let claim = self.claim(2).await;
                let base =
                    if relation == R::ConfirmedPhone { "/admin".to_owned() } else { format!("/t/{}", self.table) };
                match &self.who.desk {
                    Some(_) => drop(
                        self.submit(&format!("{base}/claims/{claim}"), &[("answer", "yes"), ("back", "/admin")]).await,
                    ),
                    // As one of the party at that time.
                    None => run(
                        self.app,
                        &format!(
                            "UPDATE claims SET status = 'confirmed', answered_at = now(), answered_by = '{}' WHERE id = '{claim}'",
                            me.id()
                        ),
                    ),
                }
                assert_eq!(self.status_of(&claim), "confirmed");
                // What is deleted later is not forgotten.
                run(self.app, &format!("DELETE FROM claims WHERE id = '{claim}'"));
            }
            R::Merged if self.who.desk.is_some() => drop(self.merge(&self.players[2]).await.is(204)),
            R::MergedLeaver if self.who.desk.is_some() => {
                self.players[2].post(&self.at("/resign"), json!({})).await.is(200);
                self.merge(&self.players[2]).await.is(204);
            }
            R::MergedStandIn if self.who.desk.is_some() => {
                let stand_in = self.app.guest("Fay").await;
                self.players[2].post(&self.at("/resign"), json!({})).await.is(200);
                self.replace(2, &stand_in).await;
                stand_in.post(&self.at("/resign"), json!({})).await.is(200);
                self.replace(2, &self.app.guest("Gus").await).await;
                self.merge(&stand_in).await.is(204);
            }
            R::Merged | R::MergedLeaver | R::MergedStandIn => {}
        }
    }

    /// This guest becomes another account.
    async fn merge(&self, guest: &Visitor) -> Answer {
        let other = self.app.guest("Eun").await;
        let path = format!("/players/{}/merge", guest.id());
        self.who.api.post(&path, json!({ "into": other.id() })).await
    }

    fn at(&self, rest: &str) -> String {
        format!("/matches/{}{rest}", self.id)
    }

    async fn offer(&self, seat: usize, to: &Visitor) {
        self.owner.post(&self.at(&format!("/seats/{seat}/offer")), json!({ "player_id": to.id() })).await.is(200);
    }

    /// The player at this seat left, and somebody plays on.
    async fn replace(&self, seat: usize, by: &Visitor) {
        self.offer(seat, by).await;
        by.post(&self.at("/seats"), json!({ "seat": seat })).await.is(201);
    }

    /// When they looked they were a manager, whatever they are now.
    fn has_looked(&self) {
        let look = format!(
            "INSERT INTO match_reveals (match_id, player_id, role, reason, version) VALUES ('{}', '{}', 'manager', 'A die fell', 0)",
            self.id,
            self.who.api.id()
        );
        run(self.app, &look);
    }

    fn looks(&self) -> String {
        let id = self.who.api.id();
        text(
            self.app,
            &format!("SELECT count(*)::text FROM match_reveals WHERE match_id = '{}' AND player_id = '{id}'", self.id),
        )
    }

    /// A new phone says that it belongs to the player at this seat.
    async fn claim(&self, seat: usize) -> String {
        let (phone, path) = (self.app.anybody(), format!("/t/{}/phone", self.table));
        let page = phone.open(&path).await;
        let id = self.players[seat].id();
        let asked = phone.submit(&page, &path, &[("player", id)]).await;
        assert_eq!(asked.status, 303, "{}", asked.text());
        text(self.app, &format!("SELECT id::text FROM claims WHERE player_id = '{id}' AND status = 'open'"))
    }

    fn status_of(&self, claim: &str) -> String {
        text(self.app, &format!("SELECT status FROM claims WHERE id = '{claim}'"))
    }

    /// A form of the staff's pages; others send it as well as they can.
    async fn submit(&self, action: &str, fields: &[(&str, &str)]) -> Answer {
        match &self.who.desk {
            Some(desk) => {
                let page = desk.open("/admin/account").await;
                desk.submit(&page, action, fields).await
            }
            None => Answer::of(self.who.api.page(Method::POST, action).form(fields)).await,
        }
    }

    /// Sends a form that changes the match, or bans one who plays in it.
    async fn press(&self, action: &str, fields: &[(&str, &str)]) -> Outcome {
        let before = self.state();
        let answer = self.submit(action, fields).await;
        if self.state() != before { Done } else { self.why_not(&answer).await }
    }

    fn state(&self) -> String {
        let (player, id) = (self.players[1].id(), &self.id);
        let query = format!(
            "SELECT concat_ws(' ', status, resigned, (SELECT banned_at FROM players WHERE id = '{player}'),
                (SELECT string_agg(player_id::text, ',') FROM match_stand_ins WHERE match_id = '{id}'),
                (SELECT string_agg(bot, ',') FROM match_seats WHERE match_id = '{id}'))
             FROM matches WHERE id = '{id}'"
        );
        text(self.app, &query)
    }

    async fn post(&self, rest: &str, body: Value) -> Outcome {
        outcome(&self.who.api.post(&self.at(rest), body).await)
    }

    /// What a form did not do, and why it says so.
    async fn why_not(&self, answer: &Answer) -> Outcome {
        let Some(desk) = &self.who.desk else {
            assert!([400, 401, 403].contains(&answer.status), "{}: {}", answer.status, answer.text());
            return refuse("forbidden");
        };
        let page = if answer.status == 303 { desk.open("/admin").await.text() } else { answer.text() };
        let sentences = [
            ("plays_here", "You play in this match yourself"),
            ("confirmed_phone", "You confirmed the phone"),
            ("claim_looked", "You have looked at hidden dice"),
            ("forbidden", "You are not allowed"),
        ];
        let found = sentences.iter().find(|(_, sentence)| page.contains(sentence));
        found.map_or_else(|| refuse(&format!("another reason: {}", answer.status)), |(code, _)| refuse(code))
    }

    async fn attempt(&self, act: Act) -> Outcome {
        let me = &self.who.api;
        let reason = json!({ "reason": "They quarrel" });
        match act {
            Act::Watch => outcome(&me.get(&self.at("")).await),
            Act::SeeHand => outcome(&me.get(&self.at("/view")).await),
            Act::Report => self.post("/result", json!({ "ranks": [1, 2, 3, 4] })).await,
            Act::Rematch => self.post("/rematch", json!({})).await,
            // No game has this move: who plays is told so by the rules, or that it is not their turn.
            Act::Move => match self.post("/moves", json!({ "move": { "type": "nothing" } })).await {
                Refused(code) if !["not_seated", "resigned"].contains(&code.as_str()) => Done,
                outcome => outcome,
            },
            Act::Look => {
                let before = self.looks();
                let answer = self.submit(&format!("/admin{}", self.at("/reveal")), &[("reason", "A die fell")]).await;
                if self.looks() != before { Done } else { self.why_not(&answer).await }
            }
            Act::ConfirmPhone | Act::ConfirmPhoneOfLeaver => {
                let claim = self.claim(if act == Act::ConfirmPhone { 1 } else { 0 }).await;
                let fields = [("answer", "yes"), ("back", "/admin")];
                let answer = self.submit(&format!("/admin/claims/{claim}"), &fields).await;
                let is_confirmed = self.status_of(&claim) == "confirmed";
                let outcome = if is_confirmed { Done } else { self.why_not(&answer).await };
                run(self.app, &format!("DELETE FROM claims WHERE id = '{claim}'"));
                outcome
            }
            Act::Merge => outcome(&self.merge(&self.players[1]).await),
            Act::MergeLeaver => outcome(&self.merge(&self.players[0]).await),
            // The first seat was given up.
            Act::SeatBot => self.post("/seats", json!({ "bot": "easy", "seat": 0 })).await,
            Act::SeatBotAtPage => {
                let fields = [("bot", "medium"), ("seat", "0")];
                self.press(&format!("/admin{}", self.at("/bots")), &fields).await
            }
            Act::Offer => {
                let other = self.app.guest("Eun").await;
                self.post("/seats/0/offer", json!({ "player_id": other.id() })).await
            }
            Act::OfferAtPage => {
                let other = self.app.guest("Eun").await;
                let fields = [("player", other.id()), ("reason", "They quarrel")];
                self.press(&format!("/admin{}", self.at("/seats/0/offer")), &fields).await
            }
            Act::RemoveAtPage => self.press(&format!("/admin{}", self.at("/seats/1/remove")), &REASON).await,
            Act::BanAtPage => {
                let fields = [REASON[0], ("length", "day")];
                self.press(&format!("/admin/players/{}/ban", self.players[1].id()), &fields).await
            }
            Act::AbortAtPage => self.press(&format!("/admin{}", self.at("/abort")), &REASON).await,
            Act::Sit => self.post("/seats", json!({})).await,
            Act::Remove => self.post("/seats/1/remove", reason).await,
            Act::Ban => {
                let path = format!("/players/{}/ban", self.players[1].id());
                outcome(&Answer::of(me.api(BAN, &path).json(&reason)).await)
            }
            Act::Abort => self.post("/abort", reason).await,
        }
    }
}

const REASON: [(&str, &str); 1] = [("reason", "They quarrel")];
const BAN: Method = Method::PUT;

fn outcome(answer: &Answer) -> Outcome {
    if answer.status < 300 { Done } else { Refused(answer.refused()) }
}

#[tokio::test]
async fn whatever_touches_a_match_is_for_those_who_neither_play_nor_know_too_much() {
    let mut wrong = Vec::new();
    for role in ROLES {
        // One house does not have tables for all.
        let app = TestApp::start();
        let owner = app.owner().await;
        let who = hire(&app, role).await;
        for relation in RELATIONS {
            let mut scene = Scene::set_up(&app, &owner, &who, relation).await;
            for act in ACTS {
                let (outcome, expected) = (scene.attempt(act).await, expected(role, relation, act));
                if outcome != expected {
                    wrong.push(format!("{role:?}, {relation:?}, {act:?}: {outcome:?}, expected {expected:?}"));
                }
                if outcome == Done && act.changes() {
                    scene = Scene::set_up(&app, &owner, &who, relation).await;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
