//! Groups: several small stages side by side. The seeds go to them as a snake; each is paired and ranked by itself, and all are
//! ranked by their places in the groups, so that the best of each go on, and after them the best of the next places.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::bouts::{Bout, BoutKey, Pairing, StandingsRow};
use super::history::{BoutRecord, BoutResult, History};
use super::refusals::{InvalidStage, Unpairable};
use super::stage::{Format, GroupPlay, Participant, Stage, TieBreak};
use super::standings::{OtherValue, ranked};
use super::{check, round_robin};

/// The most groups of a stage.
const MOST_GROUPS: u8 = 32;
/// Points are compared as so many parts of those of one round, where groups differ in size.
const PARTS: i64 = 1_000_000;

/// An entrant's place in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct GroupPlace {
    /// Which group, from 1.
    pub group: u16,
    /// The rank there, 1 the best.
    pub rank: u32,
}

/// A group as a stage of its own.
struct Group {
    stage: Stage,
    /// What the numbers of its bouts are ahead of those in the whole stage.
    ahead: u16,
}

/// The participants of each group, the strongest first.
fn dealt(stage: &Stage, groups: u8) -> Vec<Vec<Participant>> {
    let count = usize::from(groups.max(1));
    let mut dealt = vec![Vec::new(); count];
    for (at, participant) in stage.by_seed().into_iter().enumerate() {
        let (turn, place) = (at / count, at % count);
        let group = if turn.is_multiple_of(2) { place } else { count - 1 - place };
        dealt[group].push(participant);
    }
    dealt
}

fn groups_of(stage: &Stage, groups: u8, play: GroupPlay) -> Vec<Group> {
    let (mut ahead, bouts) = (0, stage.bouts_in_order());
    let group = |participants: Vec<Participant>| {
        let is_here = |entrant: &u32| participants.iter().any(|it| it.entrant == *entrant);
        let asked = stage.rulings.byes.iter().filter(|it| is_here(&it.entrant)).count();
        let here = ahead;
        ahead += (participants.len().div_ceil(2) + asked) as u16;
        let own: Vec<&Bout> = bouts.values().copied().filter(|it| it.entrants.iter().any(&is_here)).collect();
        let mut least: BTreeMap<u16, u16> = BTreeMap::new();
        for bout in &own {
            let of_round = least.entry(bout.key.round).or_insert(bout.key.number);
            *of_round = bout.key.number.min(*of_round);
        }
        // Fewer had asked to rest, maybe, when these were paired.
        let before = |round: u16| least.get(&round).map_or(here, |least| here.min(least.saturating_sub(1)));
        let back = |bout: &&Bout| Bout { key: moved(bout.key, |it| it - before(bout.key.round)), ..(*bout).clone() };
        let bouts = own.iter().map(back).collect();
        Group { stage: Stage { format: play.format(), participants, bouts, ..stage.clone() }, ahead: here }
    };
    dealt(stage, groups).into_iter().map(group).collect()
}

fn moved(key: BoutKey, to: impl Fn(u16) -> u16) -> BoutKey {
    BoutKey { number: to(key.number), ..key }
}

impl GroupPlay {
    fn format(self) -> Format {
        match self {
            GroupPlay::RoundRobin { legs } => Format::RoundRobin { legs },
            GroupPlay::Swiss { rounds } => Format::Swiss { rounds },
        }
    }
}

/// Checks that there are enough for so many groups, and each of them.
pub(super) fn check(stage: &Stage, groups: u8, play: GroupPlay) -> Result<(), InvalidStage> {
    if !(2..=MOST_GROUPS).contains(&groups) {
        return Err(InvalidStage::BadGroups { most: MOST_GROUPS });
    }
    let least = 2 * u16::from(groups);
    if stage.participants.len() < usize::from(least) {
        return Err(InvalidStage::TooFew { least });
    }
    groups_of(stage, groups, play).iter().try_for_each(|group| check::check(&group.stage))
}

/// What each group can pair now: each goes on as soon as its own round is over.
pub(super) fn due(
    stage: &Stage,
    (groups, play): (u8, GroupPlay),
    pair: impl Fn(&Stage) -> Result<Vec<Pairing>, Unpairable>,
) -> Result<Vec<Pairing>, Unpairable> {
    let (mut due, mut stuck) = (Vec::new(), None);
    for group in groups_of(stage, groups, play) {
        let ahead = |pairing: Pairing| Pairing { key: moved(pairing.key, |it| it + group.ahead), ..pairing };
        match pair(&group.stage) {
            Ok(pairings) => due.push(pairings.into_iter().map(ahead).collect()),
            Err(why) => stuck = stuck.or(Some(why)),
        }
    }
    let due = numbered(stage, due);
    // One that is stuck is told once the others have nothing to play.
    let is_quiet = due.is_empty() && stage.bouts.iter().all(Bout::is_over);
    match stuck.filter(|_| is_quiet) {
        Some(why) => Err(why),
        None => Ok(due),
    }
}

/// The pairings of each group with numbers that no other bout has. Others may have been paired in the same round when more had asked to
/// rest, and have these numbers: then the group comes after all that are taken.
fn numbered(stage: &Stage, due: Vec<Vec<Pairing>>) -> Vec<Pairing> {
    let mut taken: BTreeSet<BoutKey> = stage.bouts.iter().map(|it| it.key).collect();
    let is_free = |pairings: &Vec<Pairing>| pairings.iter().all(|it| !taken.contains(&it.key));
    let (free, clashing): (Vec<_>, Vec<_>) = due.into_iter().partition(is_free);
    let mut numbered: Vec<Pairing> = free.into_iter().flatten().collect();
    taken.extend(numbered.iter().map(|it| it.key));
    for mut pairing in clashing.into_iter().flatten() {
        let of_round = taken.iter().filter(|it| it.round == pairing.key.round);
        pairing.key.number = of_round.map(|it| it.number).max().unwrap_or_default().saturating_add(1);
        taken.insert(pairing.key);
        numbered.push(pairing);
    }
    numbered
}

/// The bouts of the group in which this participant plays.
pub(super) fn bouts_of_group(stage: &Stage, (groups, play): (u8, GroupPlay), entrant: u32) -> Vec<Bout> {
    let is_theirs = |it: &Group| it.stage.participants.iter().any(|it| it.entrant == entrant);
    let theirs = groups_of(stage, groups, play).into_iter().find(is_theirs);
    theirs.map_or_else(Vec::new, |it| it.stage.bouts)
}

/// As many as the largest group has.
pub(super) fn rounds(stage: &Stage, groups: u8, play: GroupPlay) -> u16 {
    groups_of(stage, groups, play).iter().map(|it| rounds_in(&it.stage, play)).max().unwrap_or_default()
}

fn rounds_in(group: &Stage, play: GroupPlay) -> u16 {
    match play {
        GroupPlay::RoundRobin { legs } => round_robin::rounds(group, legs),
        GroupPlay::Swiss { rounds } => rounds.into(),
    }
}

/// All entrants: the firsts of the groups, then the seconds, and so on. Among them points count, in groups of different sizes by
/// the bout, then the tie-breaks but for those that only say something within a group.
pub(super) fn standings(stage: &Stage, groups: u8, play: GroupPlay, other: OtherValue<'_>) -> Vec<StandingsRow> {
    ranked(in_order(stage, groups, play, other))
}

/// What compares entrants of different groups: points by the bout, then tie-breaks. More is better.
type Worth = (i64, Vec<i64>);

fn in_order(
    stage: &Stage,
    groups: u8,
    play: GroupPlay,
    other: OtherValue<'_>,
) -> Vec<((u32, Reverse<Worth>), StandingsRow)> {
    let is_told = |it: &TieBreak| *it != TieBreak::HeadToHead;
    let mut all = Vec::new();
    for (group, number) in groups_of(stage, groups, play).iter().zip(1..) {
        let (bouts, history) = (bouts_each(&group.stage, play), History::new(&group.stage));
        let rests = match play {
            GroupPlay::RoundRobin { legs } => round_robin::rests(&group.stage, legs),
            GroupPlay::Swiss { .. } => BTreeSet::new(),
        };
        // Who has no opponent in a round robin, by the table or because they have left, is neither better nor worse for it.
        let by_bout = |entrant: u32, points: i64| {
            let is_bye =
                |it: &&BoutRecord| it.result == BoutResult::Bye && matches!(play, GroupPlay::RoundRobin { .. });
            let byes = || history.of(entrant).iter().filter(is_bye);
            let missing = byes().filter(|it| !rests.contains(&(entrant, it.round))).count() as i64;
            let of_byes = byes().map(|it| it.points).sum::<i64>();
            (points - of_byes).saturating_mul(PARTS) / (bouts - missing).max(1)
        };
        for mut row in super::standings::standings(&group.stage, other) {
            row.group = Some(GroupPlace { group: number, rank: row.rank });
            let told = stage.tie_breaks.iter().zip(&row.tie_breaks).filter(|(it, _)| is_told(it));
            let values: Vec<i64> = told.map(|(_, value)| *value).collect();
            all.push(((row.rank, Reverse((by_bout(row.entrant, row.points), values))), row));
        }
    }
    let seeds: BTreeMap<u32, u32> = stage.participants.iter().map(|it| (it.entrant, it.seed)).collect();
    all.sort_by(|(one, a), (other, b)| one.cmp(other).then_with(|| seeds.get(&a.entrant).cmp(&seeds.get(&b.entrant))));
    all
}

/// Who goes on from groups where people share places in one of them: of each group as many as of any other, and for the places that
/// are left the best of those who come next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupLine {
    /// Everybody, the best first.
    pub order: Vec<u32>,
    /// Those who go on in any case, in this order.
    pub through: Vec<u32>,
    /// Those of whom somebody has to decide, by seed.
    pub equals: Vec<u32>,
    /// How many of them go on.
    pub places: usize,
    /// What holds for them within their groups.
    pub quotas: Vec<GroupQuota>,
}

/// Those who share places in a group, and how many of them go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupQuota {
    pub of: Vec<u32>,
    pub least: usize,
    pub most: usize,
}

/// The line below so many who go on of those who are here. None if nobody shares a place at which it falls in their group, or if a
/// group has too few.
pub(super) fn line(
    stage: &Stage,
    (groups, play): (u8, GroupPlay),
    many: usize,
    is_here: &dyn Fn(u32) -> bool,
    other: OtherValue<'_>,
) -> Option<GroupLine> {
    let rows = in_order(stage, groups, play, other).into_iter().filter(|(_, it)| is_here(it.entrant));
    let rows: Vec<(u16, u32, Worth, u32)> =
        rows.filter_map(|((rank, Reverse(worth)), it)| Some((it.group?.group, rank, worth, it.entrant))).collect();
    let of_groups: BTreeSet<u16> = rows.iter().map(|it| it.0).collect();
    let whole = many.checked_div(of_groups.len())?;
    let more = many - whole * of_groups.len();
    let (mut through, mut quotas, mut next) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_shared = false;
    for group in of_groups {
        let mut before = 0;
        let here: Vec<_> = rows.iter().filter(|it| it.0 == group).collect();
        if here.len() <= whole {
            return None;
        }
        for equal in here.chunk_by(|one, other| one.1 == other.1) {
            let (first, last) = (before + 1, before + equal.len());
            before = last;
            let of: Vec<u32> = equal.iter().map(|it| it.3).collect();
            if last <= whole {
                through.extend(of);
            } else if first <= whole + 1 {
                // The group has the places up to `whole`; for the one after it, it sends the best that is left.
                let sure = (whole + 1).saturating_sub(first);
                is_shared |= of.len() > 1 && (sure > 0 || more > 0);
                next.push((equal[0].2.clone(), quotas.len()));
                quotas.push(GroupQuota { of, least: sure, most: sure });
            }
        }
    }
    if !is_shared {
        return None;
    }
    next.sort_by(|(one, _), (other, _)| other.cmp(one));
    let mut places: usize = quotas.iter().map(|it| it.least).sum();
    places += more;
    if let Some((last, _)) = more.checked_sub(1).and_then(|at| next.get(at)) {
        let level = next.iter().filter(|(worth, _)| worth == last).count();
        let above = next.iter().filter(|(worth, _)| worth > last).count();
        for (worth, quota) in next.iter().filter(|(worth, _)| worth >= last) {
            quotas[*quota].most += 1;
            quotas[*quota].least += usize::from(worth > last || above + level == more);
        }
    }
    let is_settled = |it: &GroupQuota| it.least == it.most && [0, it.of.len()].contains(&it.most);
    for quota in quotas.iter().filter(|it| is_settled(it) && it.most > 0) {
        through.extend(&quota.of);
        places -= quota.of.len();
    }
    quotas.retain(|it| !is_settled(it));
    let order: Vec<u32> = rows.iter().map(|it| it.3).collect();
    let at = |entrant: &u32| order.iter().position(|it| it == entrant);
    through.sort_by_key(at);
    let seeds: BTreeMap<u32, u32> = stage.participants.iter().map(|it| (it.entrant, it.seed)).collect();
    let mut equals: Vec<u32> = quotas.iter().flat_map(|it| it.of.clone()).collect();
    equals.sort_by_key(|it| seeds.get(it));
    Some(GroupLine { order, through, equals, places, quotas })
}

/// How many bouts each entrant of a group has to play.
fn bouts_each(group: &Stage, play: GroupPlay) -> i64 {
    match play {
        GroupPlay::RoundRobin { legs } => i64::from(legs) * (group.participants.len() as i64 - 1),
        GroupPlay::Swiss { rounds } => rounds.into(),
    }
}

/// The seeds of those who go on into a bracket, given the best first: members of one group meet as late as possible. Only
/// those of the same place in their groups change seeds.
pub(super) fn crossed(going: &[(u32, GroupPlace)]) -> Vec<u32> {
    let mut order = going.to_vec();
    let slots = slots(order.len().next_power_of_two().max(2));
    // A pair that meets a round earlier costs more than all that meet later.
    let cost = |order: &[(u32, GroupPlace)], at: usize| -> u128 {
        let mates = order.iter().enumerate().filter(|(other, it)| *other != at && it.1.group == order[at].1.group);
        mates.map(|(other, _)| 1_u128 << (120 - 12 * meeting(slots[at], slots[other]).min(10))).sum()
    };
    let mut is_better = true;
    while is_better {
        is_better = false;
        for one in 0..order.len() {
            for other in one + 1..order.len() {
                if order[one].1.rank != order[other].1.rank || order[one].1.group == order[other].1.group {
                    continue;
                }
                let before = cost(&order, one) + cost(&order, other);
                order.swap(one, other);
                if cost(&order, one) + cost(&order, other) < before {
                    is_better = true;
                } else {
                    order.swap(one, other);
                }
            }
        }
    }
    order.into_iter().map(|(entrant, _)| entrant).collect()
}

/// Where each seed stands in a bracket of this size.
fn slots(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|seed| [*seed, last - seed]).collect();
    }
    let mut slots = vec![0; size];
    seeds.iter().enumerate().for_each(|(slot, seed)| slots[*seed] = slot);
    slots
}

/// The round in which those at these two places can meet, from 1.
fn meeting(one: usize, other: usize) -> u32 {
    usize::BITS - (one ^ other).leading_zeros()
}
