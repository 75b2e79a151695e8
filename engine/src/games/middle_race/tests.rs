//! One test per rule that no scenario shows, then the laws.

use super::*;
use crate::conformance::conforms;
use crate::erased::of;

#[test]
fn middle_race_keeps_the_laws() {
    conforms(of::<MiddleRace>());
}
