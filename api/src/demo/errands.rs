//! What staff do besides parties: house rules, boxes that break or get lost, and what must be done about people.

use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};

use super::agenda::{Agenda, Task};
use super::calendar::Calendar;
use super::script::Script;
use super::tale::Tale;
use super::tournaments::Contest;
use super::visits::BEFORE_TONIGHT;
use base::auth::Role;
use base::error::{Result, internal};
use base::ids::{CopyId, NoteId, TableId};
use cafe::accounts::{self, Merge};
use play::library::{self, Transfer};
use play::players::Ban;
use play::tables::{self, Reason, TableChange};
use play::variants::{self, VariantStatus};

const DAY: usize = 24 * 60 * 60;
const QUARTER: usize = 15 * 60;

/// All of them, over so many weeks.
pub(super) fn enter(agenda: &mut Agenda, calendar: &Calendar, script: &Script, weeks: u32, now: Timestamp) {
    let days = calendar.days(weeks);
    // In the afternoon of this part of all days, in hundredths.
    let at = |hundredth: usize, minute: usize| {
        let day = days.get(days.len() * hundredth / 100).or(days.last());
        let minute = i16::try_from(12 * 60 + minute).unwrap_or(0);
        day.map_or(now, |day| calendar.at(*day, minute))
    };
    for (rule, written) in script.variants.iter().enumerate() {
        for version in 1..written.versions.len() {
            agenda.enter(at(20 * version + 2 * rule, rule), Task::NextVersion { rule });
            agenda.enter(at(20 * version + 2 * rule, 30 + rule), Task::Publish { rule });
        }
        if written.status == VariantStatus::Retired {
            agenda.enter(at(60, rule), Task::Retire { rule });
        }
    }
    for note in 0..14 {
        agenda.enter(at(5 + 6 * note, 5 * note), Task::Note);
    }
    for (hundredth, errand) in [
        (15, Transfer::Repair),
        (30, Transfer::CheckIn),
        (35, Transfer::Lose),
        (50, Transfer::Find),
        (70, Transfer::Lose),
        (75, Transfer::Repair),
        (90, Transfer::Repair),
    ] {
        agenda.enter(at(hundredth, 40), Task::Mishap(errand));
    }
    for minutes in [61, 48, 29] {
        agenda.enter(now - SignedDuration::from_mins(minutes), Task::LendAnother);
    }
    agenda.enter(at(62, 50), Task::Ban);
    agenda.enter(at(66, 55), Task::Merge);
    // Before the first of those who are there when the demo is looked at: they stay.
    agenda.enter(at(97, 20).min(now - BEFORE_TONIGHT - SignedDuration::from_hours(1)), Task::OutOfService);
    agenda.enter(at(80, 2), Task::Tournament(Contest::Past));
}

/// With a copy: it comes back from its table, and is looked through a while later.
pub(super) async fn handle(
    tale: &mut Tale,
    conn: &mut AsyncPgConnection,
    copy: CopyId,
    errand: Transfer,
) -> Result<()> {
    let staff = tale.staff(Role::Staff)?;
    library::transfer(&mut tale.context(conn, &staff)?, copy, errand, None).await?;
    match errand {
        Transfer::TakeBack | Transfer::Find => {
            let seconds = tale.dice.between(8 * 60, 50 * 60);
            tale.enter_in(seconds, Task::Handle { copy, errand: Transfer::CheckIn });
        }
        Transfer::CheckIn => set_on_shelf(tale, copy, true),
        Transfer::Repair | Transfer::Lose => set_on_shelf(tale, copy, false),
        Transfer::Lend | Transfer::Carry | Transfer::Undo => {}
    }
    Ok(())
}

/// One more box goes to a party, and is back too late to be looked through.
pub(super) async fn lend_another(tale: &mut Tale, conn: &mut AsyncPgConnection) -> Result<()> {
    let on_shelves: Vec<CopyId> =
        tale.boxes.iter().filter(|it| it.is_on_shelf && it.game.is_none()).map(|it| it.id).collect();
    let tables: Vec<TableId> =
        tale.parties.iter().filter(|party| party.is_here).map(|party| tale.tables[party.table].id).collect();
    let (Some(copy), Some(table)) = (tale.dice.pick(&on_shelves), tale.dice.pick(&tables)) else { return Ok(()) };
    let (copy, staff) = (*copy, tale.staff(Role::Staff)?);
    library::transfer(&mut tale.context(conn, &staff)?, copy, Transfer::Lend, Some(*table)).await?;
    set_on_shelf(tale, copy, false);
    let back = tale.now - SignedDuration::from_mins(tale.dice.between(2, 7) as i64);
    tale.agenda.enter(back, Task::Handle { copy, errand: Transfer::TakeBack });
    Ok(())
}

fn set_on_shelf(tale: &mut Tale, copy: CopyId, is_on_shelf: bool) {
    if let Some(found) = tale.boxes.iter_mut().find(|it| it.id == copy) {
        found.is_on_shelf = is_on_shelf;
    }
}

/// A box breaks or is missed, or turns up mended or found.
pub(super) async fn mishap(tale: &mut Tale, conn: &mut AsyncPgConnection, errand: Transfer) -> Result<()> {
    let all = library::every_copy(conn).await?;
    let from: Vec<CopyId> = match errand {
        Transfer::Repair | Transfer::Lose => {
            tale.boxes.iter().filter(|it| it.is_on_shelf && it.game.is_none()).map(|it| it.id).collect()
        }
        Transfer::CheckIn => {
            all.iter().filter(|(it, _)| it.state == library::CopyState::Repair).map(|it| it.0.id).collect()
        }
        Transfer::Find => all.iter().filter(|(it, _)| it.state == library::CopyState::Lost).map(|it| it.0.id).collect(),
        Transfer::Lend | Transfer::Carry | Transfer::TakeBack | Transfer::Undo => Vec::new(),
    };
    match tale.dice.pick(&from).copied() {
        Some(copy) => handle(tale, conn, copy, errand).await,
        None => Ok(()),
    }
}

pub(super) async fn note(tale: &mut Tale, conn: &mut AsyncPgConnection) -> Result<()> {
    let staff = tale.staff(Role::Staff)?;
    let copies: Vec<CopyId> = tale.boxes.iter().map(|it| it.id).collect();
    let (Some(copy), Some(text)) = (tale.dice.pick(&copies), tale.dice.pick(&tale.script.notes)) else { return Ok(()) };
    let id = library::add_note(&mut tale.context(conn, &staff)?, *copy, text).await?;
    if tale.dice.in_hundred(50) {
        let seconds = tale.dice.between(DAY, 5 * DAY);
        tale.enter_in(seconds, Task::SettleNote { id });
    }
    Ok(())
}

pub(super) async fn settle_note(tale: &mut Tale, conn: &mut AsyncPgConnection, id: NoteId) -> Result<()> {
    let staff = tale.staff(Role::Staff)?;
    library::settle_note(&mut tale.context(conn, &staff)?, id, true).await?;
    Ok(())
}

pub(super) async fn write_version(tale: &mut Tale, conn: &mut AsyncPgConnection, rule: usize) -> Result<()> {
    let staff = tale.staff(Role::Manager)?;
    let (id, written) = (tale.rules[rule].id, &tale.script.variants[rule].versions);
    let (_, latest) = variants::latest_of(conn, id).await?;
    let next = usize::try_from(latest.number).ok().and_then(|number| written.get(number));
    let next = next.ok_or_else(|| internal(anyhow::anyhow!("the demo has no more versions of this variant")))?;
    variants::add_version_as(conn, tale.actor(&staff), id, next).await?;
    Ok(())
}

pub(super) async fn publish(tale: &mut Tale, conn: &mut AsyncPgConnection, rule: usize) -> Result<()> {
    let staff = tale.staff(Role::Manager)?;
    variants::publish_as(conn, tale.actor(&staff), tale.rules[rule].id, None).await?;
    tale.rules[rule].may_be_played = true;
    Ok(())
}

pub(super) async fn retire(tale: &mut Tale, conn: &mut AsyncPgConnection, rule: usize) -> Result<()> {
    let staff = tale.staff(Role::Manager)?;
    variants::retire_as(conn, tale.actor(&staff), tale.rules[rule].id).await?;
    tale.rules[rule].may_be_played = false;
    Ok(())
}

pub(super) async fn take_out_of_service(tale: &mut Tale, conn: &mut AsyncPgConnection) -> Result<()> {
    let staff = tale.staff(Role::Staff)?;
    for (at, furniture) in tale.script.tables.iter().enumerate() {
        let Some(reason) = &furniture.out_of_service else { continue };
        if tale.parties.iter().any(|party| party.is_here && party.table == at) {
            tale.enter_in(QUARTER, Task::OutOfService);
            return Ok(());
        }
        let out = TableChange { out_of_service: Some(Some(Reason(reason.clone()))), ..TableChange::default() };
        tables::change(&mut tale.context(conn, &staff)?, tale.tables[at].id, &out).await?;
        tale.tables[at].is_free = false;
    }
    Ok(())
}

/// A guest who plays in no match now.
fn somebody(tale: &mut Tale) -> Option<usize> {
    let here: Vec<usize> =
        tale.parties.iter().filter(|party| party.is_here).flat_map(|party| party.members.iter().copied()).collect();
    let away: Vec<usize> = tale.cast.guests().iter().copied().filter(|who| !here.contains(who)).collect();
    tale.dice.pick(&away).copied()
}

pub(super) async fn ban(tale: &mut Tale, conn: &mut AsyncPgConnection) -> Result<()> {
    let Some(who) = somebody(tale) else { return Ok(()) };
    let (staff, id) = (tale.staff(Role::Manager)?, tale.cast.person(who)?.player.id);
    let until = Some(tale.now + SignedDuration::from_hours(24 * 9));
    let ban = Ban { reason: tale.script.ban_reason.clone(), until };
    accounts::ban(&mut tale.context(conn, &staff)?, &tale.autopilot, id, &ban).await?;
    tale.cast.goes(who);
    Ok(())
}

/// A guest turns out to be a regular.
pub(super) async fn merge(tale: &mut Tale, conn: &mut AsyncPgConnection) -> Result<()> {
    let (Some(guest), Some(regular)) = (somebody(tale), tale.cast.regular(0)) else { return Ok(()) };
    let staff = tale.staff(Role::Staff)?;
    let both = Merge { guest: tale.cast.person(guest)?.player.id, player: tale.cast.person(regular)?.player.id };
    match accounts::merge(&mut tale.context(conn, &staff)?, both).await {
        // They once played against each other, so they are two.
        Err(err) if err.is_refusal() => Ok(()),
        merged => {
            tale.cast.goes(guest);
            merged
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    #[test]
    fn a_table_goes_out_of_service_before_those_come_who_stay() {
        let script = Script::read().unwrap();
        for (hour, weeks) in (0..24).flat_map(|hour| [(hour, 1), (hour, 6)]) {
            let now: Timestamp = format!("2026-06-05T{hour:02}:47:00Z").parse().unwrap();
            let mut agenda = Agenda::default();
            enter(&mut agenda, &Calendar::of(now, TimeZone::UTC), &script, weeks, now);
            let goes_out = |(_, task): &(Timestamp, Task)| matches!(task, Task::OutOfService);
            assert!(
                std::iter::from_fn(|| agenda.next(now - BEFORE_TONIGHT)).any(|it| goes_out(&it)),
                "{hour}, {weeks}"
            );
        }
    }
}
