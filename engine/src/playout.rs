//! Random legal matches: for traces that other programs check, for conformance tests and for benchmarks.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::chance::{Random, Source};
use crate::erased::{Json, Kind, Match, PlayError, StartError, Step};
use crate::game::{Action, BadOptions, Game, Turn, Viewer};
use crate::record::value;
use crate::seats::{Seat, SeatSet};

/// The seats that may move or interrupt now.
pub fn may_act(turn: &Turn) -> SeatSet {
    match turn {
        Turn::Seats { to_move, interrupt } => to_move.iter().chain(interrupt.iter()).collect(),
        Turn::Chance | Turn::Over(_) => SeatSet::none(),
    }
}

/// Plays one random match of a typed game to its end and returns the number of moves. `note` sees each action first.
///
/// # Errors
/// The game refuses the options.
pub fn play_typed<G: Game>(
    options: &G::Options,
    seats: u8,
    source: &mut impl Source,
    mut note: impl FnMut(&Action<G::Move, G::Chance>),
) -> Result<u64, BadOptions> {
    let mut game = G::setup(options.clone(), seats)?;
    let (mut moves, mut events, mut made) = (Vec::new(), Vec::new(), 0);
    loop {
        events.clear();
        match game.turn() {
            Turn::Over(_) => return Ok(made),
            Turn::Chance => {
                let action = Action::Chance(game.draw(source));
                note(&action);
                game.apply(action, &mut events);
            }
            Turn::Seats { to_move, .. } => {
                let which = if to_move.len() == 1 { 0 } else { source.below(to_move.len() as u32) };
                let seat = to_move.iter().nth(which as usize).unwrap_or(Seat(0));
                moves.clear();
                game.legal_moves(seat, &mut moves);
                let chosen = moves.swap_remove(source.below(moves.len() as u32) as usize);
                let action = Action::Move(seat, chosen);
                note(&action);
                game.apply(action, &mut events);
                made += 1;
            }
        }
    }
}

/// If seats may interrupt, one of this many moves is an interruption.
const INTERRUPTS: u32 = 8;
/// Before one of this many moves, a seat tries an illegal move.
const REFUSED: u32 = 6;

/// Chooses a random legal move.
pub fn random_move(play: &dyn Match, source: &mut dyn Source) -> Option<(Seat, Json)> {
    let Turn::Seats { to_move, interrupt } = play.turn() else { return None };
    let who = if !interrupt.is_empty() && source.below(INTERRUPTS) == 0 { interrupt } else { to_move };
    let seat = who.iter().nth(source.below(who.len() as u32) as usize)?;
    let mut moves = play.legal_moves(seat);
    (!moves.is_empty()).then(|| (seat, moves.swap_remove(source.below(moves.len() as u32) as usize)))
}

/// How many random matches of a game to play.
#[derive(Clone, Debug)]
pub struct Playouts<'a> {
    /// The game.
    pub kind: &'a dyn Kind,
    /// The options.
    pub options: Value,
    /// The number of seats.
    pub seats: u8,
    /// The number of matches.
    pub games: u64,
}

impl std::fmt::Debug for dyn Kind + '_ {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.info().id)
    }
}

/// Why playing random matches stopped.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the causes say it")]
pub enum PlayoutError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl Playouts<'_> {
    /// Plays the matches, writes each as JSON lines to `trace`, if given, and returns the number of moves.
    ///
    /// # Errors
    /// The options or the number of seats are refused, or the trace cannot be written.
    pub fn run<R: rand::Rng>(
        &self,
        random: &mut Random<R>,
        mut trace: Option<&mut dyn Write>,
    ) -> Result<u64, PlayoutError> {
        let mut made = 0;
        for _ in 0..self.games {
            let (mut play, step) = self.kind.start(&self.options, self.seats, random)?;
            let settled = self.kind.normalize_options(&self.options, self.seats).map_err(StartError::from)?;
            if let Some(trace) = trace.as_deref_mut() {
                let header = json!({ "game": self.kind.info().id, "options": settled, "seats": self.seats });
                writeln!(trace, "{header}")?;
                self.write_state(trace, &step, None, play.as_ref())?;
            }
            while let Some((seat, chosen)) = random_move(play.as_ref(), random) {
                if let Some(trace) = trace.as_deref_mut()
                    && random.below(REFUSED) == 0
                {
                    self.write_refused(trace, play.as_ref(), &value(&chosen), random)?;
                }
                let chosen = value(&chosen);
                let step = play.play(seat, &chosen, random)?;
                made += 1;
                if let Some(trace) = trace.as_deref_mut() {
                    self.write_state(trace, &step, Some((seat, chosen)), play.as_ref())?;
                }
            }
        }
        Ok(made)
    }

    fn write_state(
        &self,
        trace: &mut dyn Write,
        step: &Step,
        made: Option<(Seat, Value)>,
        play: &dyn Match,
    ) -> io::Result<()> {
        for chance in &step.chance {
            writeln!(trace, r#"{{"chance":{chance}}}"#)?;
        }
        if let Some((seat, chosen)) = made {
            writeln!(trace, "{}", json!({ "seat": seat, "move": chosen }))?;
        }
        for viewer in Viewer::all(self.seats) {
            let looks = viewer.seat().map_or(json!("public"), |seat| json!(seat));
            writeln!(trace, r#"{{"view":{{"as":{looks},"value":{}}}}}"#, play.view(viewer))?;
        }
        for seat in may_act(&play.turn()).iter() {
            let moves = play.legal_moves(seat);
            writeln!(trace, "{}", json!({ "legal": { "seat": seat, "value": moves } }))?;
        }
        Ok(())
    }

    /// A random seat tries the legal move of another seat, perhaps with a mutation. If the move is refused, it goes to
    /// the trace.
    fn write_refused(
        &self,
        trace: &mut dyn Write,
        play: &dyn Match,
        legal: &Value,
        source: &mut dyn Source,
    ) -> io::Result<()> {
        let seat = Seat(source.below(u32::from(self.seats)) as u8);
        let tried = mutate(legal, source);
        match play.check(seat, &tried) {
            Ok(()) => Ok(()),
            Err(code) => writeln!(trace, "{}", json!({ "seat": seat, "move": tried, "rejected": code })),
        }
    }
}

/// Mutates a move at random, or returns it unchanged.
pub fn mutate(chosen: &Value, source: &mut dyn Source) -> Value {
    let mut mutated = chosen.clone();
    let Some(fields) = mutated.as_object_mut() else { return mutated };
    let field = fields.keys().nth(source.below(fields.len() as u32) as usize).cloned().unwrap_or_default();
    match source.below(8) {
        0 => {
            fields.remove(&field);
        }
        1 => {
            fields.insert("extra".into(), json!(1));
        }
        2 => {
            fields.insert(field, [json!(null), json!("x"), json!(1.5), json!([])][source.below(4) as usize].clone());
        }
        3 | 4 => {
            if let Some(number) = fields.values_mut().find(|it| it.is_u64()) {
                *number = json!(source.below(30));
            }
        }
        5 => {
            return [json!(7), json!("draw"), json!(null), json!({"type": "no_such_move"})][source.below(4) as usize]
                .clone();
        }
        _ => {}
    }
    mutated
}

/// A seeded generator for simulations: the same numbers for the same seed on every machine.
pub fn random(seed: u64) -> Random<rand::rngs::ChaCha8Rng> {
    use rand::SeedableRng;
    Random(rand::rngs::ChaCha8Rng::seed_from_u64(seed))
}
