//! Time-based one-time passwords (RFC 6238): six digits, SHA-1, thirty seconds, as every authenticator app has them.

use data_encoding::BASE32_NOPAD;
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use totp_rs::{Builder, Totp};

pub const SECRET_LENGTH: usize = 20;
const STEP_SECONDS: i64 = 30;
/// Clocks differ, and people type slowly.
const STEPS_EITHER_WAY: i64 = 1;
/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The step that this code belongs to, if that is a current step after `last`.
pub fn step_of(secret: &[u8], code: &str, now: Timestamp, last: i64) -> Option<i64> {
    let totp = totp(secret)?;
    let current = now.as_second() / STEP_SECONDS;
    let mut steps = (current - STEPS_EITHER_WAY..=current + STEPS_EITHER_WAY).filter(|step| *step > last);
    steps.find(|step| second(*step).is_some_and(|second| totp.check(code, second).is_some()))
}

/// Checks a code against one step: which steps are allowed depends on the last one that was used.
fn totp(secret: &[u8]) -> Option<Totp> {
    let secret: [u8; SECRET_LENGTH] = secret.try_into().ok()?;
    Builder::new().with_secret(secret).with_skew(0).build().ok()
}

fn second(step: i64) -> Option<u64> {
    u64::try_from(step * STEP_SECONDS).ok()
}

/// The letters of a secret that people type.
pub fn base32(bytes: &[u8]) -> String {
    BASE32_NOPAD.encode(bytes)
}

/// The address in the QR code.
pub fn uri(secret: &[u8], cafe: &str, account: &str) -> String {
    let (cafe, account) = (utf8_percent_encode(cafe, RESERVED), utf8_percent_encode(account, RESERVED));
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
            let totp = totp(SECRET).unwrap();
            assert_eq!(totp.generate(second).to_string(), expected);
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
