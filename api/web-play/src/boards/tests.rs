//! What holds for the boards of all games: each is drawn at every moment, for everybody, in every language, and what only
//! others may see is not in it.

use engine::{Kind, Match, Seat, Viewer, catalogue, playout};
use serde_json::{Value, from_str, json};

use super::{BOARDS, Scene, draw, plain};
use crate::games::words::Words;
use base::text::Lang;
use web_base::page::Page;

fn seen(play: &dyn Match, viewer: Viewer) -> Value {
    from_str(play.view(viewer).get()).unwrap()
}

fn own(play: &dyn Match, seats: impl IntoIterator<Item = u8>) -> Vec<(usize, Value)> {
    seats.into_iter().map(|seat| (usize::from(seat), seen(play, Viewer::Seat(Seat(seat))))).collect()
}

/// The options that show most of what a game has.
fn options(game: &str) -> Vec<Value> {
    match game {
        "dead-mans-draw" => vec![
            json!({}),
            json!({ "traits": true, "mermaid_rules": true, "oracle_secret": true, "game_variant": "random" }),
            json!({ "traits": true, "open_discard": true, "game_variant": "strange_lands" }),
        ],
        "middle-race" => {
            vec![json!({}), json!({ "characters": "random", "full_race": true }), json!({ "open_hands": true })]
        }
        _ => vec![json!({})],
    }
}

/// The fewest and the most seats, each with all these options.
pub(crate) fn tables(kind: &dyn Kind) -> impl Iterator<Item = (u8, Value)> {
    let info = kind.info();
    let seats = [*info.seats.start(), *info.seats.end()];
    seats.into_iter().flat_map(move |seats| options(info.id).into_iter().map(move |it| (seats, it)))
}

/// Random matches of every game, with all that is needed to draw them in this language.
fn in_random_matches(lang: Lang, mut look: impl FnMut(&dyn Match, &dyn Fn(&[(usize, Value)], &Value) -> String, &str)) {
    let page = Page::sample(lang);
    let every = if std::env::var_os("BOARDS_AT_EVERY_MOMENT").is_some() { 1 } else { 19 };
    for kind in catalogue::GAMES {
        let info = kind.info();
        for (seats, options) in tables(*kind) {
            let names: Vec<String> = (0..seats).map(|seat| format!("<{seat}>")).collect();
            let words = Words::new(lang, info.id, &names);
            let board = |own: &[(usize, Value)], view: &Value| {
                draw(&Scene { page: &page, game: info.id, view, own, near: Seat(0), names: &names, words: &words })
                    .unwrap()
            };
            let random = &mut playout::random(seats.into());
            let (mut play, _) = kind.start(&options, seats, random).unwrap();
            for moment in 0.. {
                let next = playout::random_move(play.as_ref(), random);
                // Every moment of the beginning and the end itself; of those between all would take minutes.
                if moment < 25 || moment % every == 0 || next.is_none() {
                    look(play.as_ref(), &board, info.id);
                }
                let Some((seat, chosen)) = next else { break };
                play.play(seat, &from_str(chosen.get()).unwrap(), random).unwrap();
            }
        }
    }
}

fn has_a_board(game: &str) -> bool {
    BOARDS.iter().any(|(it, _)| *it == game)
}

fn seats(view: &Value) -> u8 {
    u8::try_from(view["seats"].as_u64().unwrap()).unwrap()
}

#[test]
fn every_game_is_drawn_for_everybody_at_every_moment_in_every_language() {
    for lang in Lang::ALL {
        in_random_matches(lang, |play, board, game| {
            let view = seen(play, Viewer::Public);
            let all = own(play, 0..seats(&view));
            let each = all.iter().map(std::slice::from_ref);
            for own in each.chain([&all[..], &[]]) {
                let html = board(own, &view);
                assert!(!html.contains("<0>"), "{game}: names are text");
                assert!(!html.contains("-board-"), "{game} lacks a text in {lang:?}: {html}");
                assert_eq!(html.contains("plain-view"), !has_a_board(game), "{game}: {view}");
            }
        });
    }
}

#[test]
fn what_others_hide_lies_face_down() {
    let mut hidden = 0;
    in_random_matches(Lang::En, |play, board, game| {
        if !has_a_board(game) {
            return;
        }
        let view = seen(play, Viewer::Public);
        let all = own(play, 0..seats(&view));
        for mine in all.iter().map(std::slice::from_ref).chain([&[][..]]) {
            let (html, viewer) = (board(mine, &view), mine.first().map(|(seat, _)| *seat));
            let backs = html.matches("card-piece back").count() + html.matches("#die-back").count();
            assert_eq!(backs, face_down(game, &view, mine), "{game} for {viewer:?}: {view} {html}");
            assert_eq!(html.matches("class=\"token\"").count(), if game == "animal-kingdom" { mine.len() } else { 0 });
            hidden += backs;
            let known = format!("{view}{mine:?}");
            for (card, word) in cards(game) {
                let is_told = html.contains(&format!(">{word}<")) || html.contains(&format!("</svg>{word}</span>"));
                assert!(!is_told || known.contains(&card), "{game}: {viewer:?} sees {card}: {html}");
            }
        }
    });
    assert!(hidden > 1000, "there is much that is hidden: {hidden}");
}

/// How many pieces of others, or of nobody, lie face down before somebody with this view.
fn face_down(game: &str, view: &Value, mine: &[(usize, Value)]) -> usize {
    let is_mine = |seat: usize| mine.iter().any(|(own, _)| *own == seat);
    let others = (0..usize::from(seats(view))).filter(|seat| !is_mine(*seat));
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    match game {
        "dead-mans-draw" => {
            let chosen = |seat: usize| !view["to_move"].as_array().unwrap().contains(&json!(seat));
            let dealt = number(&view["options"]["trait_deal"]);
            let traits = others.map(|seat| if chosen(seat) { 1 } else { dealt }).sum::<usize>();
            let oracle = match (&view["revealed"], mine.first().map(|(_, mine)| &mine["revealed"])) {
                (Value::Null, None | Some(Value::Null)) => number(&view["revealed_count"]),
                _ => 0,
            };
            let pile = usize::from(number(&view["draw_count"]) > 0);
            pile + oracle + if view["phase"] == "traits" { traits } else { 0 }
        }
        "hogu-clue" => {
            let is_known = mine.iter().any(|(_, mine)| !mine["hidden"].is_null()) || !view["hidden"].is_null();
            let hands = others.filter(|seat| view["revealed"][*seat].is_null()).count() * number(&view["hand_size"]);
            hands + if is_known { 0 } else { number(&view["hidden_count"]) }
        }
        "middle-race" if view["hands"].is_null() => {
            others.filter(|seat| view["places"][*seat].is_null()).map(|seat| number(&view["card_counts"][seat])).sum()
        }
        "middle-race" | "animal-kingdom" => 0,
        _ => {
            let aside = |seat: usize| view["set_aside"][seat].as_array().map_or(0, Vec::len);
            // What is left under a cup at the end is nobody's to see.
            let hides = |seat: &usize| !is_mine(*seat) || !view["outcome"].is_null();
            let cups = (0..usize::from(seats(view))).filter(hides);
            cups.map(|seat| number(&view["dice"][seat]) - aside(seat)).sum()
        }
    }
}

/// What a game hides and shows by its word: ids as views quote them, and the words.
fn cards(game: &str) -> Vec<(String, String)> {
    let ids: Vec<String> = match game {
        "hogu-clue" => {
            let suited =
                ["S", "H", "D", "C"].into_iter().flat_map(|suit| (1..=4).map(move |rank| format!("{suit}{rank}")));
            suited.chain(["JK".to_owned()]).collect()
        }
        "dead-mans-draw" => {
            ["golden_scales", "plunderer", "navigator", "miser", "siren", "parry"].map(str::to_owned).into()
        }
        _ => Vec::new(),
    };
    let words = Words::new(Lang::En, game, &[]);
    ids.into_iter().map(|id| (format!("\"{id}\""), words.word(&id))).collect()
}

#[test]
fn a_game_without_a_board_of_its_own_is_shown_plainly() {
    let names = ["하늘", "José"].map(str::to_owned);
    let kind = catalogue::find("perudo").unwrap();
    let (page, words) = (Page::sample(Lang::Es), Words::new(Lang::Es, "perudo", &names));
    let (play, _) = kind.start(&json!({}), 2, &mut playout::random(1)).unwrap();
    let view = seen(play.as_ref(), Viewer::Public);
    let scene =
        Scene { page: &page, game: "perudo", view: &view, own: &[], near: Seat(0), names: &names, words: &words };
    let html = plain::draw(&scene).unwrap();
    assert!(html.contains("plain-view") && html.contains("José"), "{html}");
}
