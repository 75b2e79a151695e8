//! The story's tournaments: one that is over, one that is played tonight, and one that takes entries. Their game is a box of
//! the library, so staff write the results down.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{
    Consolation, Format, PodPairing, Points, Scoring, SeriesPoints, SeriesRules, SeriesTieBreak, ShortTables, TieBreak,
};
use jiff::SignedDuration;

use super::tale::{Tale, pass};
use base::auth::Identity;
use base::auth::Role;
use base::error::Result;
use base::error::{internal, invalid_fields};
use base::games::OTHER;
use base::ids::{SeriesId, TournamentId};
use competitions::series::{self, EventRequest, SeriesChange, SeriesName, SeriesRequest, SeriesStatus};
use competitions::tournaments::{
    self, BoutId, Cut, Finish, Next, Repeats, Seeding, StagePlan, TournamentName, TournamentRequest, WrittenResult,
};

const MINUTE: usize = 60;
const ROUND_MINUTES: i64 = 40;

/// Which one of the script's, and how far it goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Contest {
    Past,
    Tonight,
    Coming,
}

/// Tells all that there is of this tournament up to now.
pub(super) async fn hold(tale: &mut Tale, conn: &mut AsyncPgConnection, contest: Contest) -> Result<()> {
    let manager = tale.staff(Role::Manager)?;
    let id = make(tale, conn, &manager, contest).await?;
    tournaments::open_registration(&mut tale.context(conn, &manager)?, id, None).await?;
    let entrants = match contest {
        Contest::Past => 9,
        Contest::Tonight => 8,
        Contest::Coming => 5,
    };
    for number in 0..entrants {
        let with = (&tale.script, &mut tale.dice);
        let who = tale.cast.come_regular(conn, &tale.world, with.0, number, with.1).await?;
        let player = tale.cast.person(who)?.player;
        tournaments::enter(conn, &tale.world, &tale.live, player.id, id, tournaments::Entry::default()).await?;
    }
    match contest {
        Contest::Past => {
            tournaments::start(&mut tale.context(conn, &manager)?, id, None).await?;
            play_to_the_end(tale, conn, &manager, id).await?;
        }
        Contest::Tonight => {
            tournaments::start(&mut tale.context(conn, &manager)?, id, None).await?;
            play_round(tale, conn, &manager, id, usize::MAX).await?;
            play_round(tale, conn, &manager, id, 1).await?;
        }
        Contest::Coming => {}
    }
    count(tale, conn, &manager, id).await
}

/// The tournament counts in the season, which the first of them opens.
async fn count(tale: &Tale, conn: &mut AsyncPgConnection, manager: &Identity, id: TournamentId) -> Result<()> {
    let season = match series::list(conn, &series::Filter::default(), 1).await?.pop() {
        Some(row) => row.id,
        None => open_season(tale, conn, manager).await?,
    };
    series::put_event(&mut tale.context(conn, manager)?, season, id, &EventRequest::default()).await
}

async fn open_season(tale: &Tale, conn: &mut AsyncPgConnection, manager: &Identity) -> Result<SeriesId> {
    let points = SeriesPoints::Places { scale: vec![1000, 700, 500, 400, 300, 200, 100] };
    let tie_breaks = vec![SeriesTieBreak::Wins, SeriesTieBreak::Latest];
    let name = SeriesName::parse(&tale.script.series).map_err(|err| invalid_fields(vec![err]))?;
    let rules = SeriesRules { points, best: Some(3), attendance: 100, tie_breaks };
    let request = SeriesRequest { name, rules, divisions: Vec::new() };
    let id = series::create(&mut tale.context(conn, manager)?, &request).await?;
    let public = SeriesChange { status: Some(SeriesStatus::Running), ..SeriesChange::default() };
    series::change(&mut tale.context(conn, manager)?, id, &public).await?;
    Ok(id)
}

async fn make(tale: &Tale, conn: &mut AsyncPgConnection, manager: &Identity, contest: Contest) -> Result<TournamentId> {
    let (at, stages, starts_in) = match contest {
        Contest::Past => (0, vec![swiss(4), elimination()], -1),
        Contest::Tonight => (1, vec![StagePlan { advance: None, ..elimination() }], 0),
        Contest::Coming => (2, vec![pods()], 72),
    };
    let written = tale.script.tournaments.get(at);
    let written = written.ok_or_else(|| internal(anyhow::anyhow!("the demo lacks a tournament")))?;
    let name = |text: &str| TournamentName::parse(text).map_err(|err| invalid_fields(vec![err]));
    let request = TournamentRequest {
        name: name(&written.name)?,
        game: OTHER.to_owned(),
        title: Some(name(&written.title)?),
        mode: None,
        options: None,
        variant_id: None,
        variant_version: None,
        turn_seconds: None,
        stages,
        seeding: Some(Seeding::Draw),
        most_entrants: Some(16),
        late_until_round: None,
        entry: None,
        round_minutes: Some(ROUND_MINUTES),
        team_size: None,
        table_ids: None,
        starts_at: Some(tale.world.now() + SignedDuration::from_hours(starts_in)),
        check_in_until: None,
    };
    tournaments::create(&mut tale.context(conn, manager)?, &request).await
}

fn swiss(advance: u16) -> StagePlan {
    StagePlan {
        format: Format::Swiss { rounds: 3 },
        scoring: Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 }),
        tie_breaks: vec![TieBreak::Buchholz, TieBreak::HeadToHead, TieBreak::Wins],
        advance: Some(advance),
        runs_by_itself: false,
    }
}

fn elimination() -> StagePlan {
    StagePlan {
        format: Format::SingleElimination { third_place: true, consolation: Consolation::None },
        scoring: Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 }),
        tie_breaks: Vec::new(),
        advance: None,
        runs_by_itself: false,
    }
}

fn pods() -> StagePlan {
    StagePlan {
        format: Format::Pods {
            rounds: 3,
            least: 3,
            most: 4,
            pairing: PodPairing::ByStanding,
            reach: 0,
            short_tables: ShortTables::Rotate,
        },
        scoring: Scoring::new(Points::Places { scale: vec![500, 300, 200, 100], bye: 300 }),
        tie_breaks: vec![TieBreak::BestPlaces, TieBreak::Scores],
        advance: None,
        runs_by_itself: false,
    }
}

async fn play_to_the_end(
    tale: &mut Tale,
    conn: &mut AsyncPgConnection,
    manager: &Identity,
    id: TournamentId,
) -> Result<()> {
    loop {
        let tournament = tournaments::load(conn, id, true).await?;
        match tournaments::next(&tournament)? {
            Next::Pair => play_round(tale, conn, manager, id, usize::MAX).await?,
            Next::NextStage => tournaments::next_stage(&mut tale.context(conn, manager)?, id, None, None).await?,
            Next::Cut { .. } => {
                tournaments::next_stage(&mut tale.context(conn, manager)?, id, Some(&Cut::Lot {}), None).await?;
            }
            Next::Finish => return tournaments::finish(&mut tale.context(conn, manager)?, id, false, None).await,
            _ => return Ok(()),
        }
    }
}

/// Pairs and starts a round, and writes down so many of its bouts.
async fn play_round(
    tale: &mut Tale,
    conn: &mut AsyncPgConnection,
    manager: &Identity,
    id: TournamentId,
    most: usize,
) -> Result<()> {
    let round = tournaments::pair(&mut tale.context(conn, manager)?, id, Repeats::Forbidden, None).await?;
    let tournament = tournaments::load(conn, id, true).await?;
    tournaments::publish(&mut tale.context(conn, manager)?, round, None).await?;
    tournaments::start_round(&mut tale.context(conn, manager)?, round, None).await?;
    for bout in tournament.bouts_of(round.stage, round.round).filter(|bout| !bout.is_bye()).take(most) {
        if most == usize::MAX && tale.world.now() < tale.now {
            pass(&tale.world, tale.dice.between(20, MINUTE));
        }
        let winner = tale.dice.pick(&bout.entrants).copied();
        let finish = |entrant: &i32| Finish {
            entrant: *entrant,
            place: if Some(*entrant) == winner { 1 } else { 2 },
            score: None,
            absent: false,
        };
        let finishes: Vec<_> = bout.entrants.iter().map(finish).collect();
        let of = BoutId { tournament: id, stage: bout.stage, key: bout.key };
        tournaments::write_result(
            &mut tale.context(conn, manager)?,
            of,
            WrittenResult { finishes: &finishes, reason: None },
            None,
        )
        .await?;
    }
    Ok(())
}
