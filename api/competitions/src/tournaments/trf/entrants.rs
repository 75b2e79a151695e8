//! Who plays, from somebody's report: names, ratings and teams. Everything else in it is passed over.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::cell;
use crate::tournaments::RATINGS;
use base::error::FieldError;

/// The last column of a player's number.
const NUMBER_END: usize = 8;
/// So many members a line of a team can name.
const MOST_MEMBERS: usize = 14;

/// A line of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Which line of the file, from 1.
    pub line: usize,
    /// As it stands there, such as `Lastname, Firstname`.
    pub name: String,
    pub rating: Option<i32>,
    pub team: Option<String>,
    /// What is wrong with the line.
    pub wrong: Option<FieldError>,
}

/// The players of a report in their order; none if the text is no report.
pub fn read(text: &str) -> Option<Vec<Member>> {
    let lines: Vec<(usize, Vec<char>)> = (1..).zip(text.lines().map(|line| line.chars().collect())).collect();
    if !lines.iter().any(|(_, line)| is_player(line)) {
        return None;
    }
    let teams = teams_of(&lines);
    let mut seen = BTreeSet::new();
    let of_players = lines.iter().filter(|(_, line)| tag(line) == "001");
    Some(of_players.map(|(number, line)| member(*number, line, &teams, &mut seen)).collect())
}

/// Whether it is a player's line, and not a list that happens to begin like one: with a number that ends in column 8, and a name that
/// begins in column 15.
fn is_player(line: &[char]) -> bool {
    let is_blank = |column: usize| line.get(column - 1).is_none_or(|it| *it == ' ');
    let number = cell(line, 5, NUMBER_END);
    tag(line) == "001"
        && is_blank(4)
        && is_blank(9)
        && is_blank(14)
        && is_number(&number)
        && line.get(NUMBER_END - 1).is_some_and(char::is_ascii_digit)
}

fn tag(line: &[char]) -> String {
    cell(line, 1, 3)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_digit())
}

fn member(line: usize, chars: &[char], teams: &BTreeMap<u16, String>, seen: &mut BTreeSet<u16>) -> Member {
    let (name, rating) = (cell(chars, 15, 47), cell(chars, 49, 52));
    let number: Option<u16> = cell(chars, 5, NUMBER_END).parse().ok().filter(|it| *it > 0);
    let rated: Option<i32> = rating.parse().ok().filter(|it| RATINGS.contains(it));
    let wrong = |field: &str, code: &'static str| Some(FieldError::new(format!("/lines/{line}/{field}"), code));
    let wrong = match number {
        None => wrong("number", "invalid"),
        Some(number) if !seen.insert(number) => wrong("number", "twice"),
        Some(_) if name.is_empty() => wrong("name", "missing_field"),
        Some(_) if !rating.is_empty() && rated.is_none() => wrong("rating", "invalid"),
        Some(_) => None,
    };
    Member {
        line,
        name,
        // In these files 0 is none.
        rating: rated.filter(|it| *it > 0),
        team: number.and_then(|it| teams.get(&it)).cloned(),
        wrong,
    }
}

/// The team of each number, from lines of both editions.
fn teams_of(lines: &[(usize, Vec<char>)]) -> BTreeMap<u16, String> {
    let mut teams = BTreeMap::new();
    for (_, line) in lines {
        let (name, first) = match tag(line).as_str() {
            "013" => (cell(line, 5, 36), 37),
            "310" => (cell(line, 9, 40), 74),
            _ => continue,
        };
        if name.is_empty() {
            continue;
        }
        let members = (0..MOST_MEMBERS).filter_map(|nth| cell(line, first + 5 * nth, first + 5 * nth + 3).parse().ok());
        teams.extend(members.map(|number: u16| (number, name.clone())));
    }
    teams
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(number: &str, name: &str, rating: &str) -> String {
        format!("001 {number:>4} m    {name:<33} {rating:>4} ESP     2212072 1981/01/01  4.0    2    27 b 1")
    }

    #[test]
    fn names_ratings_and_teams_stand_in_columns() {
        let text = [
            "012 Torneo de verano".to_owned(),
            player("1", "Argandoña,Íñigo", "2408"),
            "### a comment".to_owned(),
            player("2", "김 하늘", ""),
            format!("013 {:<32}   1    2", "Las Águilas"),
        ];
        let members = read(&text.join("\r\n")).unwrap();
        let told: Vec<_> =
            members.iter().map(|it| (it.line, it.name.as_str(), it.rating, it.team.as_deref())).collect();
        let team = Some("Las Águilas");
        assert_eq!(told, [(2, "Argandoña,Íñigo", Some(2408), team), (4, "김 하늘", None, team)]);
        assert!(members.iter().all(|it| it.wrong.is_none()));
        let of_2026 =
            format!("310   1 {:<32} {:<5} {:>6} {:>6} {:>6} {:>3}  {:>4}", "India", "IND", 2486, 15, 28, 1, 2);
        let members = read(&format!("{}\n{}\n{of_2026}", text[1], text[3])).unwrap();
        assert_eq!(members.iter().map(|it| it.team.as_deref()).collect::<Vec<_>>(), [None, Some("India")]);
    }

    #[test]
    fn what_is_wrong_is_told_by_line() {
        let lines = [
            player("1", "Ana", "2000"),
            player("1", "Bea", ""),
            player("x", "Eva", ""),
            player("4", "", ""),
            player("5", "Tom", "2k"),
            "001".to_owned(),
        ];
        let members = read(&lines.join("\n")).unwrap();
        let wrong: Vec<_> = members
            .iter()
            .map(|it| it.wrong.as_ref().map(|wrong| (wrong.pointer.as_str(), wrong.code.as_ref())))
            .collect();
        let expected = [
            None,
            Some(("/lines/2/number", "twice")),
            Some(("/lines/3/number", "invalid")),
            Some(("/lines/4/name", "missing_field")),
            Some(("/lines/5/rating", "invalid")),
            Some(("/lines/6/number", "invalid")),
        ];
        assert_eq!(wrong, expected);
    }

    #[test]
    fn a_list_of_names_is_no_report() {
        for text in ["", "민아\n준", "001 민아\n002 준", "001\tAna\t1500", "1. Ana", "0012 Ana"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
