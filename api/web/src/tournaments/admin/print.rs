//! Paper for the wall and the tables: pairings, slips, standings, the bracket.

use actix_web::{HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use super::read;
use crate::error::ApiResult;
use crate::extract::{Path, Search};
use crate::page::{Page, StaffPage};
use crate::tournaments::view::{Played, Round, Seated, Stage, TournamentView};
use base::auth::can;
use base::error::not_found;
use cafe::tournaments::TournamentId;

base::text_enum! {
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
    view: &'a TournamentView,
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
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
    Search(search): Search<PrintSearch>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let stage = view.stage_shown(search.stage.unwrap_or(view.row.stage));
    let stage = stage.ok_or_else(|| not_found("stage_not_found"))?;
    let round = match search.round {
        Some(round) => Some(view.find_round(stage.number, round).ok_or_else(|| not_found("round_not_found"))?),
        None => stage.rounds.first(),
    };
    let what = search.what.unwrap_or(if round.is_some() { Paper::Tables } else { Paper::Standings });
    page.html(&PrintPage { page: &page, view: &view, stage, round, what })
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
        self.view.admin(&format!("/print?what={what}&stage={}{round}", self.stage.number))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;
    use crate::tournaments::samples::moments;

    #[test]
    fn every_paper_is_complete() {
        for tournament in moments().into_iter().filter(|it| !it.participants.is_empty()) {
            for what in Paper::ALL {
                samples::check(&samples::STAFF[..1], |page| {
                    let view = TournamentView::of(&page, tournament.clone()).unwrap();
                    let stage = view.now().unwrap();
                    PrintPage { page: &page, view: &view, stage, round: stage.rounds.first(), what: *what }.render()
                });
            }
        }
    }
}
