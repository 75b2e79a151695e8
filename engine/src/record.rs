//! The record of a finished match, and its verification, which anybody can repeat.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::catalogue;
use crate::chance::{ChanceError, Commitment, Drawing, FairDealer, Seed};
use crate::erased::{Json, Kind, Match, PlayError, StartError, Step};
use crate::game::{Outcome, Turn};
use crate::seats::Seat;
use crate::variant::VariantHash;

/// Everything needed to replay a match and to check its chance. Unknown fields are ignored.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// The match's id.
    pub match_id: String,
    /// The game's id.
    pub game: String,
    /// The revision of the game.
    pub revision: u32,
    /// All options.
    pub options: Value,
    /// The hash of game, revision and options. Old records have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_hash: Option<VariantHash>,
    /// The number of seats.
    pub seats: u8,
    /// The commitment that was published when the match was created.
    pub commitment: Commitment,
    /// The seed, secret until the match ended.
    pub seed: Seed,
    /// Per seat the nonce that its player added to the chance.
    pub nonces: Vec<Option<String>>,
    /// All moves and random outcomes, in order. An outcome comes after the move that caused it.
    pub log: Vec<Entry>,
    /// How the match ended; `None` if it was aborted.
    pub outcome: Option<Outcome>,
}

/// A move or a random outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Entry {
    /// A random outcome.
    Chance {
        /// The outcome.
        chance: Value,
        /// How it is drawn, for checkers that do not know the game; see [`Record::with_drawings`]. Old records lack it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drawn: Vec<Drawing>,
    },
    /// A seat's move.
    Move {
        /// The seat that moved.
        seat: Seat,
        /// The move.
        #[serde(rename = "move")]
        chosen: Value,
    },
}

/// Why a record is not correct.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the sentences say it")]
pub enum Flaw {
    #[error("the record is of another commitment than the one that was seen: {}", .0.to_hex())]
    OtherCommitment(Commitment),
    #[error("the commitment is not the SHA-256 of the seed: it should be {}", .0.to_hex())]
    Commitment(Commitment),
    #[error("there is no game {0:?}")]
    UnknownGame(String),
    #[error("the record is of revision {recorded}, this program plays revision {played}")]
    Revision { recorded: u32, played: u32 },
    #[error("the hash of the variant should be {}", .0.to_hex())]
    Variant(VariantHash),
    #[error("there are {0} nonces for {1} seats")]
    Nonces(usize, u8),
    #[error("the match cannot be set up: {0}")]
    Start(#[from] StartError),
    #[error("log entry {entry}: the move is refused: {why}")]
    Move { entry: usize, why: PlayError },
    #[error("log entry {entry}: the seed gives {drawn}")]
    Chance { entry: usize, drawn: Value },
    #[error("log entry {0}: the outcome is drawn in another way")]
    Drawing(usize),
    #[error("log entry {0}: an outcome that nothing called for")]
    StrayChance(usize),
    #[error("the outcome is {0}")]
    Outcome(String),
}

/// Checks that the record is of the match whose commitment somebody saw before its start. Without that a record only agrees
/// with itself.
///
/// # Errors
/// It is of another commitment.
pub fn expect_commitment(record: &Record, seen: Commitment) -> Result<(), Flaw> {
    if record.commitment == seen { Ok(()) } else { Err(Flaw::OtherCommitment(record.commitment)) }
}

/// Checks the record against its commitment, draws the random outcomes again and replays the match. Returns the final
/// match.
///
/// # Errors
/// The first entry that is not correct.
pub fn verify(record: &Record) -> Result<Box<dyn Match>, Flaw> {
    let commitment = record.seed.commitment();
    if commitment != record.commitment {
        return Err(Flaw::Commitment(commitment));
    }
    let kind = catalogue::find(&record.game).ok_or_else(|| Flaw::UnknownGame(record.game.clone()))?;
    let (recorded, played) = (record.revision, kind.info().revision);
    if recorded != played {
        return Err(Flaw::Revision { recorded, played });
    }
    let hash = VariantHash::of(&record.game, record.revision, &record.options);
    if record.variant_hash.is_some_and(|recorded| recorded != hash) {
        return Err(Flaw::Variant(hash));
    }
    if record.nonces.len() != usize::from(record.seats) {
        return Err(Flaw::Nonces(record.nonces.len(), record.seats));
    }
    let Replayed { play, drawn } = replay(record, kind)?;
    same_drawings(record, &drawn)?;
    let outcome = match play.turn() {
        Turn::Over(outcome) => Some(outcome),
        Turn::Seats { .. } | Turn::Chance => None,
    };
    match outcome == record.outcome {
        true => Ok(play),
        false => Err(Flaw::Outcome(serde_json::to_string(&outcome).unwrap_or_default())),
    }
}

impl Record {
    /// Says of each outcome how it is drawn. Of a match by rules that this program does not play it says nothing.
    #[must_use]
    pub fn with_drawings(mut self) -> Self {
        let kind = catalogue::find(&self.game).filter(|kind| kind.info().revision == self.revision);
        if let Some(Ok(replayed)) = kind.map(|kind| replay(&self, kind)) {
            let outcomes = self.log.iter_mut().filter_map(|entry| match entry {
                Entry::Chance { drawn, .. } => Some(drawn),
                Entry::Move { .. } => None,
            });
            outcomes.zip(replayed.drawn).for_each(|(drawn, noted)| *drawn = noted);
        }
        self
    }
}

/// A match as a record tells it.
struct Replayed {
    play: Box<dyn Match>,
    /// How each of its outcomes was drawn.
    drawn: Vec<Vec<Drawing>>,
}

fn replay(record: &Record, kind: &dyn Kind) -> Result<Replayed, Flaw> {
    let nonces = record.nonces.iter().map(Option::as_deref);
    let mut dealer = FairDealer::new(record.seed.clone(), nonces, 0).noting();
    let mut log = record.log.iter().enumerate();
    let (mut play, step) = kind.start(&record.options, record.seats, &mut dealer)?;
    same_chance(&step, &mut log)?;
    while let Some((entry, happened)) = log.next() {
        let Entry::Move { seat, chosen } = happened else { return Err(Flaw::StrayChance(entry)) };
        let step = play.play(*seat, chosen, &mut dealer).map_err(|why| Flaw::Move { entry, why })?;
        same_chance(&step, &mut log)?;
    }
    Ok(Replayed { play, drawn: dealer.into_drawn() })
}

fn same_drawings(record: &Record, noted: &[Vec<Drawing>]) -> Result<(), Flaw> {
    let said = record.log.iter().enumerate().filter_map(|(entry, it)| match it {
        Entry::Chance { drawn, .. } => Some((entry, drawn)),
        Entry::Move { .. } => None,
    });
    let wrong = said.zip(noted).find(|((_, drawn), noted)| !drawn.is_empty() && drawn != noted);
    wrong.map_or(Ok(()), |((entry, _), _)| Err(Flaw::Drawing(entry)))
}

fn same_chance<'a>(step: &Step, log: &mut impl Iterator<Item = (usize, &'a Entry)>) -> Result<(), Flaw> {
    for drawn in step.chance.iter().map(value) {
        match log.next() {
            Some((_, Entry::Chance { chance, .. })) if *chance == drawn => {}
            Some((entry, _)) => return Err(Flaw::Chance { entry, drawn }),
            None => return Err(Flaw::Start(ChanceError::NoneLeft.into())),
        }
    }
    Ok(())
}

/// JSON text as a value.
pub(crate) fn value(json: &Json) -> Value {
    serde_json::from_str(json.get()).unwrap_or_default()
}
