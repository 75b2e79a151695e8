//! A match under test: moves go in as JSON, views and events come out as JSON.

use std::collections::VecDeque;

use serde_json::Value;

use crate::erased::{Kind, Match, PlayError, Step, of};
use crate::game::{Game, Viewer};
use crate::playout::random;
use crate::record::value;
use crate::seats::Seat;

/// A match under test, and the events of its latest step.
#[derive(Debug)]
pub(crate) struct Table {
    play: Box<dyn Match>,
    step: Step,
}

impl Table {
    /// A new match whose set-up takes exactly these outcomes.
    pub(crate) fn new(kind: &dyn Kind, options: &Value, seats: u8, chance: Vec<Value>) -> Self {
        let mut queue = VecDeque::from(chance);
        let (play, step) = kind.start(options, seats, &mut queue).expect("the set-up is allowed");
        assert!(queue.is_empty(), "outcomes are left over: {queue:?}");
        Table { play, step }
    }

    /// A match that has come as far as this.
    pub(crate) fn at<G: Game>(game: &G) -> Self {
        let saved = serde_json::to_vec(game).expect("games serialize");
        Table { play: of::<G>().resume(&saved).expect("the state is sound"), step: Step::default() }
    }

    /// The seat makes the move; chance that follows is any.
    pub(crate) fn plays(&mut self, seat: u8, chosen: Value) -> &mut Self {
        self.step = self.play.play(Seat(seat), &chosen, &mut random(1)).unwrap_or_else(|err| panic!("{chosen}: {err}"));
        self
    }

    /// The seat makes the move, and exactly these outcomes follow.
    pub(crate) fn plays_into(&mut self, seat: u8, chosen: Value, chance: Vec<Value>) -> &mut Self {
        let mut queue = VecDeque::from(chance);
        self.step = self.play.play(Seat(seat), &chosen, &mut queue).unwrap_or_else(|err| panic!("{chosen}: {err}"));
        assert!(queue.is_empty(), "outcomes are left over: {queue:?}");
        self
    }

    /// The whole state, as it is saved.
    pub(crate) fn saved(&self) -> Value {
        serde_json::from_slice(&self.play.save()).expect("a state is JSON")
    }

    /// The move that the autopilot makes for the seat.
    pub(crate) fn autopilot(&self, seat: u8) -> Value {
        value(&self.play.autopilot(Seat(seat), &mut random(1)).expect("the seat may move"))
    }

    /// The code with which the move is refused; refusing changes nothing.
    pub(crate) fn refuses(&mut self, seat: u8, chosen: Value) -> &'static str {
        let before = self.play.save();
        match self.play.play(Seat(seat), &chosen, &mut random(1)) {
            Err(PlayError::Refused(code)) => {
                assert_eq!(self.play.save(), before, "{chosen} is refused, but changed something");
                code.0
            }
            other => panic!("{chosen} is not refused: {other:?}"),
        }
    }

    /// What spectators see.
    pub(crate) fn public(&self) -> Value {
        value(&self.play.view(Viewer::Public))
    }

    /// What the seat sees.
    pub(crate) fn seen_by(&self, seat: u8) -> Value {
        value(&self.play.view(Viewer::Seat(Seat(seat))))
    }

    /// What the seat may do.
    pub(crate) fn legal(&self, seat: u8) -> Vec<Value> {
        self.play.legal_moves(Seat(seat)).iter().map(value).collect()
    }

    /// May the seat do this?
    pub(crate) fn may(&self, seat: u8, chosen: &Value) -> bool {
        let listed = self.legal(seat).contains(chosen);
        assert_eq!(
            self.play.check(Seat(seat), chosen).is_ok(),
            listed,
            "{chosen} is listed or not, but not so checked"
        );
        listed
    }

    /// The events of the latest step that spectators are told.
    pub(crate) fn public_events(&self) -> Vec<Value> {
        self.step.events_for(Viewer::Public).map(value).collect()
    }

    /// The events of the latest step that the seat is told.
    pub(crate) fn events_for(&self, seat: u8) -> Vec<Value> {
        self.step.events_for(Viewer::Seat(Seat(seat))).map(value).collect()
    }
}

/// The types of events, in order.
pub(crate) fn types(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["type"].as_str()).collect()
}
