//! What happened in a tournament, and which of its steps have a way back.

use std::collections::{BTreeSet, HashSet};

use diesel_async::AsyncPgConnection;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::by_itself::{BY_ITSELF, IN_ARENA};
use super::state::{Part, StateChange};
use super::store::{self, BoutKey, LogRow};
use super::{Tournament, TournamentId};
use base::auth::{StaffContext, can};
use base::error::Result;
use base::ids::PlayerId;

/// Steps that can be taken back, as long as nothing that depends on them happened.
const WITH_WAY_BACK: &[&str] = &[
    "tournament.change",
    "tournament.open_registration",
    "tournament.open_check_in",
    "tournament.start",
    "tournament.next_stage",
    "tournament.finish",
    "tournament.cancel",
    "tournament.check_in",
    "tournament.take_back_check_in",
    "tournament.drop_entrant",
    "tournament.no_show",
    "tournament.reinstate",
    "tournament.seed",
    "tournament.rate_entrant",
    "tournament.set_rulings",
    "tournament.set_team",
    "tournament.set_table_need",
    "tournament.pair",
    "tournament.discard",
    "tournament.swap",
    "tournament.lock_bout",
    "tournament.publish",
    "tournament.withdraw_round",
    "tournament.start_round",
    "tournament.add_minutes",
    "tournament.pause_clock",
    "tournament.resume_clock",
    "tournament.break",
    "tournament.result",
    "tournament.results",
    "tournament.correct",
    "tournament.table",
    "tournament.pause_entrant",
    "tournament.resume_entrant",
    "tournament.pause_arena",
    "tournament.resume_arena",
    "tournament.end_arena",
    UNDO,
];

/// Among so many of the last steps the next one to take back is looked for.
const LATEST: i64 = 12;

/// The step that takes another one back; taking it back does that one again.
pub const UNDO: &str = "tournament.undo";

/// What of a tournament a step changed, for those who watch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = TournamentPart)]
#[serde(rename_all = "snake_case")]
pub enum ChangedPart {
    /// Its plan, or where it is in its life.
    Tournament,
    Entrants,
    /// Who meets whom, where and until when.
    Rounds,
    Results,
}

/// The latest revision, and what has changed since this one.
pub async fn list_news(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    revision: i64,
) -> Result<(i64, BTreeSet<ChangedPart>)> {
    let rows = store::list_log_after(conn, id, revision).await?;
    let changed = rows.iter().flat_map(|row| row.changes.iter().filter_map(StateChange::changed_part));
    Ok((rows.last().map_or(revision, |row| row.revision), changed.collect()))
}

impl StateChange {
    fn values(&self) -> impl Iterator<Item = &Value> {
        [&self.before, &self.after].into_iter().flatten()
    }

    /// Whether it tells of a participant of an arena, who comes and goes without others.
    fn is_of_arena(&self) -> bool {
        self.values().any(|it| !it["ready_since"].is_null())
    }

    fn differs_in(&self, field: &str) -> bool {
        let value = |it: &Option<Value>| it.as_ref().map(|it| it[field].clone()).filter(|it| !it.is_null());
        value(&self.before) != value(&self.after)
    }

    /// Whether it is a bout in the same round as the other, with somebody of it: only an arena has such.
    fn pairs_again(&self, other: &Self) -> bool {
        let (Ok(Part::Bout(stage, key)), Ok(Part::Bout(of, earlier))) = (self.part(), other.part()) else {
            return false;
        };
        let entrants = |it: &Self| -> Vec<i64> {
            let listed = it.values().filter_map(|it| it["entrants"].as_array());
            listed.flatten().filter_map(Value::as_i64).collect()
        };
        let (ours, theirs) = (entrants(self), entrants(other));
        stage == of && key != earlier && key.0.round == earlier.0.round && ours.iter().any(|it| theirs.contains(it))
    }

    /// The stage of a draft that it takes away.
    fn discards_draft(&self) -> Option<i16> {
        let Ok(Part::Round(stage, _)) = self.part() else { return None };
        let is_draft = |it: &Value| it["published_at"].is_null();
        self.before.as_ref().filter(|it| is_draft(it) && self.after.is_none()).map(|_| stage)
    }

    /// The stage of a bout whose result it takes away, or puts another in its place.
    fn replaces_result(&self) -> Option<i16> {
        let Ok(Part::Bout(stage, _)) = self.part() else { return None };
        let had_result = self.before.as_ref().is_some_and(|it| !it["result"].is_null());
        Some(stage).filter(|_| had_result && self.differs_in("result"))
    }

    /// Who plays a bout after the step.
    fn entrants_after(&self) -> Vec<i64> {
        let entrants = self.after.as_ref().and_then(|it| it["entrants"].as_array());
        entrants.into_iter().flatten().filter_map(Value::as_i64).collect()
    }

    /// Who takes part in what it is about, where that is a bout or somebody's part in a stage.
    fn people(&self) -> Vec<i64> {
        match self.part() {
            Ok(Part::Participant(_, entrant)) => vec![entrant.into()],
            Ok(Part::Bout(..)) => {
                let listed = self.values().filter_map(|it| it["entrants"].as_array());
                listed.flatten().filter_map(Value::as_i64).collect()
            }
            Ok(Part::Tournament | Part::Entrant(_) | Part::Round(..)) | Err(_) => Vec::new(),
        }
    }

    fn changed_part(&self) -> Option<ChangedPart> {
        let result =
            |it: &Option<Value>| it.as_ref().map(|it| [it["result"].clone(), it["games"].clone()]).unwrap_or_default();
        Some(match self.part().ok()? {
            Part::Tournament => ChangedPart::Tournament,
            Part::Entrant(_) | Part::Participant(..) => ChangedPart::Entrants,
            Part::Bout(..) if result(&self.before) != result(&self.after) => ChangedPart::Results,
            Part::Round(..) | Part::Bout(..) => ChangedPart::Rounds,
        })
    }
}

/// The latest step that can be taken back, if it is among the last.
pub async fn find_way_back(
    cx: &mut StaffContext<'_, can::ViewTournaments>,
    tournament: &Tournament,
) -> Result<Option<LogRow>> {
    let since = tournament.row.revision - LATEST;
    let rows = store::list_log_after(cx.conn().await?, tournament.row.id, since).await?;
    Ok(Log::of(rows, tournament, cx.staff.id).latest_way_back().cloned())
}

/// What happened in a tournament, as somebody reads it.
pub struct Log {
    /// The first first.
    pub rows: Vec<LogRow>,
    /// The entrant that the reader is.
    pub reader: Option<i32>,
}

/// The log of a tournament, for staff.
pub async fn list_log(cx: &mut StaffContext<'_, can::ViewTournaments>, tournament: &Tournament) -> Result<Log> {
    let rows = store::list_log(cx.conn().await?, tournament.row.id).await?;
    Ok(Log::of(rows, tournament, cx.staff.id))
}

impl LogRow {
    /// The revision of the step that this one takes back.
    pub fn undone(&self) -> Option<i64> {
        Some(&self.details["undone"]).filter(|_| self.action == UNDO)?.as_i64()
    }

    /// Whether it decides how a bout of this entrant ended.
    fn decides_bout_of(&self, entrant: i32) -> bool {
        self.changes.iter().any(|it| it.differs_in("result") && it.people().contains(&entrant.into()))
    }

    /// Whether it decides what is played: the plan, who takes part, or a new round.
    fn is_of_play(&self) -> bool {
        self.changes.iter().any(|it| match it.part() {
            Ok(Part::Tournament) => true,
            Ok(Part::Participant(..)) => !it.is_of_arena(),
            Ok(Part::Round(..)) => !self.ran_by_itself() && (it.before.is_none() || it.after.is_none()),
            Ok(Part::Entrant(_) | Part::Bout(..)) | Err(_) => false,
        })
    }

    /// Whether the server published bouts of a bracket with it. Such a step hangs on what led to these bouts alone.
    fn ran_by_itself(&self) -> bool {
        self.details[BY_ITSELF].is_object()
    }

    /// Whether the server paired anybody with it, in a bracket or in an arena.
    fn pairs_by_itself(&self) -> bool {
        self.ran_by_itself() || self.details[IN_ARENA].is_object()
    }

    /// The bouts that the server published with this step.
    pub fn published_by_itself(&self) -> Vec<BoutKey> {
        let listed = self.details[BY_ITSELF]["bouts"].as_array().into_iter().flatten();
        listed.filter_map(|it| it.as_str()?.parse().ok()).collect()
    }

    /// Whether it hangs on what is played.
    fn hangs_on_play(&self) -> bool {
        self.changes.iter().any(|it| !matches!(it.part(), Ok(Part::Entrant(_))))
    }

    /// Whether it could not stand without that earlier step.
    fn depends_on(&self, earlier: &Self) -> bool {
        let keys: HashSet<&str> = earlier.changes.iter().map(|it| it.key.as_str()).collect();
        let overlaps = self.changes.iter().any(|it| keys.contains(it.key.as_str()));
        overlaps
            || self.is_of_play() && earlier.hangs_on_play()
            || self.follows_in_arena(earlier)
            || self.follows_in_bracket(earlier)
            || self.outdates_draft_of(earlier)
    }

    /// Whether the draft that the earlier step took away was paired from a result that is another after this one.
    fn outdates_draft_of(&self, earlier: &Self) -> bool {
        let drafts: Vec<i16> = earlier.changes.iter().filter_map(StateChange::discards_draft).collect();
        self.changes.iter().filter_map(StateChange::replaces_result).any(|stage| drafts.contains(&stage))
    }

    /// Whether the server published a bout with it whose entrants came there by the earlier step. A bye may follow from anything.
    fn follows_in_bracket(&self, earlier: &Self) -> bool {
        let published = self.published_by_itself();
        let is_published = |it: &&StateChange| matches!(it.part(), Ok(Part::Bout(_, key)) if published.contains(&key));
        let made: Vec<Vec<i64>> = self.changes.iter().filter(is_published).map(StateChange::entrants_after).collect();
        let touched: HashSet<i64> = earlier.changes.iter().flat_map(StateChange::people).collect();
        let hangs = |entrants: &Vec<i64>| entrants.len() < 2 || entrants.iter().any(|it| touched.contains(it));
        earlier.hangs_on_play() && made.iter().any(hangs)
    }

    /// Whether it is about an arena that the earlier step began or opened, or pairs somebody again whose bout that step ended.
    fn follows_in_arena(&self, earlier: &Self) -> bool {
        let made = || self.changes.iter().filter(|it| it.before.is_none());
        let begins = |it: &StateChange| match it.part() {
            Ok(Part::Tournament) => true,
            Ok(Part::Round(..)) => it.differs_in("started_at"),
            Ok(Part::Entrant(_) | Part::Participant(..) | Part::Bout(..)) | Err(_) => false,
        };
        let is_later = |it: &StateChange| match it.part() {
            Ok(Part::Participant(..)) => it.is_of_arena(),
            Ok(Part::Bout(..)) => true,
            Ok(Part::Tournament | Part::Entrant(_) | Part::Round(..)) | Err(_) => false,
        };
        let pairs_again = |of: &StateChange| made().any(|it| it.pairs_again(of));
        made().any(is_later) && earlier.changes.iter().any(begins) || earlier.changes.iter().any(pairs_again)
    }
}

impl Log {
    pub fn of(rows: Vec<LogRow>, tournament: &Tournament, reader: PlayerId) -> Self {
        Self { rows, reader: tournament.entrant_of(reader).map(|it| it.number) }
    }

    pub fn find(&self, revision: i64) -> Option<&LogRow> {
        self.rows.iter().find(|it| it.revision == revision)
    }

    /// Whether a later step took this one back, and none did that again.
    pub fn is_undone(&self, row: &LogRow) -> bool {
        self.rows.iter().any(|it| it.undone() == Some(row.revision) && !self.is_undone(it))
    }

    /// Whether it decides how a bout of the reader ended, who does not judge that.
    pub fn is_own(&self, row: &LogRow) -> bool {
        self.reader.is_some_and(|reader| row.decides_bout_of(reader))
    }

    /// Whether the reader can take this step back as far as the log says: nothing that depends on it happened since.
    pub fn has_way_back(&self, row: &LogRow) -> bool {
        let is_new = row.changes.iter().any(|it| it.before.is_none() && matches!(it.part(), Ok(Part::Entrant(_))));
        let later = self.rows.iter().filter(|it| it.revision > row.revision);
        // A step that was taken back, and the step that did so, leave nothing behind but what the server paired with it.
        let takes_back = |it: &LogRow| it.undone().is_some_and(|undone| undone > row.revision) && !it.pairs_by_itself();
        let leaves_nothing = |it: &&LogRow| self.is_undone(it) || takes_back(it);
        WITH_WAY_BACK.contains(&row.action.as_str())
            && !row.changes.is_empty()
            && !is_new
            && !self.is_own(row)
            && !self.is_undone(row)
            && !later.filter(|it| !leaves_nothing(it)).any(|it| it.depends_on(row))
    }

    /// The latest step that can be taken back.
    pub fn latest_way_back(&self) -> Option<&LogRow> {
        self.rows.iter().rev().find(|it| it.action != UNDO && self.has_way_back(it))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::{Value, json};

    use super::super::state::StateChange;
    use super::super::store::Doc;
    use super::*;

    /// A step that made, changed or removed these.
    fn row(revision: i64, action: &str, changes: &[(&str, bool, bool)], details: Value) -> LogRow {
        let there = |is_there: bool| is_there.then(|| json!({}));
        let change = |(key, before, after): &(&str, bool, bool)| StateChange {
            key: (*key).to_owned(),
            before: there(*before),
            after: there(*after),
        };
        LogRow {
            revision,
            at: Timestamp::UNIX_EPOCH,
            actor: None,
            actor_name: None,
            action: format!("tournament.{action}"),
            details,
            changes: Doc(changes.iter().map(change).collect()),
        }
    }

    /// By somebody who does not take part.
    fn read(rows: Vec<LogRow>) -> Log {
        Log { rows, reader: None }
    }

    fn ways_back(log: &Log) -> Vec<i64> {
        log.rows.iter().filter(|it| log.has_way_back(it)).map(|it| it.revision).collect()
    }

    #[test]
    fn a_step_has_its_way_back_until_something_depends_on_it() {
        let made = |key: &'static str| (key, false, true);
        let changed = |key: &'static str| (key, true, true);
        let mut log = read(vec![
            row(1, "check_in", &[changed("entrant 1")], json!({})),
            row(2, "start", &[changed("tournament"), made("participant 1 2")], json!({})),
            row(3, "pair", &[made("round 1 1"), made("bout 1 main-1-1"), made("bout 1 main-1-2")], json!({})),
        ]);
        assert_eq!(ways_back(&log), [1, 3]);
        log.rows.push(row(4, "result", &[changed("bout 1 main-1-1")], json!({})));
        log.rows.push(row(5, "result", &[changed("bout 1 main-1-2")], json!({})));
        assert_eq!(ways_back(&log), [1, 4, 5], "results do not depend on each other");
        log.rows.push(row(6, "pair", &[made("round 1 2"), made("bout 1 main-2-1")], json!({})));
        assert_eq!(ways_back(&log), [1, 6]);
        log.rows.push(row(
            7,
            "undo",
            &[("round 1 2", true, false), ("bout 1 main-2-1", true, false)],
            json!({ "undone": 6 }),
        ));
        assert_eq!(ways_back(&log), [1, 4, 5, 7], "what was taken back is in nobody's way, and can be done again");
        assert_eq!(log.latest_way_back().map(|it| it.revision), Some(5));
    }

    #[test]
    fn what_a_bracket_published_by_itself_hangs_on_what_led_there_alone() {
        let bout = |key: &str, entrants: [i32; 2], is_new: bool| StateChange {
            key: format!("bout 1 {key}"),
            before: (!is_new).then(|| json!({ "entrants": entrants })),
            after: Some(json!({ "entrants": entrants })),
        };
        let round = StateChange { key: "round 1 2".to_owned(), before: None, after: Some(json!({})) };
        let with = |step: LogRow, changes: Vec<StateChange>| LogRow { changes: Doc(changes), ..step };
        let published = |key: &str| json!({ "by_itself": { "bouts": [key] } });
        let mut log = read(vec![
            with(row(1, "result", &[], json!({})), vec![bout("main-1-1", [1, 8], false)]),
            with(row(2, "result", &[], json!({})), vec![bout("main-1-3", [2, 7], false)]),
            with(
                row(3, "result", &[], published("main-2-1")),
                vec![bout("main-1-2", [4, 5], false), bout("main-2-1", [1, 4], true), round],
            ),
        ]);
        assert_eq!(ways_back(&log), [2, 3], "the first result led to the new bout, the second did not");
        assert_eq!(log.rows[2].published_by_itself(), ["main-2-1".parse().unwrap()]);
        log.rows.push(with(
            row(4, "drop_entrant", &[], published("main-2-2")),
            vec![StateChange {
                key: "bout 1 main-2-2".to_owned(),
                before: None,
                after: Some(json!({ "entrants": [2] })),
            }],
        ));
        assert_eq!(ways_back(&log), [4], "a bye may follow from anything");
    }

    #[test]
    fn what_the_server_paired_as_a_step_was_taken_back_is_there() {
        let steps = |paired: Value| {
            read(vec![
                row(1, "result", &[("bout 1 main-1-1", true, true)], json!({})),
                row(2, "drop_entrant", &[("entrant 7", true, true), ("bout 1 main-2-1", false, true)], json!({})),
                row(3, "undo", &[("bout 1 main-2-1", true, false), ("bout 1 main-1-1", true, true)], paired),
            ])
        };
        assert_eq!(ways_back(&steps(json!({ "undone": 2 }))), [1, 3]);
        for paired in [
            json!({ "undone": 2, "by_itself": { "bouts": ["main-2-2"] } }),
            json!({ "undone": 2, "arena": { "bouts": ["main-1-9"] } }),
        ] {
            assert_eq!(ways_back(&steps(paired)), [3], "the step that paired them has its own way back");
        }
    }

    #[test]
    fn a_draft_that_was_thrown_away_does_not_come_back_once_a_result_is_another() {
        let ended = |key: &str, before: Value, after: Value| StateChange {
            key: key.to_owned(),
            before: Some(json!({ "entrants": [1, 2], "result": before })),
            after: Some(json!({ "entrants": [1, 2], "result": after })),
        };
        let drafted = StateChange {
            key: "round 1 2".to_owned(),
            before: Some(json!({ "drafted_at": 1, "published_at": null })),
            after: None,
        };
        let steps = |later: StateChange| {
            let discard = LogRow { changes: Doc(vec![drafted.clone()]), ..row(1, "discard", &[], json!({})) };
            let later = LogRow { changes: Doc(vec![later]), ..row(2, "correct", &[], json!({})) };
            read(vec![discard, later])
        };
        let is_back = |later: StateChange| ways_back(&steps(later)).contains(&1);
        assert!(!is_back(ended("bout 1 main-1-1", json!([1]), json!([2]))));
        assert!(!is_back(ended("bout 1 main-1-1", json!([1]), json!(null))));
        assert!(is_back(ended("bout 1 main-1-1", json!(null), json!([1]))), "nothing was paired from it");
        assert!(is_back(ended("bout 2 main-1-1", json!([1]), json!([2]))), "that is another stage");
    }

    #[test]
    fn a_player_does_not_take_back_how_their_own_bout_ended() {
        let ended = |key: &str, entrants: [i32; 2], result: Value| StateChange {
            key: format!("bout 1 {key}"),
            before: Some(json!({ "entrants": entrants, "result": null })),
            after: Some(json!({ "entrants": entrants, "result": result })),
        };
        let with =
            |revision, action, change| LogRow { changes: Doc(vec![change]), ..row(revision, action, &[], json!({})) };
        let mut log = read(vec![
            with(1, "result", ended("main-1-1", [1, 8], json!([]))),
            with(2, "table", ended("main-1-1", [1, 8], json!(null))),
            with(3, "result", ended("main-1-2", [4, 5], json!([]))),
        ]);
        for (reader, expected) in [(None, vec![2, 3]), (Some(8), vec![2, 3]), (Some(4), vec![2]), (Some(6), vec![2, 3])]
        {
            log.reader = reader;
            assert_eq!(ways_back(&log), expected, "{reader:?}");
        }
        log.rows.remove(1);
        log.reader = Some(8);
        assert_eq!(ways_back(&log), [3]);
    }

    #[test]
    fn what_a_match_says_by_itself_and_a_new_entrant_have_no_way_back() {
        let log = read(vec![
            row(1, "add_entrant", &[("entrant 1", false, true)], json!({})),
            row(2, "ingest", &[("bout 1 main-1-1", true, true)], json!({})),
        ]);
        assert!(ways_back(&log).is_empty());
    }
}
