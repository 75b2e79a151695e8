//! Paper for the wall and the tables: pairings, slips, standings, the bracket.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use super::read;
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Path, Search};
use crate::page::{Desk, Page};
use crate::staff::Deed;
use crate::tournaments::TournamentId;
use crate::tournaments::shown::{Played, Round, Seated, Shown, Stage};

crate::text_enum! {
    /// What can be printed.
    pub enum Paper {
        Tables = "tables",
        Names = "names",
        Slips = "slips",
        Standings = "standings",
        Bracket = "bracket",
    }
}

#[derive(Template)]
#[template(path = "admin/tournaments/print.html")]
struct PrintPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
    stage: &'a Stage,
    round: Option<&'a Round>,
    what: Paper,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrintSearch {
    what: Option<Paper>,
    stage: Option<i16>,
    round: Option<i16>,
}

#[get("/admin/tournaments/{id}/print")]
pub(crate) async fn show_print(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<TournamentId>,
    Search(search): Search<PrintSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeTournaments)?;
    let shown = read(&mut *db.conn().await?, &page, id).await?;
    let stage = shown.stage_shown(search.stage.unwrap_or(shown.row.stage));
    let stage = stage.ok_or_else(|| not_found("stage_not_found"))?;
    let round = match search.round {
        Some(round) => Some(shown.find_round(stage.number, round).ok_or_else(|| not_found("round_not_found"))?),
        None => stage.rounds.first(),
    };
    let what = search.what.unwrap_or(if round.is_some() { Paper::Tables } else { Paper::Standings });
    page.html(&PrintPage { page: &page, shown: &shown, stage, round, what })
}

impl Paper {
    pub(super) const OF_ROUND: [Self; 3] = [Self::Tables, Self::Names, Self::Slips];

    pub(super) fn is_of_round(&self) -> bool {
        Self::OF_ROUND.contains(self)
    }

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Tables => "paper-tables",
            Self::Names => "paper-names",
            Self::Slips => "paper-slips",
            Self::Standings => "standings",
            Self::Bracket => "bracket",
        }
    }
}

impl PrintPage<'_> {
    fn papers(&self) -> Vec<Paper> {
        let there = |it: &Paper| match it {
            Paper::Bracket => self.stage.bracket.is_some(),
            Paper::Standings => true,
            Paper::Tables | Paper::Names | Paper::Slips => self.round.is_some(),
        };
        Paper::ALL.iter().copied().filter(there).collect()
    }

    fn address(&self, what: &Paper) -> String {
        let round = self.round.map(|it| format!("&round={}", it.row.round)).unwrap_or_default();
        self.shown.admin(&format!("/print?what={what}&stage={}{round}", self.stage.number))
    }

    /// In the order of the tables, byes last.
    fn by_table(&self) -> Vec<&Played> {
        self.round.map(|round| round.bouts.iter().collect()).unwrap_or_default()
    }

    fn by_name(&self) -> Vec<(&Seated, &Played)> {
        let bouts = self.round.map(|round| round.bouts.iter()).into_iter().flatten();
        let mut people: Vec<_> = bouts.flat_map(|bout| bout.seated.iter().map(move |it| (it, bout))).collect();
        people.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        people
    }
}
