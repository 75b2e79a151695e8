//! The result that a form says: one press for a duel, or a place and points for each.

use std::collections::BTreeMap;

use engine::tournaments::Points;

use base::error::{invalid_field, invalid_fields};
use base::inputs::tidy_text;
use competitions::tournaments::Finish;
use competitions::tournaments::store::BoutKey;
use web_base::error::{ApiError, ApiResult};

/// The fields: `quick`, or `place-7`, `score-7` and `absent-7` for entrant 7 and each of the others, and `reason`.
pub(super) type Sent = BTreeMap<String, String>;

const REASON_MOST: usize = 200;

/// How it ended for each of these entrants.
pub(super) fn finishes(entrants: &[i32], sent: &Sent) -> ApiResult<Vec<Finish>> {
    match sent.get("quick") {
        Some(quick) => at_once(entrants, quick).ok_or_else(|| invalid_field("/finishes", "invalid").into()),
        None => one_by_one(entrants, sent),
    }
}

/// `win-7`, `draw`, `absent-7`, or `absent` for everybody; of several games how many each has won, as in `games-2-1`.
fn at_once(entrants: &[i32], quick: &str) -> Option<Vec<Finish>> {
    if let Some(won) = quick.strip_prefix("games-") {
        return by_games(entrants, won);
    }
    let (what, whom) = match quick.split_once('-') {
        Some((what, whom)) => (what, Some(whom.parse::<i32>().ok().filter(|whom| entrants.contains(whom))?)),
        None => (quick, None),
    };
    let finish = |place: &dyn Fn(i32) -> i32, absent: &dyn Fn(i32) -> bool| {
        let of =
            |entrant: &i32| Finish { entrant: *entrant, place: place(*entrant), score: None, absent: absent(*entrant) };
        Some(entrants.iter().map(of).collect())
    };
    let is_they = |entrant: i32| whom == Some(entrant);
    match (what, whom) {
        ("win", Some(_)) => finish(&|entrant| if is_they(entrant) { 1 } else { 2 }, &|_| false),
        ("draw", None) => finish(&|_| 1, &|_| false),
        ("absent", Some(_)) => finish(&|entrant| if is_they(entrant) { 2 } else { 1 }, &is_they),
        ("absent", None) => finish(&|_| 1, &|_| true),
        _ => None,
    }
}

fn one_by_one(entrants: &[i32], sent: &Sent) -> ApiResult<Vec<Finish>> {
    let text =
        |name: &str, entrant: i32| sent.get(&format!("{name}-{entrant}")).map(|it| it.trim()).unwrap_or_default();
    let is_absent = |entrant: &i32| sent.contains_key(&format!("absent-{entrant}"));
    // Who did not come comes after all who did.
    let last = i32::try_from(entrants.iter().filter(|it| !is_absent(it)).count()).unwrap_or(i32::MAX).saturating_add(1);
    let finish = |entrant: &i32| {
        let place = match is_absent(entrant) {
            true => last,
            false => text("place", *entrant).parse().map_err(|_| invalid_field("/finishes", "one_each"))?,
        };
        let score = match text("score", *entrant) {
            "" => None,
            typed => Some(typed.replace(',', ".").parse().map_err(|_| invalid_field("/finishes", "bad_score"))?),
        };
        Ok(Finish { entrant: *entrant, place, score, absent: is_absent(entrant) })
    };
    entrants.iter().map(finish).collect()
}

/// How many of several games each of two has won: `2-1`, `2:1`, `2 1` or `21`.
pub(super) fn by_games(entrants: &[i32], typed: &str) -> Option<Vec<Finish>> {
    let digits: Vec<&str> = typed.trim().split(['-', ':', ' ']).filter(|it| !it.is_empty()).collect();
    let won = match digits[..] {
        [both] if both.len() == 2 => format!("{} {}", both.get(..1)?, both.get(1..)?),
        [one, other] => format!("{one} {other}"),
        _ => return None,
    };
    if entrants.len() == 2 { by_scores(entrants, &won) } else { None }
}

/// How it ended, as somebody types it in the grid. Of a duel `1` or `2` says who won and `0` that it was a draw; `1-` and `2-` say
/// who won because the other did not come, and `-` that neither did. At a larger table, or where points count, it is a place or the
/// points of each in the order of their seats, as in `2 1 3`, or `213` if there are at most nine.
pub(super) fn typed(entrants: &[i32], points: &Points, typed: &str) -> Option<Vec<Finish>> {
    let typed = typed.trim();
    if *points == Points::Scores {
        return by_scores(entrants, typed);
    }
    if let [one, other] = *entrants {
        return at_once(
            entrants,
            &match typed {
                "1" => format!("win-{one}"),
                "2" => format!("win-{other}"),
                "0" | "=" => "draw".to_owned(),
                "1-" => format!("absent-{other}"),
                "2-" => format!("absent-{one}"),
                "-" => "absent".to_owned(),
                _ => return None,
            },
        );
    }
    let words: Vec<String> = match typed.contains([' ', ',']) {
        true => typed.split([' ', ',']).filter(|it| !it.is_empty()).map(str::to_owned).collect(),
        false => typed.chars().map(String::from).collect(),
    };
    let places: Vec<i32> = words.iter().map(|it| it.parse().ok()).collect::<Option<_>>()?;
    let finish = |(entrant, place): (&i32, i32)| Finish { entrant: *entrant, place, score: None, absent: false };
    (places.len() == entrants.len()).then(|| entrants.iter().zip(places).map(finish).collect())
}

/// The most points are the first place.
fn by_scores(entrants: &[i32], typed: &str) -> Option<Vec<Finish>> {
    let words = typed.split([' ', '/', ';']).filter(|it| !it.is_empty());
    let scores: Vec<f64> = words.map(|it| it.replace(',', ".").parse().ok()).collect::<Option<_>>()?;
    let place = |score: f64| 1 + i32::try_from(scores.iter().filter(|it| **it > score).count()).unwrap_or(0);
    let finish = |(entrant, score): (&i32, &f64)| Finish {
        entrant: *entrant,
        place: place(*score),
        score: Some(*score),
        absent: false,
    };
    (scores.len() == entrants.len()).then(|| entrants.iter().zip(&scores).map(finish).collect())
}

/// Why it was so, if they say.
pub(super) fn reason(sent: &Sent) -> ApiResult<Option<String>> {
    let typed = sent.get("reason").map(|it| it.trim()).filter(|it| !it.is_empty());
    let reason = typed.map(|typed| tidy_text(typed, REASON_MOST)).transpose();
    Ok(reason.map_err(|err| invalid_fields(vec![err.at("/reason")]))?)
}

/// The bouts that they know to be undone by it.
pub(super) fn voids(sent: &Sent) -> ApiResult<Vec<BoutKey>> {
    let keys = sent.get("voids").map(String::as_str).unwrap_or_default().split(' ').filter(|it| !it.is_empty());
    keys.map(|key| key.parse().map_err(|_| -> ApiError { invalid_field("/voids", "invalid").into() })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(fields: &[(&str, &str)]) -> Sent {
        fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    fn told(fields: &[(&str, &str)]) -> Option<Vec<(i32, i32, bool)>> {
        let finishes = finishes(&[7, 3], &sent(fields)).ok()?;
        Some(finishes.into_iter().map(|it| (it.entrant, it.place, it.absent)).collect())
    }

    #[test]
    fn one_press_tells_how_a_duel_ended() {
        assert_eq!(told(&[("quick", "win-3")]), Some(vec![(7, 2, false), (3, 1, false)]));
        assert_eq!(told(&[("quick", "draw")]), Some(vec![(7, 1, false), (3, 1, false)]));
        assert_eq!(told(&[("quick", "absent-7")]), Some(vec![(7, 2, true), (3, 1, false)]));
        assert_eq!(told(&[("quick", "absent")]), Some(vec![(7, 1, true), (3, 1, true)]));
        for wrong in ["win-4", "win", "lose-3", "absent-x-3", ""] {
            assert_eq!(told(&[("quick", wrong)]), None, "{wrong}");
        }
    }

    #[test]
    fn a_key_is_enough_for_a_duel_and_one_for_each_seat_at_a_larger_table() {
        let wins = Points::Win { win: 100, draw: 50, loss: 0, bye: 100 };
        let told = |entrants: &[i32], points: &Points, text: &str| {
            Some(typed(entrants, points, text)?.into_iter().map(|it| (it.place, it.absent)).collect::<Vec<_>>())
        };
        let duel = |text| told(&[7, 3], &wins, text);
        assert_eq!(duel("1"), Some(vec![(1, false), (2, false)]));
        assert_eq!(duel(" 2 "), Some(vec![(2, false), (1, false)]));
        assert_eq!(duel("0"), Some(vec![(1, false), (1, false)]));
        assert_eq!(duel("2-"), Some(vec![(2, true), (1, false)]));
        assert_eq!(duel("-"), Some(vec![(1, true), (1, true)]));
        for text in ["213", "2 1 3", "2,1,3"] {
            assert_eq!(told(&[7, 3, 9], &wins, text), Some(vec![(2, false), (1, false), (3, false)]));
        }
        for wrong in ["", "3", "12", "x"] {
            assert_eq!(duel(wrong), None, "{wrong}");
        }
        assert_eq!(told(&[7, 3, 9], &wins, "21"), None);
        assert_eq!(told(&[7, 3, 9], &Points::Scores, "12 30,5 12"), Some(vec![(2, false), (1, false), (2, false)]));
    }

    #[test]
    fn several_games_are_told_by_how_many_each_has_won() {
        let won = |typed: &str| {
            let finishes = by_games(&[7, 3], typed)?;
            Some(finishes.into_iter().map(|it| (it.place, it.score.unwrap_or_default())).collect::<Vec<_>>())
        };
        for typed in ["1-2", "1:2", "1 2", "12", " 1 - 2 "] {
            assert_eq!(won(typed), Some(vec![(2, 1.0), (1, 2.0)]), "{typed}");
        }
        assert_eq!(won("1-1"), Some(vec![(1, 1.0), (1, 1.0)]));
        for wrong in ["", "1", "2-", "1-2-3", "x-1"] {
            assert_eq!(won(wrong), None, "{wrong}");
        }
        assert_eq!(told(&[("quick", "games-2-1")]), Some(vec![(7, 1, false), (3, 2, false)]));
    }

    #[test]
    fn places_are_told_one_by_one_and_who_is_absent_comes_last() {
        assert_eq!(told(&[("place-7", "2"), ("place-3", " 1 ")]), Some(vec![(7, 2, false), (3, 1, false)]));
        assert_eq!(told(&[("place-7", "1"), ("absent-3", "on")]), Some(vec![(7, 1, false), (3, 2, true)]));
        assert_eq!(told(&[("place-7", "1")]), None);
        let scored = finishes(&[7], &sent(&[("place-7", "1"), ("score-7", "2,5")])).unwrap();
        assert_eq!(scored[0].score, Some(2.5));
        assert!(finishes(&[7], &sent(&[("place-7", "1"), ("score-7", "many")])).is_err());
    }

    #[test]
    fn what_is_known_to_be_undone_is_read_or_refused() {
        assert_eq!(voids(&sent(&[("voids", "main-2-1 losers-3-2")])).unwrap().len(), 2);
        assert!(voids(&sent(&[])).unwrap().is_empty());
        assert!(voids(&sent(&[("voids", "everything")])).is_err());
    }
}
