//! Samples of pages: rendered without a browser in every language, as everybody who may see them, and checked. Only tests of the
//! crates above use them, so that no program has them.

#![expect(clippy::unwrap_used, reason = "what is wrong with a sample fails the test that draws it")]

use std::collections::HashSet;
use std::sync::LazyLock;

use base::auth::{Permission, Role};
use base::ids::{CopyId, MatchId, PlayerId, SessionId, SittingId, TableId, TitleId, UndoId, VariantId};
use base::settings::tariff::Rate;
use base::settings::{Headcounts, Tariff};
use base::text::Lang;
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
const WORDED_ATTRIBUTES: [&str; 4] = ["alt", "aria-label", "placeholder", "title"];
const REFERENCES: [&str; 4] = ["for", "aria-describedby", "aria-labelledby", "aria-controls"];

/// Draws a page for each of these readers in every language and checks the result.
pub fn check(readers: &[Option<Role>], draw: impl Fn(Page) -> askama::Result<String>) {
    for lang in Lang::ALL {
        for reader in readers {
            let who = |role| Who { name: "민아".to_owned(), role, lacks_factor: role == Role::Manager };
            let flash = Flash::good("joined-table", "1번").undoable(reader.map(|_| UndoId(Uuid::nil())));
            let html = draw(Page { staff: reader.map(who), flash: Some(flash), ..Page::sample(lang) }).unwrap();
            let tags = Tag::all(&html);
            let checks = [keys_in, silent_elements, nameless_inputs, open_forms, lost_symbols, lost_references];
            let wrong: Vec<_> = checks.iter().flat_map(|check| check(&tags)).collect();
            assert!(wrong.is_empty(), "{lang:?}, {reader:?}: {wrong:#?}");
        }
    }
}

/// What stands between `<` and `>`, and the text up to the next one.
#[derive(Debug)]
struct Tag<'a> {
    /// With a slash in front where it ends an element.
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    text: &'a str,
}

impl<'a> Tag<'a> {
    fn all(html: &'a str) -> Vec<Self> {
        let mut tags = Vec::new();
        let mut rest = html;
        while let Some(start) = rest.find('<') {
            let (mut inner, mut attributes) = (&rest[start + 1..], Vec::new());
            let whole = inner;
            let after = loop {
                let end = inner.find('>').expect("a tag ends");
                match inner[..end].split_once('"') {
                    // What is quoted may hold the sign that ends a tag.
                    Some((before, _)) => {
                        let (value, after) = inner[before.len() + 1..].split_once('"').expect("a value ends");
                        let name = before.split_ascii_whitespace().next_back().unwrap_or_default();
                        attributes.push((name.trim_end_matches('='), value));
                        inner = after;
                    }
                    None => break &inner[end + 1..],
                }
            };
            let name = whole.split(|it: char| it.is_ascii_whitespace() || it == '>').next().unwrap();
            let text = &after[..after.find('<').unwrap_or(after.len())];
            tags.push(Self { name, attributes, text });
            rest = after;
        }
        tags
    }

    fn get(&self, attribute: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(name, _)| *name == attribute).map(|(_, value)| *value)
    }

    fn is(&self, attribute: &str, value: &str) -> bool {
        self.get(attribute) == Some(value)
    }
}

/// Each element of this name: its tag and those within, up to the one that ends it.
fn elements<'t, 'a>(tags: &'t [Tag<'a>], name: &str) -> impl Iterator<Item = &'t [Tag<'a>]> {
    let end = format!("/{name}");
    let starts = tags.iter().enumerate().filter(move |(_, tag)| tag.name == name).map(|(at, _)| at);
    starts.map(move |at| {
        let length = tags[at..].iter().position(|tag| tag.name == end).unwrap_or(tags.len() - at);
        &tags[at..at + length]
    })
}

/// Texts that no catalogue has are shown as their keys, and words that are missing in them as their names. Names of programs are
/// marked as code.
fn keys_in(tags: &[Tag]) -> Vec<String> {
    let is_code = |tag: &Tag| tag.name == "code" && tag.attributes.is_empty();
    let texts = tags.iter().filter(|tag| !is_code(tag)).map(|tag| tag.text);
    let values = tags.iter().flat_map(|tag| &tag.attributes);
    let values =
        values.filter(|(name, _)| WORDED_ATTRIBUTES.iter().any(|it| name.ends_with(it))).map(|(_, value)| *value);
    let is_key = |text: &str| {
        text.starts_with(|it: char| it.is_ascii_lowercase())
            && text.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || b"-_".contains(&it))
            && text.contains(['-', '_'])
    };
    let wrong = texts.chain(values).map(str::trim).filter(|text| is_key(text) || text.contains("{$"));
    wrong.map(|text| format!("a text is missing: {text}")).collect()
}

/// Links, buttons, headings and labels that say nothing.
fn silent_elements(tags: &[Tag]) -> Vec<String> {
    let is_silent = |element: &[Tag]| {
        let is_said = element.iter().any(|tag| !tag.text.trim().is_empty());
        let labels = || element.iter().filter_map(|tag| tag.get("aria-label"));
        let is_named = labels().next().is_some() || element.iter().any(|tag| tag.get("alt").is_some());
        (!is_said && !is_named) || labels().any(str::is_empty)
    };
    let wrong = WORDED.iter().flat_map(|name| elements(tags, name)).filter(|element| is_silent(element));
    wrong.map(|element| format!("an element says nothing: {element:?}")).collect()
}

/// Inputs that nothing names.
fn nameless_inputs(tags: &[Tag]) -> Vec<String> {
    let labelled: HashSet<&str> = tags.iter().filter_map(|tag| tag.get("for")).collect();
    let (mut wrong, mut is_inside) = (Vec::new(), false);
    for tag in tags {
        match tag.name {
            "label" => is_inside = true,
            "/label" => is_inside = false,
            "input" | "select" | "textarea" => {
                let is_named =
                    tag.is("type", "hidden") || tag.attributes.iter().any(|it| it.0.starts_with("aria-label"));
                if !is_named && !is_inside && !tag.get("id").is_some_and(|id| labelled.contains(id)) {
                    wrong.push(format!("an input has no name: {tag:?}"));
                }
            }
            _ => {}
        }
    }
    wrong
}

/// Forms that change something, and that another site could send.
fn open_forms(tags: &[Tag]) -> Vec<String> {
    let posts = elements(tags, "form").filter(|form| form[0].is("method", "post"));
    let open = posts.filter(|form| !form.iter().any(|tag| tag.is("name", "csrf") && tag.is("value", "token")));
    open.map(|form| format!("a form has no token: {form:?}")).collect()
}

/// Pictures by a name that no file of pictures has, and files by a name that no file has.
fn lost_symbols(tags: &[Tag]) -> Vec<String> {
    static KNOWN: LazyLock<[(&str, HashSet<String>); 2]> = LazyLock::new(|| {
        ["symbols.svg", "pieces.svg"].map(|file| {
            let text = assets::text(&format!("art/{file}"));
            let ids = Tag::all(&text).iter().filter_map(|tag| tag.get("id")).map(str::to_owned).collect();
            (assets::url(file), ids)
        })
    });
    let is_nowhere = |tag: &&Tag| match tag.name {
        "script" => tag.is("src", ""),
        "link" => tag.is("href", ""),
        _ => false,
    };
    let nowhere = tags.iter().filter(is_nowhere).map(|tag| format!("it leads nowhere: {tag:?}"));
    let used = tags.iter().filter(|tag| tag.name == "use").filter_map(|tag| tag.get("href")?.split_once('#'));
    let is_lost = |(url, name): &(&str, &str)| KNOWN.iter().any(|(file, ids)| file == url && !ids.contains(*name));
    nowhere.chain(used.filter(is_lost).map(|(url, name)| format!("{url} has no {name}"))).collect()
}

/// What points at an element that is not there, and ids that two elements have.
fn lost_references(tags: &[Tag]) -> Vec<String> {
    let mut known = HashSet::new();
    let twice: Vec<&str> = tags.iter().filter_map(|tag| tag.get("id")).filter(|id| !known.insert(*id)).collect();
    let mut wrong: Vec<_> = twice.into_iter().map(|id| format!("two elements are called {id}")).collect();
    for (attribute, value) in tags.iter().flat_map(|tag| &tag.attributes) {
        let ids = match *attribute {
            "href" => value.strip_prefix('#').unwrap_or_default(),
            name if REFERENCES.contains(&name) => value,
            _ => continue,
        };
        let lost = ids.split_whitespace().filter(|id| !known.contains(id));
        wrong.extend(lost.map(|id| format!("{attribute}=\"{id}\" points at nothing")));
    }
    wrong
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
    let count = |check: fn(&[Tag]) -> Vec<String>, html: &str| check(&Tag::all(html)).len();
    assert_eq!(count(keys_in, "<p>no-such-text</p><p>Up to date</p>"), 1);
    assert_eq!(count(keys_in, "<p title=\"no-such-text\">{$count} seats</p><code>no-text</code>"), 2);
    assert_eq!(count(keys_in, "<code class=\"sum\">no-such-text</code>"), 1);
    assert_eq!(count(silent_elements, "<a href=\"/\"><svg></svg></a><a href=\"/\">Floor</a><abbr></abbr>"), 1);
    assert_eq!(count(silent_elements, "<a aria-label=\"\">Floor</a><button title=\"a > b\">Go</button><h1>"), 2);
    assert_eq!(count(lost_references, "<label for=\"a\"><input id=\"b\"><p id=\"b\"><a href=\"#b\">"), 2);
    assert_eq!(count(lost_references, "<p id=\"a\" aria-controls=\"a b\"><a href=\"/#c\"><a href=\"#d\">"), 2);
    assert_eq!(count(lost_symbols, "<script src=\"\"></script>"), 1);
    assert_eq!(count(lost_symbols, &format!("<use href=\"{}#no-such-symbol\">", assets::url("symbols.svg"))), 1);
    let inputs = "<label><input ></label><input id=\"a\"><label for=\"b\"></label><select id=\"b\">";
    assert_eq!(count(nameless_inputs, inputs), 1);
    let token = "<input name=\"csrf\" value=\"token\">";
    let forms =
        format!("<form method=\"post\"></form><form method=\"get\"></form><form method=\"post\">{token}</form>");
    assert_eq!(count(open_forms, &forms), 1);
}
