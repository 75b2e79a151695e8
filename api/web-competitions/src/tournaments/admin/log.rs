//! What happened in a tournament: who, when, why, what was before and after, and the way back of each step that still has one.

use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::tournaments::Finish;
use serde::Deserialize;

use super::{address, read};
use crate::tournaments::view::TournamentView;
use base::auth::{StaffContext, can};
use competitions::tournaments::state::{self, Part};
use competitions::tournaments::{self, Log, LogRow, StateChange, TournamentId};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

/// So many changes of one step are told.
const MOST_TOLD: usize = 8;

#[derive(Template)]
#[template(path = "admin/tournaments/log.html")]
struct LogPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    /// The latest first.
    steps: Vec<Told>,
}

/// A step in words.
struct Told {
    row: LogRow,
    action: String,
    by: String,
    why: Option<String>,
    changes: Vec<String>,
    /// The bouts that the server published with it.
    by_itself: Option<String>,
    /// How many more changed.
    more: usize,
    has_way_back: bool,
    is_undone: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoForm {
    /// The revision to which the step led.
    step: i64,
    /// `grid` to come back to the grid of the round that is played.
    back: Option<String>,
}

#[get("/admin/tournaments/{id}/log")]
pub async fn show_tournament_log(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let log = tournaments::list_log(&mut cx, &view).await?;
    page.html(&LogPage::of(&page, &view, &log)?)
}

#[post("/admin/tournaments/{id}/undo")]
pub async fn undo_step(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Form(form): Form<UndoForm>,
) -> ApiResult<HttpResponse> {
    let undone = tournaments::undo(&mut cx, id, form.step, None).await;
    let to = match form.back.as_deref() {
        Some("grid") => read(&mut cx, &page, id).await?.grid_path(),
        _ => None,
    };
    Ok(page.go_with(&to.unwrap_or_else(|| address(id)), Flash::after(undone, |()| Flash::good("step-undone", ""))?))
}

impl<'a> LogPage<'a> {
    fn of(page: &'a Page, view: &'a TournamentView, log: &Log) -> ApiResult<Self> {
        let steps = log.rows.iter().rev().map(|row| Told::of(page, view, log, row)).collect::<ApiResult<_>>()?;
        Ok(Self { page, view, steps })
    }
}

impl Told {
    fn of(page: &Page, view: &TournamentView, log: &Log, row: &LogRow) -> ApiResult<Self> {
        let mut changes = Vec::new();
        for change in row.changes.iter() {
            changes.extend(told(page, view, change)?);
        }
        let more = changes.len().saturating_sub(MOST_TOLD);
        changes.truncate(MOST_TOLD);
        Ok(Self {
            action: action(page, row),
            by: match (&row.actor_name, row.actor) {
                (Some(name), _) => name.clone(),
                (None, Some(_)) => page.t("someone"),
                (None, None) if row.action == "tournament.pair_free" => page.t("log-by-clock"),
                (None, None) => page.t("log-by-match"),
            },
            why: why(row),
            changes,
            by_itself: by_itself(view, row),
            more,
            has_way_back: log.has_way_back(row),
            is_undone: log.is_undone(row),
            row: row.clone(),
        })
    }
}

/// The last step that can be taken back, for the pages on which steps are taken.
pub(super) struct WayBack {
    /// The revision to which it led.
    pub step: i64,
    pub action: String,
}

impl WayBack {
    pub(super) async fn find(
        cx: &mut StaffContext<'_, can::ViewTournaments>,
        page: &Page,
        view: &TournamentView,
    ) -> ApiResult<Option<Self>> {
        let found = tournaments::find_way_back(cx, view).await?;
        Ok(found.map(|row| Self { step: row.revision, action: action(page, &row) }))
    }
}

/// What was done, in words.
fn action(page: &Page, row: &LogRow) -> String {
    page.action(&row.action)
}

fn why(row: &LogRow) -> Option<String> {
    let reasons = [&row.details["reason"], &row.details["decision"]["cut"]["reason"]];
    let lot = row.details["decision"]["lot"].as_u64().map(|number| format!("№ {number}"));
    reasons.into_iter().find_map(|it| it.as_str()).map(str::to_owned).or(lot)
}

/// The bouts of a bracket that were published with a step, as far as they are still there.
fn by_itself(view: &TournamentView, row: &LogRow) -> Option<String> {
    let published = row.published_by_itself();
    let is_one = |change: &&StateChange| matches!(change.part(), Ok(Part::Bout(_, key)) if published.contains(&key));
    let names = row.changes.iter().filter(is_one).map(|change| {
        let entrants = change.after.as_ref().and_then(|it| it["entrants"].as_array()).into_iter().flatten();
        let numbers = entrants.filter_map(|it| i32::try_from(it.as_i64()?).ok());
        numbers.map(|number| view.name(&number)).collect::<Vec<_>>().join(" – ")
    });
    let names = names.collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then_some(names)
}

/// What changed, if people want to know it: how somebody is, who meets whom, and results.
fn told(page: &Page, view: &TournamentView, change: &StateChange) -> ApiResult<Option<String>> {
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let told = |what: String, before: String, after: String| {
        (before != after)
            .then(|| page.say("log-change").with("what", what).with("before", before).with("after", after).to_string())
    };
    let nothing = || "–".to_owned();
    Ok(match change.part()? {
        Part::Tournament => {
            let said = |it: Option<state::Own>| it.map_or_else(nothing, |it| page.t(it.status.key()));
            told(view.row.name.clone(), said(state::read(before)?), said(state::read(after)?))
        }
        Part::Entrant(number) => {
            let said = |it: Option<state::Entrant>| it.map_or_else(nothing, |it| page.t(it.status.key()));
            told(view.name(&number), said(state::read(before)?), said(state::read(after)?))
        }
        Part::Bout(..) => {
            let [before, after]: [Option<state::Bout>; 2] = [state::read(before)?, state::read(after)?];
            let names = |it: &state::Bout| it.entrants.iter().map(|it| view.name(it)).collect::<Vec<_>>().join(" – ");
            let who = |it: &Option<state::Bout>| it.as_ref().map_or_else(nothing, names);
            let ended = |it: &Option<state::Bout>| {
                let result = it.as_ref().and_then(|it| it.result.as_deref());
                result.map_or_else(nothing, |result| in_words(page, view, result))
            };
            match (&before, &after) {
                (Some(one), Some(other)) if one.entrants == other.entrants => {
                    told(names(one), ended(&before), ended(&after))
                }
                _ => told(page.t("pairings"), who(&before), who(&after)),
            }
        }
        // In an arena people come and go, and its window is open until some time.
        Part::Participant(_, number) => {
            let said = |it: Option<state::Participant>| match it.filter(|it| it.ready_since.is_some()) {
                Some(it) if it.paused_since.is_some() => page.t("arena-mine-pausing"),
                Some(_) => page.t("arena-mine-waiting"),
                None => nothing(),
            };
            told(view.name(&number), said(state::read(before)?), said(state::read(after)?))
        }
        Part::Round(..) => {
            let said = |it: Option<state::Round>| match it.filter(|it| it.is_arena) {
                Some(it) if it.paused_at.is_some() => page.t("arena-paused"),
                Some(it) => it.ends_at.map_or_else(|| page.t("arena-unopened"), |ends| page.at(ends)),
                None => nothing(),
            };
            told(page.t("arena-window"), said(state::read(before)?), said(state::read(after)?))
        }
    })
}

/// The best first.
fn in_words(page: &Page, view: &TournamentView, result: &[Finish]) -> String {
    let mut result: Vec<&Finish> = result.iter().collect();
    result.sort_by_key(|it| it.place);
    let one = |it: &&Finish| {
        let name = i32::try_from(it.entrant).map(|number| view.name(&number)).unwrap_or_default();
        match it.absent {
            true => format!("{name}: {}", page.t("mark-absent")),
            false => page.say("claim-of").with("name", name).with("place", it.place).to_string(),
        }
    };
    result.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use competitions::tournaments::Doc;
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn every_step_is_told_with_what_was_before_and_after() {
        let finished = moments().into_iter().rfind(|it| it.bouts.iter().any(|bout| bout.result.is_some())).unwrap();
        let state = state::of(&finished).unwrap();
        let changes = state::diff(&state::State::new(), &state);
        let back = |it: &StateChange| StateChange { before: it.after.clone(), after: None, ..it.clone() };
        let row = |revision, action: &str, details, changes| LogRow {
            revision,
            at: Timestamp::UNIX_EPOCH,
            actor: (revision == 1).then(|| samples::player_id(0)),
            actor_name: (revision == 1).then(|| "민아".to_owned()),
            action: action.to_owned(),
            details,
            changes: Doc(changes),
        };
        let rows = vec![
            row(1, "tournament.correct", json!({ "reason": "점수판을 다시 봤어요" }), changes.clone()),
            row(2, "tournament.ingest", json!({}), changes.iter().map(back).collect()),
            row(3, "tournament.undo", json!({ "undone": 1 }), changes.clone()),
            row(4, "tournament.result", json!({ "by_itself": { "bouts": ["main-1-1"] } }), changes),
        ];
        let log = Log { rows, reader: None };
        samples::check(samples::STAFF, |page| {
            let view = TournamentView::of(&page, finished.clone()).unwrap();
            let template = LogPage::of(&page, &view, &log).unwrap();
            assert_eq!(template.steps[3].why.as_deref(), Some("점수판을 다시 봤어요"));
            assert!(template.steps[0].by_itself.is_some());
            assert!(template.steps.iter().all(|step| step.changes.len() == MOST_TOLD && step.more > 0));
            template.render()
        });
    }
}
