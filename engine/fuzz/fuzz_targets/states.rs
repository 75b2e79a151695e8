//! Any JSON as a saved state: refused, or the match can be asked everything and played to its end.
#![no_main]

use engine::{Source, playout, tampering};
use engine_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let (kind, seats) = bytes.game();
    let (play, _) = bytes.play(kind, seats);
    let seed = u64::from(bytes.below(1 << 16));
    let saved = serde_json::from_slice(&play.save()).expect("a state is JSON");
    tampering::try_state(kind, bytes.json(saved).to_string().as_bytes(), &mut playout::random(seed));
});
