//! The short codes that people read from a screen or a table and type in.

use crate::world::World;

/// No vowels (no accidental words) and no look-alike characters.
const CODE_LETTERS: &[u8] = b"23456789BCDFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH: usize = 6;

/// A code as the database keeps it, in capital letters, from what people typed.
pub fn normal_code(typed: &str) -> String {
    typed.trim().to_ascii_uppercase()
}

/// A new code for a match, a table or a tournament.
pub fn new_code(world: &World) -> String {
    let many = CODE_LETTERS.len();
    let mut code = String::with_capacity(CODE_LENGTH);
    while code.len() < CODE_LENGTH {
        // Bytes past the last whole round are skipped, so that all letters are equally likely.
        let fair = world.bytes::<16>().into_iter().map(usize::from).filter(|byte| *byte < 256 / many * many);
        code.extend(fair.take(CODE_LENGTH - code.len()).map(|byte| char::from(CODE_LETTERS[byte % many])));
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_six_letters_that_cannot_be_mistaken() {
        let codes: Vec<String> = (0..50).map(|_| new_code(&World::real())).collect();
        assert!(codes.iter().all(|code| code.len() == 6 && code.bytes().all(|it| CODE_LETTERS.contains(&it))));
        assert!(codes.iter().any(|code| *code != codes[0]));
        assert_eq!(normal_code(" abc234 "), "ABC234");
    }
}
