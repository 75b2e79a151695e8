//! Teams: who plays for which, and in which order of boards.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{StandingsRow, Teams};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::{BoutKey, EntrantStatus, ParticipantRow, Tournament, TournamentId, store};
use base::auth::{StaffContext, can};
use base::error::{FieldError, Result, conflict, internal, invalid_field, not_found};
use base::inputs::tidy_text;

/// The last place in a team's order of boards: six boards and two reserves.
const MOST_BOARD: i64 = 8;

/// What a team is called: one line of text in any script. Upper and lower case are the same team.
#[derive(Clone, Debug, PartialEq, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 40)]
pub struct TeamName(pub String);

impl TeamName {
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, 40).map(Self)
    }
}

base::deserialize_checked!(TeamName);

/// A team of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub name: String,
    /// In the order of their boards.
    pub members: Vec<i32>,
}

impl Team {
    /// The least number of its members, by which standings know it.
    pub fn number(&self) -> i32 {
        self.members.iter().min().copied().unwrap_or_default()
    }
}

/// The teams of these entrants, each given with their team and board.
pub fn group<'a>(entrants: impl IntoIterator<Item = (i32, &'a str, i16)>) -> Vec<Team> {
    let mut entrants: Vec<_> = entrants.into_iter().map(|(number, team, board)| (board, number, team)).collect();
    entrants.sort_unstable();
    let mut teams: Vec<Team> = Vec::new();
    for (_, number, name) in entrants {
        match teams.iter_mut().find(|it| is_same(&it.name, name)) {
            Some(team) => team.members.push(number),
            None => teams.push(Team { name: name.to_owned(), members: vec![number] }),
        }
    }
    teams.sort_unstable_by_key(Team::number);
    teams
}

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// The teams as the engine knows them, where so many of each play at a time.
pub fn rosters(boards: Option<u8>, teams: &[Team]) -> Result<Option<Teams>> {
    let Some(boards) = boards else { return Ok(None) };
    let roster = |team: &Team| team.members.iter().map(|it| u32::try_from(*it)).collect::<Result<Vec<_>, _>>();
    let rosters = teams.iter().map(roster).collect::<Result<_, _>>().map_err(internal)?;
    Ok(Some(Teams { boards, rosters }))
}

/// How many boards a team of this size has, where teams play.
pub fn boards(team_size: Option<i16>) -> Option<u8> {
    team_size.and_then(|it| u8::try_from(it).ok())
}

impl Tournament {
    /// By number; none where everybody plays for themselves.
    pub fn teams(&self) -> Vec<Team> {
        if self.row.team_size.is_none() {
            return Vec::new();
        }
        group(self.entrants.iter().filter_map(|it| Some((it.number, it.team.as_deref()?, it.board?))))
    }

    /// The team that this entrant plays for.
    pub fn team_of(&self, entrant: i32) -> Option<&str> {
        self.row.team_size?;
        self.entrant(entrant)?.team.as_deref()
    }

    /// The bout between teams to which a bout on a board belongs, and which board it is, from 0; none where teams do not meet on boards.
    pub fn board_of(&self, stage: i16, key: BoutKey) -> Option<(BoutKey, u16)> {
        let boards = boards(self.row.team_size)?;
        let is_on_boards = self.plan_of(stage).is_ok_and(|plan| plan.format.is_duel());
        let (of, board) = Teams { boards, rosters: Vec::new() }.board_of(key.0);
        is_on_boards.then_some((BoutKey(of), board))
    }

    /// What the standings call the one whom they know by this number: a team, or an entrant.
    pub fn standing_name(&self, number: i32) -> String {
        self.team_of(number).map_or_else(|| self.name_of(number), str::to_owned)
    }

    /// The members of a team who have a place, in the order of their boards; of an entrant who plays alone just that one.
    pub fn members_with_place(&self, number: i32) -> Vec<i32> {
        let has_place = |it: &i32| self.entrant(*it).is_some_and(|it| it.status.has_place());
        let team = self.teams().into_iter().find(|it| it.number() == number);
        team.map_or_else(|| vec![number], |it| it.members).into_iter().filter(has_place).collect()
    }

    /// These participants by the numbers that standings know; of members of a team who follow each other, theirs once.
    pub(super) fn sides_of<'a>(&self, participants: impl Iterator<Item = &'a ParticipantRow>) -> Vec<i32> {
        let teams = self.teams();
        let number = |it: &ParticipantRow| {
            teams.iter().find(|team| team.members.contains(&it.entrant)).map_or(it.entrant, Team::number)
        };
        let mut sides: Vec<i32> = participants.map(number).collect();
        sides.dedup();
        sides
    }

    /// Whether the two play for one team.
    pub fn are_mates(&self, one: i32, other: i32) -> bool {
        self.team_of(one).zip(self.team_of(other)).is_some_and(|(one, other)| is_same(one, other))
    }

    /// Whether a team has room for this entrant beside its members who have not left.
    pub fn has_room_in(&self, number: i32, team: &str) -> bool {
        let team = self.teams().into_iter().find(|it| is_same(&it.name, team));
        let plays = |it: &&i32| **it != number && self.plays(**it);
        team.is_none_or(|it| it.members.iter().filter(plays).count() < self.most_members())
    }

    /// Whether this entrant has not left.
    pub fn plays(&self, number: i32) -> bool {
        let status = self.entrant(number).map(|it| it.status);
        !matches!(status, None | Some(EntrantStatus::Dropped | EntrantStatus::NoShow))
    }

    /// Refuses to let an entrant back into a team that is full by now.
    pub fn expect_room_in_team(&self, number: i32) -> Result<()> {
        match self.team_of(number) {
            Some(team) if !self.has_room_in(number, team) => Err(conflict("team_full")),
            Some(_) | None => Ok(()),
        }
    }

    /// How many members a team may have.
    fn most_members(&self) -> usize {
        let boards = boards(self.row.team_size).unwrap_or_default();
        let most = self.row.stages.iter().map(|it| Teams::most_members(boards, &it.format)).min();
        most.unwrap_or_default().into()
    }
}

/// Where an entrant plays.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamPlace {
    /// `null` for none. A name that no team has yet makes one.
    pub team: Option<TeamName>,
    /// Which place in the team's order of boards, from 1; behind all others if left out.
    #[schema(minimum = 1, maximum = 8)]
    pub board: Option<i64>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// Staff say for which team an entrant plays, and on which board: before the start, and of those who have not taken part.
pub async fn set_team(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    number: i32,
    place: &TeamPlace,
) -> Result<()> {
    let expected: ExpectedRevision = place.revision;
    if place.board.is_some_and(|it| !(1..=MOST_BOARD).contains(&it)) {
        return Err(invalid_field("/board", "out_of_range"));
    }
    LockedTournament::change(cx, id, expected, "tournament.set_team", async |conn, _, locked| {
        if locked.entrant(number).is_none() {
            return Err(not_found("entrant_not_found"));
        }
        if locked.participants.iter().any(|it| it.entrant == number) || locked.row.status.is_over() {
            locked.expect_before_start()?;
        }
        match put_in_team(conn, locked, number, place.team.as_ref(), place.board).await? {
            true => Ok(Change::audited(json!({ "entrant": number, "team": locked.team_of(number) }))),
            false => Ok(Change::none()),
        }
    })
    .await
}

/// Whether anything changed.
pub(super) async fn put_in_team(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    number: i32,
    team: Option<&TeamName>,
    board: Option<i64>,
) -> Result<bool> {
    locked.expect_teams()?;
    let places: Vec<(i32, Option<(String, i16)>)> = match team {
        Some(name) => {
            let Team { name, members } = team_with(locked, number, name, board)?;
            members.into_iter().zip(1..).map(|(member, board)| (member, Some((name.clone(), board)))).collect()
        }
        None => vec![(number, None)],
    };
    let id = locked.row.id;
    let mut is_changed = false;
    for (member, place) in places {
        let (team, board) = place.unzip();
        let known = locked.tournament.entrants.iter_mut().find(|it| it.number == member);
        if let Some(known) = known.filter(|it| (&it.team, it.board) != (&team, board)) {
            (known.team, known.board) = (team, board);
            store::write_entrant(conn, id, known).await?;
            is_changed = true;
        }
    }
    Ok(is_changed)
}

/// The team once the entrant is in it.
fn team_with(tournament: &Tournament, number: i32, TeamName(name): &TeamName, board: Option<i64>) -> Result<Team> {
    let team = tournament.teams().into_iter().find(|it| is_same(&it.name, name));
    let Team { name, mut members } = team.unwrap_or_else(|| Team { name: name.clone(), members: Vec::new() });
    let before = members.iter().position(|it| *it == number);
    members.retain(|it| *it != number);
    if !tournament.has_room_in(number, &name) {
        return Err(conflict("team_full"));
    }
    let asked = board.and_then(|it| usize::try_from(it).ok()).map(|it| it.saturating_sub(1));
    let at = asked.or(before).unwrap_or(members.len()).min(members.len());
    members.insert(at, number);
    Ok(Team { name, members })
}

/// The same standings with a row for each member of a team: those who share the team's place.
pub(super) fn rows_of_members(rows: Vec<StandingsRow>) -> Vec<StandingsRow> {
    let alone = |row: StandingsRow| match row.members.is_empty() {
        true => vec![row],
        false => {
            let of = |member: &engine::tournaments::MemberRow| StandingsRow {
                entrant: member.entrant,
                played: member.played,
                members: Vec::new(),
                ..row.clone()
            };
            row.members.iter().map(of).collect()
        }
    };
    rows.into_iter().flat_map(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_are_told_apart_by_name_and_members_by_board() {
        let team = |name: &str, members: &[i32]| Team { name: name.to_owned(), members: members.to_vec() };
        let entrants = [(1, "Red", 2), (2, "푸른 팀", 1), (3, "red", 1), (4, "푸른 팀", 2), (5, "red", 3)];
        assert_eq!(group(entrants), [team("red", &[3, 1, 5]), team("푸른 팀", &[2, 4])]);
        let known = rosters(Some(2), &group(entrants)).unwrap().unwrap();
        assert_eq!((known.boards, known.rosters), (2, vec![vec![3, 1, 5], vec![2, 4]]));
        assert_eq!(rosters(None, &group(entrants)).unwrap(), None);
    }

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(TeamName::parse("  목요일   부엉이 ").unwrap().0, "목요일 부엉이");
        assert!(TeamName::parse(" ").is_err());
        assert!(TeamName::parse(&"x".repeat(41)).is_err());
    }
}
