//! The order of seats at a table. Each seat goes to the entrant who had it least often; the first seat counts most.

use super::history::{BoutResult, History};
use super::lots::lot;
use super::stage::Stage;

/// The weight of the first seat; other seats weigh 1.
const FIRST: u64 = 16;

/// Puts the entrants in the order of their seats for that round. The order balances best who sat where; lots decide
/// between equal orders. The search covers all seats for all subsets of entrants.
pub(super) fn seated(entrants: &[u32], round: u16, stage: &Stage, history: &History) -> Vec<u32> {
    let many = entrants.len();
    let cost = |who: usize, seat: usize| {
        let times =
            history.of(entrants[who]).iter().filter(|it| it.result != BoutResult::Bye && it.seat == seat).count()
                as u64;
        let uneven = times * if seat == 0 { FIRST } else { 1 };
        let purpose = u64::from(round) << 8 | seat as u64;
        (uneven << 32) + (lot(stage.draw, purpose, entrants[who]) >> 40)
    };
    let costs: Vec<Vec<u64>> = (0..many).map(|who| (0..many).map(|seat| cost(who, seat)).collect()).collect();
    // The cheapest way to fill the first seats with each set of entrants, and who then has the last of them.
    let mut best = vec![(u64::MAX, 0); 1 << many];
    best[0] = (0, 0);
    for set in 1..best.len() {
        let seat = set.count_ones() as usize - 1;
        let last = (0..many).filter(|who| set >> who & 1 == 1);
        let filled = last.map(|who| (best[set & !(1 << who)].0 + costs[who][seat], who));
        best[set] = filled.min().unwrap_or((u64::MAX, 0));
    }
    let mut order = Vec::with_capacity(many);
    let mut set = best.len() - 1;
    while set != 0 {
        let who = best[set].1;
        order.push(entrants[who]);
        set &= !(1 << who);
    }
    order.reverse();
    order
}
