//! Samples of pages: rendered without a browser in every language, as everybody who may see them, and checked. Only tests of the
//! crates above use them, so that no program has them.

#![expect(clippy::unwrap_used, reason = "what is wrong with a sample fails the test that draws it")]

use std::collections::HashSet;

use base::auth::{Permission, Role};
use base::ids::{CopyId, MatchId, PlayerId, SessionId, SittingId, TableId, TitleId, UndoId, VariantId};
use base::settings::tariff::Rate;
use base::settings::{Headcounts, Tariff};
use base::text::Lang;
use cafe::waiting::outlook::{Ahead, QueueEntry};
use cafe::waiting::{Span, WaitingId, WaitingRow, WaitingStatus};
use engine::{Json, Match, Seat, Step, Turn, catalogue, playout};
use jiff::Timestamp;
use play::library::store::CopyRow;
use play::library::{CopyState, Difficulty, TitleRow};
use play::matches::results::ResultStatus;
use play::matches::results::store::ResultRow;
use play::matches::store::JsonText;
use play::matches::{LogRow, MadeBy, MatchRow, Mode, SeatRow, Seats, Status};
use play::players::PlayerRow;
use play::sessions::SessionRow;
use play::sittings::SittingRow;
use play::sittings::store::Owed;
use play::tables::TableRow;
use play::variants::{VariantRow, VariantStatus, VersionRow};
use serde_json::value::to_raw_value;
use serde_json::{Value, from_str, json, to_value};
use uuid::Uuid;

use super::{Flash, Page, Who};
use crate::assets;

/// Everybody who works here.
pub const STAFF: &[Option<Role>] = &[Some(Role::Staff), Some(Role::Manager), Some(Role::Owner)];
pub const MANAGERS: &[Option<Role>] = &[Some(Role::Manager), Some(Role::Owner)];
/// Somebody who has not signed in.
pub const ANYBODY: &[Option<Role>] = &[None];

/// Those who work here and have this permission.
pub fn who_may(permission: Permission) -> Vec<Option<Role>> {
    STAFF.iter().copied().filter(|role| role.is_some_and(|role| role.may(permission))).collect()
}

/// Elements that people find by their words.
const WORDED: [&str; 8] = ["a", "button", "caption", "h1", "h2", "h3", "label", "summary"];
const WORDED_ATTRIBUTES: [&str; 4] = ["alt=\"", "aria-label=\"", "placeholder=\"", "title=\""];

/// Draws a page for each of these readers in every language and checks the result.
pub fn check(readers: &[Option<Role>], draw: impl Fn(Page) -> askama::Result<String>) {
    for lang in Lang::ALL {
        for reader in readers {
            let who = |role| Who { name: "민아".to_owned(), role, lacks_factor: role == Role::Manager };
            let flash = Flash::good("joined-table", "1번").undoable(reader.map(|_| UndoId(Uuid::nil())));
            let html = draw(Page { staff: reader.map(who), flash: Some(flash), ..Page::sample(lang) }).unwrap();
            let checks = [keys_in, silent_elements, nameless_inputs, open_forms, lost_symbols, lost_references];
            let wrong: Vec<_> = checks.iter().flat_map(|check| check(&html)).collect();
            assert!(wrong.is_empty(), "{lang:?}, {reader:?}: {wrong:#?}");
        }
    }
}

/// Texts that no catalogue has are shown as their keys, and words that are missing in them as their names. Names of programs are
/// marked as code.
fn keys_in(html: &str) -> Vec<String> {
    let pieces = html.split('<').filter(|piece| !piece.starts_with("code>"));
    let texts = pieces.filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    let values = WORDED_ATTRIBUTES.iter().flat_map(|name| values_of(html, name));
    let is_key = |text: &str| {
        text.contains(['-', '_'])
            && text.starts_with(|it: char| it.is_ascii_lowercase())
            && text.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || "-_".contains(it))
    };
    let wrong = texts.chain(values).map(str::trim).filter(|text| is_key(text) || text.contains("{$"));
    wrong.map(|text| format!("a text is missing: {text}")).collect()
}

/// Links, buttons, headings and labels that say nothing.
fn silent_elements(html: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for name in WORDED {
        for rest in html.split(&format!("<{name}")).skip(1).filter(|rest| rest.starts_with([' ', '>', '\n'])) {
            let element = rest.split(&format!("</{name}>")).next().unwrap_or_default();
            let (attributes, content) = element.split_once('>').unwrap_or((element, ""));
            let is_said = content.split('>').any(|it| it.split('<').next().is_some_and(|text| !text.trim().is_empty()));
            let is_named =
                [attributes, content].iter().any(|it| it.contains("aria-label=\"") || it.contains(" alt=\""));
            if (!is_said && !is_named) || element.contains("aria-label=\"\"") {
                wrong.push(format!("an element says nothing: <{name}{element}"));
            }
        }
    }
    wrong
}

/// Inputs that nothing names.
fn nameless_inputs(html: &str) -> Vec<String> {
    let labelled: HashSet<&str> = values_of(html, " for=\"").collect();
    let mut wrong = Vec::new();
    for (at, _) in html.match_indices(['<']) {
        let (before, tag) = (&html[..at], html[at..].split('>').next().unwrap_or_default());
        let is_input = ["<input ", "<select ", "<textarea "].iter().any(|it| tag.starts_with(it));
        if !is_input || tag.contains("type=\"hidden\"") || tag.contains(" aria-label") {
            continue;
        }
        let is_inside = before.rfind("<label") > before.rfind("</label>");
        if !is_inside && !values_of(tag, " id=\"").any(|id| labelled.contains(id)) {
            wrong.push(format!("an input has no name: {tag}>"));
        }
    }
    wrong
}

/// Forms that change something, and that another site could send.
fn open_forms(html: &str) -> Vec<String> {
    let forms = html.split("<form").skip(1).filter_map(|rest| rest.split("</form>").next());
    let posts = forms.filter(|form| form.split('>').next().is_some_and(|tag| tag.contains("method=\"post\"")));
    let open = posts.filter(|form| !form.contains("name=\"csrf\" value=\"token\""));
    open.map(|form| format!("a form has no token: <form{form}")).collect()
}

/// Pictures by a name that no file of pictures has, and files by a name that no file has.
fn lost_symbols(html: &str) -> Vec<String> {
    let nowhere = ["<script src=\"\"", "<link rel=\"stylesheet\" href=\"\""].into_iter().filter(|it| html.contains(it));
    let mut wrong: Vec<String> = nowhere.map(|it| format!("{it} leads nowhere")).collect();
    for file in ["symbols.svg", "pieces.svg"] {
        let text = assets::text(&format!("art/{file}"));
        let known: HashSet<&str> = values_of(&text, " id=\"").collect();
        let used = values_of(html, &format!("<use href=\"{}#", assets::url(file))).collect::<Vec<_>>();
        wrong.extend(used.iter().filter(|name| !known.contains(**name)).map(|name| format!("{file} has no {name}")));
    }
    wrong
}

/// What points at an element that is not there, and ids that two elements have.
fn lost_references(html: &str) -> Vec<String> {
    let mut known = HashSet::new();
    let twice: Vec<&str> = values_of(html, " id=\"").filter(|id| !known.insert(*id)).collect();
    let mut wrong: Vec<_> = twice.into_iter().map(|id| format!("two elements are called {id}")).collect();
    for attribute in [" for=\"", " aria-describedby=\"", " aria-labelledby=\"", " aria-controls=\"", " href=\"#"] {
        let lost = values_of(html, attribute).flat_map(str::split_whitespace).filter(|id| !known.contains(id));
        wrong.extend(lost.map(|id| format!("{attribute}{id}\" points at nothing")));
    }
    wrong
}

/// What follows this, up to the next quotation mark, wherever it stands.
fn values_of<'a>(text: &'a str, opening: &str) -> impl Iterator<Item = &'a str> {
    text.split(opening).skip(1).filter_map(|rest| rest.split('"').next()).collect::<Vec<_>>().into_iter()
}

/// A party on the waiting list.
pub fn waiting(status: WaitingStatus) -> QueueEntry {
    let is_over = !matches!(status, WaitingStatus::Waiting | WaitingStatus::Called);
    let table = |name: &str, free| Ahead { table: table(name).id, name: name.to_owned(), seats: 4, free };
    let row = WaitingRow {
        id: WaitingId(Uuid::from_u128(9 + status as u128)),
        token: "token".to_owned(),
        name: (status != WaitingStatus::NoShow).then(|| "하늘".to_owned()),
        phone: Some("010-1234-5678".to_owned()),
        party_size: 3,
        status,
        joined_at: Timestamp::UNIX_EPOCH,
        by_guest: true,
        called_at: (status != WaitingStatus::Waiting).then_some(Timestamp::UNIX_EPOCH),
        ended_at: is_over.then_some(Timestamp::UNIX_EPOCH),
        sitting_id: None,
    };
    let later = Span { least: 10, most: 40 };
    let fits = vec![table("1번", Some(Span::NOW)), table("2번", Some(later))];
    QueueEntry { row, position: 2, wait: Some(later), ready: Some(fits[0].table), fits }
}

/// With the id that its name counts.
pub fn table(name: &str) -> TableRow {
    let number = name.trim_end_matches('번').parse().unwrap();
    TableRow {
        id: TableId(Uuid::from_u128(number)),
        code: "HJKMNP".to_owned(),
        name: name.to_owned(),
        area: Some("창가".to_owned()),
        seats: 4,
        position: 1,
        created_at: Timestamp::UNIX_EPOCH,
        archived_at: None,
        out_of_service_reason: None,
        out_of_service_since: None,
    }
}

pub fn player(name: &str, role: Role) -> PlayerRow {
    PlayerRow {
        id: PlayerId(Uuid::from_u128(2)),
        display_name: name.to_owned(),
        role,
        email: Some("mina@example.org".to_owned()),
        password_hash: None,
        created_at: Timestamp::UNIX_EPOCH,
        banned_at: None,
        deleted_at: None,
        registered_at: Some(Timestamp::UNIX_EPOCH),
        merged_into: None,
        banned_until: None,
        ban_reason: None,
    }
}

/// A match that waits for players.
pub fn waiting_match() -> MatchRow {
    MatchRow {
        id: MatchId(Uuid::from_u128(3)),
        code: "QRSTVW".to_owned(),
        game: "perudo".to_owned(),
        revision: 1,
        options: json!({}),
        seat_count: 4,
        name: None,
        mode: Mode::Played,
        status: Status::Waiting,
        version: 0,
        change_seq: 0,
        created_by: PlayerId(Uuid::from_u128(2)),
        table_id: Some(TableId(Uuid::from_u128(1))),
        turn_seconds: None,
        created_at: Timestamp::UNIX_EPOCH,
        started_at: None,
        moved_at: None,
        finished_at: None,
        commitment: vec![0; 32],
        to_move: 0,
        interrupt: 0,
        resigned: 0,
        outcome: None,
        variant_id: None,
        variant_version: None,
        variant_hash: vec![0; 32],
    }
}

pub fn title() -> TitleRow {
    TitleRow {
        id: TitleId(Uuid::from_u128(4)),
        game: None,
        name_ko: "카탄".to_owned(),
        name_en: "Catan".to_owned(),
        name_es: "Catán".to_owned(),
        players_from: 3,
        players_to: 4,
        minutes_from: 60,
        minutes_to: 90,
        difficulty: Difficulty::Medium,
        teach_minutes: Some(15),
        rules_url: Some("https://example.org/catan".to_owned()),
        archived_at: None,
    }
}

pub fn copy(state: CopyState) -> CopyRow {
    CopyRow {
        id: CopyId(Uuid::from_u128(5)),
        title_id: TitleId(Uuid::from_u128(4)),
        number: 1,
        shelf: "A-3".to_owned(),
        state,
        table_id: None,
        since: Timestamp::UNIX_EPOCH,
        archived_at: None,
    }
}

pub fn sitting(table: TableId) -> SittingRow {
    SittingRow {
        id: SittingId(Uuid::from_u128(1)),
        table_id: table,
        party_size: 3,
        join_token: "token".to_owned(),
        opened_at: Timestamp::UNIX_EPOCH,
        opened_by: player_id(0),
        remind_at: Timestamp::UNIX_EPOCH,
        closing_at: None,
        closed_at: None,
        ended: None,
        merged_into: None,
        headcounts: Headcounts::default(),
        owed: Owed::default(),
    }
}

pub fn tariff() -> Tariff {
    let rate = Rate { first_minutes: 60, first_price: 3000, step_minutes: 10, step_price: 500, day_pass: Some(15_000) };
    Tariff { currency: "KRW".to_owned(), grace_minutes: 5, weekday: rate, weekend: rate, weekend_days: vec![6, 7] }
}

pub fn session() -> SessionRow {
    SessionRow {
        id: SessionId(Uuid::from_u128(6)),
        user_agent: Some("Mozilla/5.0 (Linux; Android 14) Chrome/126.0".to_owned()),
        device_name: None,
        created_at: Timestamp::UNIX_EPOCH,
        seen_at: Timestamp::UNIX_EPOCH,
        expires_at: Timestamp::UNIX_EPOCH,
    }
}

pub fn variant(status: VariantStatus) -> VariantRow {
    VariantRow {
        id: VariantId(Uuid::from_u128(7)),
        game: "perudo".to_owned(),
        name: "민아식".to_owned(),
        description: Some("주사위가 여섯 개예요.".to_owned()),
        status,
        created_at: Timestamp::UNIX_EPOCH,
    }
}

/// A version of that variant; the last one is still a draft.
pub fn variant_version(number: i32, options: Value, is_published: bool) -> VersionRow {
    VersionRow {
        variant_id: VariantId(Uuid::from_u128(7)),
        number,
        revision: 1,
        options,
        variant_hash: vec![0; 32],
        created_at: Timestamp::UNIX_EPOCH,
        published_at: is_published.then_some(Timestamp::UNIX_EPOCH),
    }
}

/// Of the player in this seat, in every sample.
pub fn player_id(seat: u8) -> PlayerId {
    PlayerId(Uuid::from_u128(2 + u128::from(seat)))
}

/// Results of a match with real dice, one of each status.
pub fn results() -> Vec<ResultRow> {
    let row = |(number, status): (i32, &ResultStatus)| ResultRow {
        id: Uuid::nil(),
        match_id: MatchId(Uuid::nil()),
        number,
        outcome: json!({ "ranks": [1, 2, 2, 4], "scores": [10, 7.5, 7.5, 1], "out": [3, 1] }),
        status: *status,
        reported_by: player_id(0),
        by_staff: number == 1,
        reason: Some("손으로 적었어요".to_owned()),
        created_at: Timestamp::UNIX_EPOCH,
        confirmed_by: Some(player_id(1)),
        confirmed_at: (*status == ResultStatus::Confirmed).then_some(Timestamp::UNIX_EPOCH),
    };
    (1..).zip(ResultStatus::ALL).map(row).collect()
}

pub fn seat(number: u8) -> SeatRow {
    SeatRow {
        match_id: MatchId(Uuid::from_u128(3)),
        seat: number.into(),
        player_id: player_id(number),
        display_name: ["민아", "준", "하늘", "Lucía", "서연", "Álvaro"][usize::from(number % 6)].to_owned(),
        deleted: false,
        tag: None,
        nonce: Some("nonce".to_owned()),
        joined_at: Timestamp::UNIX_EPOCH,
        left_at: None,
        left_why: None,
        stand_in_id: None,
        stand_in_name: None,
    }
}

/// So many seats, taken by players.
pub fn seats(taken: u8) -> Seats {
    Seats { players: (0..taken).map(seat).collect(), bots: Vec::new() }
}

/// A match of the engine with the rows that are kept of it.
pub struct SampleMatch {
    pub row: MatchRow,
    pub seats: Seats,
    pub state: Vec<u8>,
    pub log: Vec<LogRow>,
    pub play: Box<dyn Match>,
}

impl SampleMatch {
    /// After so many random moves, always the same ones, or at its end.
    pub fn after(game: &str, moves: i32) -> Self {
        let kind = catalogue::find(game).unwrap();
        let seat_count = (*kind.info().seats.start()).max(3);
        let random = &mut playout::random(7);
        let (mut play, step) = kind.start(&json!({}), seat_count, random).unwrap();
        let mut log = vec![log_row(0, None, &step)];
        for version in 1..=moves {
            let Some((seat, chosen)) = playout::random_move(play.as_ref(), random) else { break };
            let step = play.play(seat, &from_str(chosen.get()).unwrap(), random).unwrap();
            log.push(log_row(version, Some((seat, chosen)), &step));
        }
        let (status, to_move, outcome) = match play.turn() {
            Turn::Seats { to_move, .. } => (Status::Running, to_move.iter().map(|seat| 1 << seat.0).sum(), None),
            Turn::Over(outcome) => (Status::Finished, 0, Some(to_value(outcome).unwrap())),
            Turn::Chance => panic!("a match waits for chance"),
        };
        let row = MatchRow {
            game: game.to_owned(),
            revision: i32::try_from(kind.info().revision).unwrap(),
            options: kind.normalize_options(&json!({}), seat_count).unwrap(),
            seat_count: seat_count.into(),
            status,
            version: log.last().map_or(0, |row| row.version),
            started_at: Some(Timestamp::UNIX_EPOCH),
            moved_at: Some(Timestamp::UNIX_EPOCH),
            finished_at: status.is_over().then_some(Timestamp::UNIX_EPOCH),
            to_move,
            outcome,
            ..waiting_match()
        };
        Self { row, seats: seats(seat_count), state: play.save(), log, play }
    }
}

fn log_row(version: i32, made: Option<(Seat, Json)>, step: &Step) -> LogRow {
    LogRow {
        version,
        seat: made.as_ref().map(|(seat, _)| seat.0.into()),
        chosen: made.map(|(_, chosen)| JsonText(chosen)),
        chance: JsonText(to_raw_value(&step.chance).unwrap()),
        events: JsonText(to_raw_value(&step.events).unwrap()),
        made_by: if version % 5 == 4 { MadeBy::Server } else { MadeBy::Player },
        at: Timestamp::UNIX_EPOCH,
    }
}

#[test]
fn what_is_wrong_is_found() {
    assert_eq!(keys_in("<p>no-such-text</p><p>Up to date</p>").len(), 1);
    assert_eq!(keys_in("<p title=\"no-such-text\">{$count} seats</p>").len(), 2);
    assert_eq!(silent_elements("<a href=\"/\"><svg></svg></a><a href=\"/\">Floor</a><abbr></abbr>").len(), 1);
    assert_eq!(lost_references("<label for=\"a\"><input id=\"b\"><p id=\"b\"><a href=\"#b\">").len(), 2);
    assert_eq!(lost_symbols("<script src=\"\"></script>").len(), 1);
    assert_eq!(lost_symbols(&format!("<use href=\"{}#no-such-symbol\">", assets::url("symbols.svg"))).len(), 1);
    assert_eq!(
        nameless_inputs("<label><input ></label><input id=\"a\"><label for=\"b\"></label><select id=\"b\">").len(),
        1
    );
    assert_eq!(open_forms("<form method=\"post\"></form><form method=\"get\"></form>").len(), 1);
}
