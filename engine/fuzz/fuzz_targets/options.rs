//! Any JSON as options: refused with a code, or a match starts.
#![no_main]

use engine_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let (kind, seats) = bytes.game();
    let defaults = kind.normalize_options(&serde_json::json!({}), seats).expect("the defaults are allowed");
    let options = bytes.json(defaults);
    let random = &mut engine::playout::random(0);
    match kind.normalize_options(&options, seats) {
        Ok(normal) => {
            assert_eq!(kind.normalize_options(&normal, seats).as_ref(), Ok(&normal));
            kind.start(&options, seats, random).expect("what can be normalized can be started");
        }
        Err(err) => {
            assert_eq!(err.code(), "invalid_options");
            kind.start(&options, seats, random).expect_err("what cannot be normalized cannot be started");
        }
    }
});
