//! Any JSON as a move of any seat: refused with a known code and without a change, or carried out.
#![no_main]

use engine::{PlayError, Refusal, Seat, Source};
use engine_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let (kind, seats) = bytes.game();
    let (mut play, _) = bytes.play(kind, seats);
    let seat = Seat(bytes.below(u32::from(seats) + 3) as u8);
    let legal = (0..seats).map(Seat).flat_map(|seat| play.legal_moves(seat)).collect::<Vec<_>>();
    let like = match legal.len() {
        0 => serde_json::Value::Null,
        many => serde_json::from_str(legal[bytes.below(many as u32) as usize].get()).expect("a move is JSON"),
    };
    let chosen = bytes.json(like);
    let before = play.save();
    match play.play(seat, &chosen, &mut engine::playout::random(1)) {
        Ok(_) => drop(kind.resume(&play.save()).expect("what was saved is resumed")),
        Err(PlayError::Refused(code)) => {
            let own = kind.info().refusals;
            assert!(Refusal::COMMON.contains(&code) || own.contains(&code.0), "unknown code {code}");
            assert_eq!(play.save(), before);
        }
        Err(PlayError::Chance(err)) => panic!("a generator has every outcome: {err}"),
    }
});
