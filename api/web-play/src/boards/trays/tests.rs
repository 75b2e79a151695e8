//! What holds for the trays of all games: what a form offers is legal or refused in words, every legal move is offered, and a
//! tray tells only what its seat knows.

use std::collections::BTreeSet;

use engine::{Match, Seat, Source, Viewer, catalogue, playout};
use serde_json::{Value, from_str, json};

use super::*;
use crate::games::words::Words;
use base::text::Lang;
use web_base::page::Page;

/// More combinations of one form than this are not tried.
const MOST: usize = 20_000;

type Fields = Vec<(String, String)>;

/// A form as a browser without scripts knows it: what it may post.
#[derive(Debug, Default)]
struct Posts {
    hidden: Fields,
    /// By name the values of which at most one is sent, and whether one always is.
    choices: Vec<(String, Vec<String>, bool)>,
    ticks: Fields,
    buttons: Vec<Option<(String, String)>>,
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let text = tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
    Some(text.replace("&#34;", "\"").replace("&quot;", "\"").replace("&#38;", "&").replace("&amp;", "&"))
}

fn is_set(tag: &str, name: &str) -> bool {
    tag.split_whitespace().any(|it| it.trim_end_matches(['>', '/']) == name)
}

/// The forms for moves in this page.
fn forms(html: &str) -> Vec<Posts> {
    let starts = html.split("<form class=\"move").skip(1);
    starts.map(|rest| form(rest.split("</form>").next().unwrap())).collect()
}

fn form(html: &str) -> Posts {
    let mut posts = Posts::default();
    let mut select = None;
    for tag in html.split('<').skip(1) {
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        let (name, value) = (attribute(tag, "name"), attribute(tag, "value"));
        let kind = tag.split_whitespace().next().unwrap_or_default();
        let sends = || name.clone().filter(|_| !is_set(tag, "disabled")).zip(value.clone());
        match (kind, attribute(tag, "type").unwrap_or_default().as_str()) {
            ("input", "hidden") => posts.hidden.extend(sends().filter(|(name, _)| name != "csrf")),
            ("input", "radio") => posts.choose(sends(), is_set(tag, "checked")),
            ("input", "checkbox") => posts.ticks.extend(sends()),
            ("input", "number") => {
                let bound = |name| attribute(tag, name).unwrap().parse::<i64>().unwrap();
                let values = (bound("min")..=bound("max")).map(|it| it.to_string()).collect();
                posts.choices.push((name.unwrap(), values, true));
            }
            ("select", _) => select = name,
            ("option", _) => posts.choose(select.clone().zip(value), true),
            ("button", kind) if kind != "button" && !is_set(tag, "disabled") => posts.buttons.push(sends()),
            _ => {}
        }
    }
    posts
}

impl Posts {
    fn choose(&mut self, sends: Option<(String, String)>, preset: bool) {
        let Some((name, value)) = sends else { return };
        match self.choices.iter_mut().find(|(known, _, _)| *known == name) {
            Some((_, values, always)) => {
                values.push(value);
                *always |= preset;
            }
            None => self.choices.push((name, vec![value], preset)),
        }
    }

    /// Everything that it may post.
    fn all(&self) -> Vec<Fields> {
        let mut all: Vec<Fields> =
            self.buttons.iter().map(|it| self.hidden.iter().cloned().chain(it.clone()).collect()).collect();
        let mut extend = |options: Vec<Option<(String, String)>>| {
            let longer = |fields: &Fields| {
                let fields = fields.clone();
                let add = move |it: &Option<_>| fields.iter().cloned().chain(it.clone()).collect();
                options.iter().map(add).collect::<Vec<Fields>>()
            };
            all = all.iter().flat_map(longer).collect();
            assert!(all.len() <= MOST, "a form offers too many combinations: {self:?}");
        };
        for (name, values, always) in &self.choices {
            let none = (!always).then_some(None);
            extend(values.iter().map(|value| Some((name.clone(), value.clone()))).chain(none).collect());
        }
        for tick in &self.ticks {
            extend(vec![Some(tick.clone()), None]);
        }
        all
    }
}

fn options(game: &str) -> Vec<Value> {
    match game {
        "perudo" => vec![json!({}), json!({ "calza": true })],
        "perudo-pirates" => vec![json!({}), json!({ "showdown": true, "track": "bluff" }), json!({ "hidden": true })],
        "liars-dice" => vec![json!({}), json!({ "track": "classic" })],
        "dead-mans-draw" => vec![
            json!({}),
            json!({ "traits": true, "mermaid_rules": true, "oracle_secret": true, "game_variant": "random" }),
        ],
        "middle-race" => vec![json!({}), json!({ "characters": "random", "full_race": true })],
        _ => vec![json!({})],
    }
}

/// Random matches of every game at its least and most seats.
fn in_random_matches(mut look: impl FnMut(&str, &dyn Match, u8)) {
    for kind in catalogue::GAMES {
        let info = kind.info();
        for seats in [*info.seats.start(), *info.seats.end()] {
            for options in options(info.id) {
                let random = &mut playout::random(u64::from(seats) + 5);
                let (mut play, _) = kind.start(&options, seats, random).unwrap();
                for moment in 0.. {
                    if moment < 30 || moment % 13 == 0 {
                        look(info.id, play.as_ref(), seats);
                    }
                    let Some((seat, chosen)) = playout::random_move(play.as_ref(), random) else { break };
                    play.play(seat, &from_str(chosen.get()).unwrap(), random).unwrap();
                }
            }
        }
    }
}

fn drawn(lang: Lang, game: &str, play: &dyn Match, seat: Seat, seats: u8) -> String {
    let page = Page::sample(lang);
    let names: Vec<String> = (0..seats).map(|seat| format!("<{seat}>")).collect();
    let words = Words::new(lang, game, &names);
    let view: Value = from_str(play.view(Viewer::Seat(seat)).get()).unwrap();
    let form = MoveForm { action: "/go", hidden: vec![("version", "7".to_owned())] };
    let moves = play.legal_moves(seat);
    draw(&Hand { page: &page, game, seat, view: &view, moves: &moves, names: &names, words: &words, form }).unwrap()
}

fn read(game: &str, fields: &Fields) -> Result<Value, String> {
    let own: Fields = fields.iter().filter(|(name, _)| name != "version").cloned().collect();
    assert!(own.len() < fields.len(), "the form's own fields are sent: {fields:?}");
    read_move(game, &own).map_err(|err| err.code().to_owned())
}

/// The sentence of a refusal, as the café finds it.
fn is_said(game: &str, code: &str) -> bool {
    let keys = [format!("{game}-refused-{code}"), format!("refused-{code}")];
    keys.iter().any(|key| Lang::Ko.find_with(key, &[]).is_some())
}

#[test]
fn what_a_tray_offers_is_legal_or_refused_in_words_and_every_legal_move_is_offered() {
    in_random_matches(|game, play, seats| {
        for seat in (0..seats).map(Seat) {
            let html = drawn(Lang::Ko, game, play, seat, seats);
            let legal: BTreeSet<String> =
                play.legal_moves(seat).iter().map(|it| from_str::<Value>(it.get()).unwrap().to_string()).collect();
            let mut offered = BTreeSet::new();
            for fields in forms(&html).iter().flat_map(Posts::all) {
                let refusal = match read(game, &fields) {
                    Ok(chosen) => match play.check(seat, &chosen) {
                        Ok(()) => {
                            offered.insert(chosen.to_string());
                            continue;
                        }
                        Err(refusal) => refusal.0.to_owned(),
                    },
                    Err(code) => code,
                };
                assert!(is_said(game, &refusal), "{game}: {refusal} is not said for {fields:?}");
            }
            assert_eq!(offered, legal, "{game}: {html}");
        }
    });
}

#[test]
fn every_legal_move_comes_back_from_fields() {
    in_random_matches(|game, play, seats| {
        for chosen in (0..seats).flat_map(|seat| play.legal_moves(Seat(seat))) {
            let chosen: Value = from_str(chosen.get()).unwrap();
            let fields = chosen.as_object().unwrap().iter().flat_map(|(name, value)| match value {
                Value::Array(items) => items.iter().map(|it| (name.clone(), it.to_string())).collect(),
                Value::String(text) => vec![(name.clone(), text.clone())],
                value => vec![(name.clone(), value.to_string())],
            });
            assert_eq!(read_move(game, &fields.collect::<Fields>()).unwrap(), chosen, "{game}");
            assert_eq!(read_move(game, &[("move".to_owned(), chosen.to_string())]).unwrap(), chosen, "{game}");
        }
    });
}

#[test]
fn a_tray_is_the_same_whatever_its_seat_cannot_know() {
    let random = &mut playout::random(3);
    in_random_matches(|game, play, seats| {
        let seat = Seat(u8::try_from(random.below(u32::from(seats))).unwrap());
        let other = play.resample(Viewer::Seat(seat), random);
        let tray = |play: &dyn Match| drawn(Lang::En, game, play, seat, seats);
        assert_eq!(tray(play), tray(other.as_ref()), "{game}");
    });
}

/// The tray without what lies under its covers, in which there may be more of them.
fn uncovered(html: &str) -> String {
    let (mut seen, mut depth) = (String::new(), 0_usize);
    for part in html.split_inclusive('>') {
        depth += part.matches("<details").count();
        if depth == 0 {
            seen.push_str(part);
        }
        depth -= part.matches("</details>").count();
    }
    seen
}

#[test]
fn a_covered_tray_tells_nobody_what_its_seat_knows() {
    let random = &mut playout::random(4);
    in_random_matches(|game, play, seats| {
        if !TRAYS.iter().any(|(own, _)| *own == game) {
            return;
        }
        let other = play.resample(Viewer::Public, random);
        for seat in (0..seats).map(Seat) {
            let tray = |play: &dyn Match| uncovered(&drawn(Lang::En, game, play, seat, seats));
            assert_eq!(tray(play), tray(other.as_ref()), "{game}");
        }
    });
}

#[test]
fn a_tray_speaks_every_language_and_escapes_names() {
    in_random_matches(|game, play, seats| {
        for lang in Lang::ALL {
            let html = drawn(lang, game, play, Seat(0), seats);
            assert!(!html.contains("<0>"), "{game}: names are text");
            assert!(!html.contains("tray-") || !html.contains(">tray-"), "{game} lacks a text in {lang:?}: {html}");
        }
    });
}
