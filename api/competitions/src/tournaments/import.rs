//! Many entrants at once, as somebody pastes them: a name per line, a column of a sheet, or FIDE's tournament report file.

use std::collections::HashSet;

use serde_json::json;

use super::entrants::{Entering, let_in, let_in_late};
use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::teams::TeamName;
use super::{Tournament, TournamentId, TournamentStatus, store, trf};
use base::auth::{Permission, StaffContext, can};
use base::error::{FieldError, Result, conflict, invalid_field};
use base::inputs::DisplayName;
use play::players;

/// So many lines at a time.
pub const MOST_LINES: usize = 512;

/// A line with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Which line of the text, from 1.
    pub line: usize,
    pub typed: String,
    pub found: Found,
}

/// What will become of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Enters as a guest of this name, for this team and with this rating where the line says one.
    New { name: DisplayName, team: Option<TeamName>, rating: Option<i32> },
    /// Somebody of that name has entered: left out.
    Entered,
    /// An earlier line says the same name: left out.
    Twice,
    /// Left out; the pointer names the line and what of it, as in `/lines/3/rating`.
    Invalid(FieldError),
}

/// A line before anybody has looked at it.
struct Line {
    number: usize,
    name: String,
    team: Option<String>,
    rating: Option<i32>,
    wrong: Option<FieldError>,
}

/// What would become of each line; blank ones are passed over. Of FIDE's tournament report file, each player is a line.
pub fn preview(tournament: &Tournament, text: &str) -> Result<Vec<Listed>> {
    let entered =
        tournament.entrants.iter().filter(|it| !it.deleted).map(|it| it.display_name.to_lowercase()).collect();
    read(&entered, tournament.row.team_size.is_some(), text)
}

fn read(entered: &HashSet<String>, in_teams: bool, text: &str) -> Result<Vec<Listed>> {
    let lines = lines_of(text);
    if lines.len() > MOST_LINES {
        return Err(invalid_field("/names", "out_of_range"));
    }
    let mut seen = HashSet::new();
    let listed = lines.into_iter().map(|Line { number, name: typed, team, rating, wrong }| {
        let of_line = |field: &str| format!("/lines/{number}/{field}");
        let read = || -> Result<_, FieldError> {
            let name = DisplayName::parse(&typed).map_err(|wrong| wrong.at(&of_line("name")))?;
            let team = team.filter(|_| in_teams).map(|it| TeamName::parse(&it)).transpose();
            Ok((name, team.map_err(|wrong| wrong.at(&of_line("team")))?))
        };
        let read = wrong.map_or_else(read, Err);
        let found = match read {
            Err(wrong) => Found::Invalid(wrong),
            Ok((name, _)) if entered.contains(&name.as_str().to_lowercase()) => Found::Entered,
            Ok((name, _)) if !seen.insert(name.as_str().to_lowercase()) => Found::Twice,
            Ok((name, team)) => Found::New { name, team, rating },
        };
        Listed { line: number, typed, found }
    });
    Ok(listed.collect())
}

fn lines_of(text: &str) -> Vec<Line> {
    if let Some(members) = trf::read(text) {
        let line = |it: trf::Member| {
            let trf::Member { line: number, name, rating, team, wrong } = it;
            Line { number, name, team, rating, wrong }
        };
        return members.into_iter().map(line).collect();
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let line = |(number, line): (usize, &str)| {
        let team = team_in(line).map(str::to_owned);
        Line { number, name: name_in(line), team, rating: None, wrong: None }
    };
    lines.map(line).collect()
}

fn cells(line: &str) -> impl Iterator<Item = &str> + Clone {
    line.split(['\t', ';', ',']).map(|cell| cell.trim().trim_matches('"').trim())
}

fn is_number(cell: &str) -> bool {
    cell.chars().all(|it| it.is_ascii_digit())
}

/// The team in a line: the next such cell after the name.
fn team_in(line: &str) -> Option<&str> {
    cells(line).filter(|cell| !is_number(cell)).nth(1)
}

/// The name in a line: the first cell that is no number, without the mark of a list in front.
fn name_in(line: &str) -> String {
    let cell = cells(line).find(|cell| !is_number(cell)).or_else(|| cells(line).next()).unwrap_or_default();
    let marked = cell.trim_start_matches(['-', '•', '*', '·']).trim_start();
    let digits = marked.chars().take_while(char::is_ascii_digit).count();
    match marked[digits..].strip_prefix(['.', ')']) {
        Some(rest) if digits > 0 => rest.trim().to_owned(),
        _ => marked.to_owned(),
    }
}

/// Enters all whose lines are good, all or none: their numbers. Ratings are written down before the start, by those who may.
pub async fn add_listed(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    text: &str,
    expected: ExpectedRevision,
) -> Result<Vec<i32>> {
    LockedTournament::change(cx, id, expected, "tournament.add_entrants", async |conn, actor, locked| {
        if locked.row.status.is_over() {
            return Err(conflict("tournament_over"));
        }
        let is_late = locked.row.status == TournamentStatus::Running;
        let is_there = locked.row.status == TournamentStatus::CheckIn;
        let rates = !is_late && actor.staff.may(Permission::ManageTournaments).is_ok();
        let (mut numbers, mut ratings) = (Vec::new(), Vec::new());
        for listed in preview(locked, text)? {
            let Found::New { name, team, rating } = listed.found else { continue };
            let player = players::create_guest(conn, actor.world, &name).await?.id;
            let number = match is_late {
                true => let_in_late(conn, actor.world, locked, player, team.as_ref()).await?,
                false => let_in(conn, actor.world, locked, Entering { player, is_there, team: team.as_ref() }).await?,
            };
            numbers.push(number);
            ratings.extend(rating.filter(|_| rates).map(|rating| (number, rating)));
        }
        if numbers.is_empty() {
            return Ok(Change::none().with(numbers));
        }
        store::set_ratings(conn, id, &ratings).await?;
        let details = json!({ "entrants": numbers, "late": is_late, "ratings": ratings.len() });
        Ok(Change::audited(details).with(numbers))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_lists_and_sheets() {
        for (line, name) in [
            ("민아", "민아"),
            ("  준 ", "준"),
            ("1. 서연", "서연"),
            ("12) Ana", "Ana"),
            ("- Íñigo", "Íñigo"),
            ("3\tLucía\t1500", "Lucía"),
            ("\"Bea\";bea@example.org", "Bea"),
            ("4,Tom", "Tom"),
            ("007", "007"),
            ("2Pac", "2Pac"),
        ] {
            assert_eq!(name_in(line), name, "{line}");
        }
    }

    #[test]
    fn what_will_become_of_each_line_is_known_before() {
        let entered = HashSet::from(["민아".to_owned(), "tom".to_owned()]);
        let long = "x".repeat(41);
        let listed = read(&entered, false, &format!("민아\n\n준\nTom\n준\n{long}\n")).unwrap();
        let found: Vec<&Found> = listed.iter().map(|it| &it.found).collect();
        assert_eq!(found.len(), 5);
        assert_eq!((found[0], found[2], found[3]), (&Found::Entered, &Found::Entered, &Found::Twice));
        assert!(matches!(
            (found[1], found[4]),
            (Found::New { name, team: None, rating: None }, Found::Invalid(_)) if name.as_str() == "준"
        ));
        assert_eq!(listed.iter().map(|it| it.line).collect::<Vec<_>>(), [1, 3, 4, 5, 6], "a blank line counts");
        assert!(read(&entered, false, &"x\n".repeat(MOST_LINES + 1)).is_err());
    }

    #[test]
    fn a_line_names_the_team_after_the_name() {
        for (line, team) in
            [("민아", None), ("1. 서연; 부엉이", Some("부엉이")), ("Ana\t1500\tLas Águilas", Some("Las Águilas"))]
        {
            let listed = read(&HashSet::new(), true, line).unwrap();
            let Found::New { team: found, .. } = &listed[0].found else { panic!("{line}") };
            assert_eq!(found.as_ref().map(|it| it.0.as_str()), team, "{line}");
        }
    }

    #[test]
    fn a_report_file_is_known_by_its_columns() {
        let player = |number: u8, name: &str, rating: &str| format!("001 {number:>4}      {name:<33} {rating:>4}");
        let text = [
            "012 Torneo".to_owned(),
            player(1, "Kim, Mina", "1850"),
            player(2, "Tom", ""),
            player(3, "Tom", ""),
            player(4, "Eva", "x"),
        ];
        let listed = read(&HashSet::from(["ana".to_owned()]), false, &text.join("\n")).unwrap();
        assert_eq!(listed.iter().map(|it| it.line).collect::<Vec<_>>(), [2, 3, 4, 5]);
        let Found::New { name, team: None, rating: Some(1850) } = &listed[0].found else { panic!("{listed:?}") };
        assert_eq!(name.as_str(), "Kim, Mina");
        assert!(matches!(&listed[1].found, Found::New { rating: None, .. }));
        assert_eq!(listed[2].found, Found::Twice);
        assert!(matches!(&listed[3].found, Found::Invalid(wrong) if wrong.pointer == "/lines/5/rating"));
    }
}
