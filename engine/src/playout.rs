//! Random legal matches: for traces that other programs can check, for the laws, and for benchmarks.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::chance::{Random, Source};
use crate::erased::{Json, Kind, Match, PlayError, StartError, Step};
use crate::game::{Action, BadOptions, Game, Turn, Viewer};
use crate::record::value;
use crate::seats::{Seat, SeatSet};

/// Whoever may move or interrupt now.
pub fn may_act(turn: &Turn) -> SeatSet {
    match turn {
        Turn::Seats { to_move, interrupt } => to_move.iter().chain(interrupt.iter()).collect(),
        Turn::Chance | Turn::Over(_) => SeatSet::none(),
    }
}

/// Plays one random match of the typed game to its end, noting each action before it is carried out: how many moves were made.
///
/// # Errors
/// When the game refuses the options.
pub fn play_typed<G: Game>(
    options: &G::Options,
    seats: u8,
    source: &mut impl Source,
    mut note: impl FnMut(&Action<G::Move, G::Chance>),
) -> Result<u64, BadOptions> {
    let mut game = G::setup(options.clone(), seats)?;
    let (mut moves, mut told, mut made) = (Vec::new(), Vec::new(), 0);
    loop {
        told.clear();
        match game.turn() {
            Turn::Over(_) => return Ok(made),
            Turn::Chance => {
                let action = Action::Chance(game.draw(source));
                note(&action);
                game.apply(action, &mut told);
            }
            Turn::Seats { to_move, .. } => {
                let which = if to_move.len() == 1 { 0 } else { source.below(to_move.len() as u32) };
                let seat = to_move.iter().nth(which as usize).unwrap_or(Seat(0));
                moves.clear();
                game.legal_moves(seat, &mut moves);
                let chosen = moves.swap_remove(source.below(moves.len() as u32) as usize);
                let action = Action::Move(seat, chosen);
                note(&action);
                game.apply(action, &mut told);
                made += 1;
            }
        }
    }
}

/// One in so many moves is made by a seat that interrupts, where one may.
const INTERRUPTS: u32 = 8;
/// Before one in so many moves somebody tries one that is refused.
const REFUSED: u32 = 6;

/// A random move that may be made now.
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
    /// Of this game,
    pub kind: &'a dyn Kind,
    /// with these options,
    pub options: Value,
    /// at so many seats,
    pub seats: u8,
    /// so many matches.
    pub games: u64,
}

impl std::fmt::Debug for dyn Kind + '_ {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.info().id)
    }
}

/// Why playing out stopped.
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
    /// Plays the matches and writes each as JSON lines to `trace`, if there is one: how many moves were made.
    ///
    /// # Errors
    /// Bad options or seats, or a trace that cannot be written.
    pub fn run<R: rand::Rng>(
        &self,
        random: &mut Random<R>,
        mut trace: Option<&mut dyn Write>,
    ) -> Result<u64, PlayoutError> {
        let mut made = 0;
        for _ in 0..self.games {
            let (mut play, step) = self.kind.start(&self.options, self.seats, random)?;
            let settled = self.kind.settle_options(&self.options, self.seats).map_err(StartError::from)?;
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

    /// Somebody tries somebody's move, as it is or spoilt; it is written down if it is refused.
    fn write_refused(
        &self,
        trace: &mut dyn Write,
        play: &dyn Match,
        legal: &Value,
        source: &mut dyn Source,
    ) -> io::Result<()> {
        let seat = Seat(source.below(u32::from(self.seats)) as u8);
        let tried = spoil(legal, source);
        match play.check(seat, &tried) {
            Ok(()) => Ok(()),
            Err(code) => writeln!(trace, "{}", json!({ "seat": seat, "move": tried, "rejected": code })),
        }
    }
}

/// The move as it is, or with something about it changed.
pub fn spoil(chosen: &Value, source: &mut dyn Source) -> Value {
    let mut spoilt = chosen.clone();
    let Some(fields) = spoilt.as_object_mut() else { return spoilt };
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
    spoilt
}

/// A dealer and source of random numbers for simulations, the same for the same seed on every machine.
pub fn random(seed: u64) -> Random<rand::rngs::ChaCha8Rng> {
    use rand::SeedableRng;
    Random(rand::rngs::ChaCha8Rng::seed_from_u64(seed))
}
