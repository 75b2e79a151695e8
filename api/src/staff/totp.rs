//! Time-based one-time passwords (RFC 6238): six digits, SHA-1, thirty seconds, as every authenticator app has them.

use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha1::Sha1;
use subtle::ConstantTimeEq;

pub(super) const SECRET_LENGTH: usize = 20;
const STEP_SECONDS: i64 = 30;
/// Clocks differ, and people type slowly.
const STEPS_EITHER_WAY: i64 = 1;
const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The step that this code belongs to, if it is one of now and of a step after `last`.
pub(super) fn step_of(secret: &[u8], code: &str, now: Timestamp, last: i64) -> Option<i64> {
    let current = now.as_second() / STEP_SECONDS;
    let steps = current - STEPS_EITHER_WAY..=current + STEPS_EITHER_WAY;
    steps.filter(|step| *step > last).find(|step| self::code(secret, *step).as_bytes().ct_eq(code.as_bytes()).into())
}

fn code(secret: &[u8], step: i64) -> String {
    let mac = match <Hmac<Sha1> as KeyInit>::new_from_slice(secret) {
        Ok(mac) => mac.chain_update(step.to_be_bytes()).finalize().into_bytes(),
        Err(err) => unreachable!("a key of an HMAC may have any length: {err}"),
    };
    let offset = usize::from(mac[19] & 0xf);
    let word = mac[offset..offset + 4].iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
    format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
}

/// As authenticator apps take it when it is typed.
pub(super) fn base32(bytes: &[u8]) -> String {
    let bits = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect::<Vec<_>>();
    bits.chunks(5)
        .map(|five| {
            let index = (0..5).fold(0, |index, bit| index << 1 | usize::from(five.get(bit).copied().unwrap_or(0)));
            char::from(ALPHABET[index])
        })
        .collect()
}

/// What the square picture says.
pub(super) fn uri(secret: &[u8], cafe: &str, account: &str) -> String {
    let encode = |text: &str| -> String {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            })
            .collect()
    };
    let (cafe, account) = (encode(cafe), encode(account));
    format!("otpauth://totp/{cafe}:{account}?secret={}&issuer={cafe}", base32(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, whose codes have eight digits.
    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_standard() {
        for (second, expected) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")]
        {
            assert_eq!(code(SECRET, second / STEP_SECONDS), expected);
        }
    }

    #[test]
    fn a_code_is_good_for_its_time_and_once() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(step_of(SECRET, "287082", at(59), 0), Some(1));
        assert_eq!(step_of(SECRET, "287082", at(89), 0), Some(1));
        assert_eq!(step_of(SECRET, "287082", at(90), 0), None);
        assert_eq!(step_of(SECRET, "287082", at(59), 1), None);
        for wrong in ["", "287083", "28708", "2870820", "💥"] {
            assert_eq!(step_of(SECRET, wrong, at(59), 0), None);
        }
    }

    #[test]
    fn a_secret_is_typed_in_base32() {
        // RFC 4648, without padding.
        assert_eq!(base32(b"foobar"), "MZXW6YTBOI");
        assert_eq!(base32(b"fooba"), "MZXW6YTB");
        assert_eq!(uri(b"fooba", "A b", "c@d"), "otpauth://totp/A%20b:c%40d?secret=MZXW6YTB&issuer=A%20b");
    }
}
