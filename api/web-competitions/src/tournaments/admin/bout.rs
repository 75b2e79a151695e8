//! A bout: its result, and of another result first what it would undo.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use engine::tournaments::{Limit, Points};

use super::result::{self, Sent};
use super::round::round_address;
use super::{address, read};
use crate::tournaments::view::TournamentWords;
use crate::tournaments::view::{BoutState, Played, Seated, TournamentView};
use base::auth::{Permission, StaffContext, can};
use base::error::{Error, FieldError, invalid_field, not_found};
use base::ids::TableId;
use competitions::tournaments::store::BoutKey;
use competitions::tournaments::{
    self, BoutId, Correction, Finish, Followed, LineChange, LineSide, StandingChange, TournamentId, TournamentStatus,
    WrittenResult,
};
use play::tables::TableRow;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

/// So many changes of the standings are told.
const CHANGES: usize = 16;

#[derive(Template)]
#[template(path = "admin/tournaments/bout.html")]
struct BoutPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    bout: Played,
    round_title: String,
    tables: Vec<TableRow>,
    /// What its match says, where that does not count yet.
    claim: Option<String>,
    takes_results: bool,
    /// They play it themselves, so somebody else decides.
    is_own: bool,
    takes_draws: bool,
    /// Whether a press is enough.
    takes_presses: bool,
    /// Of several games, how many each of the two may have won: as in `2-1`.
    counts: Vec<(u8, u8)>,
    takes_table: bool,
    /// The form as it was sent.
    sent: Sent,
    wrong: Option<String>,
    /// What another result would change.
    follows: Option<Follows>,
}

/// What another result would change, in words.
struct Follows {
    /// The bouts that it would undo: their names and their keys.
    voids: Vec<(String, BoutKey)>,
    /// Whose place in the standings changes, and how many more there are.
    standings: Vec<String>,
    more: usize,
    /// Who goes on, and who does not any more.
    line: Vec<String>,
    /// The stage is not over then.
    reopens: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableForm {
    table: String,
}

type Address = (TournamentId, i16, BoutKey);

fn bout_id((tournament, stage, key): Address) -> BoutId {
    BoutId { tournament, stage, key }
}

#[get("/admin/tournaments/{id}/bouts/{stage}/{key}")]
pub async fn show_bout(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path(path): Path<Address>,
) -> ApiResult<HttpResponse> {
    let id = bout_id(path);
    let view = read(&mut cx, &page, id.tournament).await?;
    let template = BoutPage::with_tables(cx.conn().await?, &page, &view, id, Sent::new()).await?;
    page.html(&template)
}

/// A first result counts at once. Another one is shown first with what it would undo, and counts once that is agreed to.
#[post("/admin/tournaments/{id}/bouts/{stage}/{key}/result")]
pub async fn write_bout_result(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(path): Path<Address>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let id = bout_id(path);
    let view = read(&mut cx, &page, id.tournament).await?;
    let mut template = BoutPage::with_tables(cx.conn().await?, &page, &view, id, sent).await?;
    let written = match template.read() {
        Ok((finishes, reason)) if template.is_correction() => {
            let mut cx = cx.require::<can::ManageTournaments>()?;
            if !template.is_agreed() {
                return template.look(cx.conn().await?, &finishes).await;
            }
            template.correct(&mut cx, id, &finishes, reason.as_deref()).await
        }
        Ok((finishes, reason)) => {
            let result = WrittenResult { finishes: &finishes, reason: reason.as_deref() };
            tournaments::write_result(&mut cx, id, result, None).await.map_err(ApiError::from)
        }
        Err(err) => Err(err),
    };
    if let Err(err) = &written
        && err.is_refusal()
    {
        template.wrong = Some(err.problem(page.lang).sentence());
        return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &template);
    }
    let flash = Flash::after(written, |()| Flash::good("bout-settled", ""))?;
    Ok(page.go_with(&address(id.tournament), flash))
}

#[post("/admin/tournaments/{id}/bouts/{stage}/{key}/table")]
pub async fn give_bout_table(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(path): Path<Address>,
    Form(form): Form<TableForm>,
) -> ApiResult<HttpResponse> {
    let id = bout_id(path);
    let table = match form.table.as_str() {
        "" => Ok(None),
        id => id.parse::<uuid::Uuid>().map(|id| Some(TableId(id))).map_err(|_| invalid_field("/table", "invalid")),
    };
    let given = match table {
        Ok(table) => tournaments::give_table(&mut cx, id, table, None).await,
        Err(err) => Err(err),
    };
    let flash = Flash::after(given, |()| Flash::good("bout-table-given", ""))?;
    Ok(page.go_with(&bout_address(id), flash))
}

/// Another match for a bout whose match was called off.
#[post("/admin/tournaments/{id}/bouts/{stage}/{key}/again")]
pub async fn play_bout_again(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(path): Path<Address>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let id = bout_id(path);
    let made = tournaments::play_again(&mut cx, id, None).await;
    let flash = Flash::after(made, |_| Flash::good("bout-again", ""))?;
    Ok(page.go_with(&bout_address(id), flash))
}

/// The ends that several games usually come to, those of the first of the two first.
fn counts(limit: Limit, takes_draws: bool) -> Vec<(u8, u8)> {
    let most = limit.most_wins();
    let (most, can_be_level) = match limit {
        Limit::BestOf(games) => (most, games.is_multiple_of(2)),
        Limit::RaceTo(_) => (most, false),
    };
    let fits = |lost: &u8| match limit {
        Limit::BestOf(games) => most + lost <= games,
        Limit::RaceTo(_) => true,
    };
    let lost: Vec<u8> = (0..most).filter(fits).collect();
    let one = lost.iter().map(|lost| (most, *lost));
    let level = (takes_draws && can_be_level).then_some((most - 1, most - 1));
    one.chain(level).chain(lost.iter().rev().map(|lost| (*lost, most))).collect()
}

fn bout_address(BoutId { tournament, stage, key }: BoutId) -> String {
    format!("{}/bouts/{stage}/{key}", address(tournament))
}

impl<'a> BoutPage<'a> {
    async fn with_tables(
        conn: &mut AsyncPgConnection,
        page: &'a Page,
        view: &'a TournamentView,
        id: BoutId,
        sent: Sent,
    ) -> ApiResult<Self> {
        let mut bout = Self::of(page, view, id, sent)?;
        if bout.takes_table {
            bout.tables = play::tables::store::list(conn, false).await?;
        }
        Ok(bout)
    }

    /// Without the tables to choose from.
    fn of(page: &'a Page, view: &'a TournamentView, BoutId { stage, key, .. }: BoutId, sent: Sent) -> ApiResult<Self> {
        let row = view.bout(stage, key).ok_or_else(|| not_found("bout_not_found"))?;
        let bout = Played::of(page, view, row);
        let plan = view.plan_of(stage)?;
        let (status, is_now) = (view.row.status, stage == view.row.stage);
        let is_published = !matches!(bout.state, BoutState::Bye | BoutState::Drafted);
        let is_running = status == TournamentStatus::Running && is_now && is_published;
        let is_played = matches!(status, TournamentStatus::Running | TournamentStatus::Finished);
        let may_correct = is_played && is_published && bout.is_over();
        let takes_results = match bout.is_over() || bout.state == BoutState::Claimed {
            true => (is_running || may_correct) && page.may(&Permission::ManageTournaments),
            false => is_running && page.may(&Permission::RunTournaments),
        };
        let claimed = |it: &engine::tournaments::Finish| {
            let name = i32::try_from(it.entrant).map(|number| view.name(&number)).unwrap_or_default();
            page.say("claim-of").with("name", name).with("place", it.place).to_string()
        };
        let claim = row.claim.as_ref().map(|it| it.0.iter().map(claimed).collect::<Vec<_>>().join(", "));
        let takes_table = is_running && !bout.is_over() && page.may(&Permission::RunTournaments);
        Ok(Self {
            page,
            view,
            round_title: view.find_round(stage, bout.round).map(|it| it.title.clone()).unwrap_or_default(),
            tables: Vec::new(),
            claim,
            takes_results: takes_results && !view.is_own(&bout),
            is_own: takes_results && view.is_own(&bout),
            takes_draws: !plan.format.is_knockout(),
            takes_presses: bout.is_duel() && (bout.limit.is_some() || plan.scoring.points != Points::Scores),
            counts: bout.limit.map(|limit| counts(limit, !plan.format.is_knockout())).unwrap_or_default(),
            takes_table,
            sent,
            wrong: None,
            follows: None,
            bout,
        })
    }

    fn read(&self) -> ApiResult<(Vec<Finish>, Option<String>)> {
        let entrants: Vec<i32> = self.bout.seated.iter().map(|it| it.number).collect();
        Ok((result::finishes(&entrants, &self.sent)?, result::reason(&self.sent)?))
    }

    /// Whether there is a result already, or one that staff have to decide on.
    fn is_correction(&self) -> bool {
        self.bout.is_over() || self.bout.state == BoutState::Claimed
    }

    fn is_agreed(&self) -> bool {
        self.sent.get("agreed").is_some_and(|it| it == "yes")
    }

    fn in_words(&self, followed: &Followed) -> Follows {
        let (page, view) = (self.page, self.view);
        let bout = |key: &BoutKey| {
            let row = view.bout(self.bout.stage, *key);
            (row.map(|row| Played::of(page, view, row).names()).unwrap_or_default(), *key)
        };
        let standing = |it: &StandingChange| {
            let name = view.standing_name(&it.entrant);
            let said = match it.rank == it.rank_before {
                true => page.say("follows-points").with("rank", it.rank),
                false => page.say("follows-rank").with("before", it.rank_before).with("rank", it.rank),
            };
            let (points, before) = (page.points(it.points), page.points(it.points_before));
            said.with("name", name).with("points", points).with("points-before", before).to_string()
        };
        let side = |it: &LineChange| {
            let key = match it.side {
                LineSide::Through => "follows-through",
                LineSide::AtLine => "follows-at-line",
                LineSide::Out => "follows-out",
            };
            page.say(key).with("name", view.standing_name(&it.entrant)).to_string()
        };
        Follows {
            voids: followed.voids.iter().map(bout).collect(),
            standings: followed.standings.iter().take(CHANGES).map(standing).collect(),
            more: followed.standings.len().saturating_sub(CHANGES),
            line: followed.line.iter().map(side).collect(),
            reopens: followed.reopens,
        }
    }

    /// What this result would change, to be agreed to.
    async fn look(mut self, conn: &mut AsyncPgConnection, finishes: &[Finish]) -> ApiResult<HttpResponse> {
        if self.value("reason").trim().is_empty() {
            self.wrong = Some(FieldError::new("/reason", "missing_field").detail(self.page.lang));
            return self.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &self);
        }
        match self.view.follow(conn, self.bout.stage, self.bout.key, finishes).await {
            Ok(followed) => {
                self.follows = Some(self.in_words(&followed));
                self.page.html(&self)
            }
            Err(err @ Error::Refused(_)) => {
                self.wrong = Some(ApiError::from(err).problem(self.page.lang).sentence());
                self.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &self)
            }
            Err(err) => Err(err.into()),
        }
    }

    async fn correct(
        &self,
        cx: &mut StaffContext<'_, can::ManageTournaments>,
        bout: BoutId,
        finishes: &[Finish],
        reason: Option<&str>,
    ) -> ApiResult<()> {
        let reason = reason.ok_or_else(|| invalid_field("/reason", "missing_field"))?;
        let voids = result::voids(&self.sent)?;
        let correction = Correction { finishes, reason, voids: &voids };
        Ok(tournaments::correct(cx, bout, correction, None).await?)
    }

    fn round_address(&self) -> String {
        round_address(self.view.row.id, self.bout.stage, self.bout.round)
    }

    fn value(&self, name: &str) -> &str {
        self.sent.get(name).map(String::as_str).unwrap_or_default()
    }

    /// As it was sent, else as it is.
    fn place(&self, it: &Seated) -> String {
        let known = it.place.map(|place| place.to_string()).unwrap_or_default();
        self.sent.get(&format!("place-{}", it.number)).cloned().unwrap_or(known)
    }

    fn score(&self, it: &Seated) -> String {
        self.sent.get(&format!("score-{}", it.number)).or(it.score.as_ref()).cloned().unwrap_or_default()
    }

    fn is_absent(&self, it: &Seated) -> bool {
        it.absent && self.sent.is_empty() || self.sent.contains_key(&format!("absent-{}", it.number))
    }

    /// The result that was sent.
    fn sent_in_words(&self) -> String {
        let finishes = self.read().map(|(finishes, _)| finishes).unwrap_or_default();
        let told = |it: &Finish| {
            let name = self.view.name(&it.entrant);
            match it.absent {
                true => format!("{name}: {}", self.page.t("mark-absent")),
                false => self.page.say("claim-of").with("name", name).with("place", it.place).to_string(),
            }
        };
        finishes.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    fn voids_sent(&self) -> String {
        let voids = self.follows.iter().flat_map(|it| &it.voids).map(|(_, key)| key.to_string());
        voids.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn every_bout_is_complete_at_every_moment() {
        for tournament in moments() {
            for row in &tournament.bouts {
                let id = BoutId { tournament: tournament.row.id, stage: row.stage, key: row.key };
                samples::check(&[samples::STAFF[0], samples::STAFF[1]], |page| {
                    let view = TournamentView::of(&page, tournament.clone()).unwrap();
                    let bout = BoutPage::of(&page, &view, id, Sent::new()).unwrap();
                    BoutPage { tables: vec![samples::table("1번"), samples::table("2번")], ..bout }.render()
                });
            }
        }
    }

    #[test]
    fn several_games_end_in_so_many_ways() {
        assert_eq!(counts(Limit::BestOf(3), true), [(2, 0), (2, 1), (1, 2), (0, 2)]);
        assert_eq!(counts(Limit::BestOf(2), true), [(2, 0), (1, 1), (0, 2)]);
        assert_eq!(counts(Limit::RaceTo(2), false), [(2, 0), (2, 1), (1, 2), (0, 2)]);
        assert_eq!(counts(Limit::BestOf(4), true), [(3, 0), (3, 1), (2, 2), (1, 3), (0, 3)]);
    }

    #[test]
    fn a_correction_is_complete() {
        let tournament = moments().into_iter().find(|it| it.row.status == TournamentStatus::Finished).unwrap();
        let bout = tournament.bouts.iter().find(|bout| !bout.is_bye()).unwrap();
        let id = BoutId { tournament: tournament.row.id, stage: bout.stage, key: bout.key };
        let fields = [("quick", format!("win-{}", bout.entrants[1])), ("reason", "이름을 바꿔 적었어요".to_owned())];
        let sent: Sent = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let nothing = || Followed { voids: Vec::new(), standings: Vec::new(), line: Vec::new(), reopens: false };
        let all = || {
            let standing = |rank| StandingChange {
                entrant: bout.entrants[1],
                rank,
                rank_before: 2,
                points: 200,
                points_before: 100,
            };
            let side = |side| LineChange { entrant: bout.entrants[1], side, side_before: LineSide::Out };
            Followed {
                voids: vec![bout.key],
                standings: vec![standing(1); CHANGES].into_iter().chain([standing(2)]).collect(),
                line: vec![side(LineSide::Through), side(LineSide::AtLine), side(LineSide::Out)],
                reopens: true,
            }
        };
        for followed in [None, Some(nothing()), Some(all())] {
            samples::check(samples::MANAGERS, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                let bout = BoutPage::of(&page, &view, id, sent.clone()).unwrap();
                let follows = followed.as_ref().map(|it| bout.in_words(it));
                BoutPage { follows, wrong: Some(page.t("field-empty")), ..bout }.render()
            });
        }
    }
}
