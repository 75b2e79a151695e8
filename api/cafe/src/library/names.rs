//! How titles are found by name: by any part of it in any language, and in Korean also by initial consonants, so that
//! ㅍㄹㄷ, 페ㄹ도 and a half-typed 페룯 all find 페루도.

use unicode_normalization::UnicodeNormalization;

/// As the column `titles.search_text` folds names: the first so many into `FOLDED`, and none of the rest is kept.
const FROM: &str = "áàâäãéèêëíìîïóòôöõúùûüñç -_.,:;!?'\"’“”·()&/";
const FOLDED: &str = "aaaaaeeeeiiiiooooouuuunc";

const INITIALS: [char; 19] =
    ['ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'];
/// The consonants that may end a syllable, in the order of their code points; the first place is for none.
const FINALS: [char; 28] = [
    ' ', 'ㄱ', 'ㄲ', 'ㄳ', 'ㄴ', 'ㄵ', 'ㄶ', 'ㄷ', 'ㄹ', 'ㄺ', 'ㄻ', 'ㄼ', 'ㄽ', 'ㄾ', 'ㄿ', 'ㅀ', 'ㅁ', 'ㅂ', 'ㅄ',
    'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ',
];
/// Two consonants that keyboards put into one sign.
const PAIRS: [(char, char, char); 11] = [
    ('ㄳ', 'ㄱ', 'ㅅ'),
    ('ㄵ', 'ㄴ', 'ㅈ'),
    ('ㄶ', 'ㄴ', 'ㅎ'),
    ('ㄺ', 'ㄹ', 'ㄱ'),
    ('ㄻ', 'ㄹ', 'ㅁ'),
    ('ㄼ', 'ㄹ', 'ㅂ'),
    ('ㄽ', 'ㄹ', 'ㅅ'),
    ('ㄾ', 'ㄹ', 'ㅌ'),
    ('ㄿ', 'ㄹ', 'ㅍ'),
    ('ㅀ', 'ㄹ', 'ㅎ'),
    ('ㅄ', 'ㅂ', 'ㅅ'),
];
const FIRST_SYLLABLE: u32 = 0xAC00;
const LAST_SYLLABLE: u32 = 0xD7A3;
const FINAL_COUNT: u32 = 28;
const VOWEL_COUNT: u32 = 21;

/// The regular expression that finds names which hold this, in a column that is folded. None if nothing is asked for.
pub fn pattern(asked: &str) -> Option<String> {
    let letters: Vec<char> = fold(asked).chars().flat_map(apart).collect();
    let (last, others) = letters.split_last()?;
    Some(others.iter().map(|letter| exact(*letter)).chain([begun(*last)]).collect())
}

fn fold(name: &str) -> String {
    let folded = |letter: char| match FROM.chars().position(|it| it == letter) {
        Some(at) => FOLDED.chars().nth(at),
        None => Some(letter),
    };
    name.nfc().flat_map(char::to_lowercase).filter_map(folded).collect()
}

fn apart(letter: char) -> Vec<char> {
    let pair = PAIRS.iter().find(|(both, ..)| *both == letter);
    pair.map_or(vec![letter], |(_, first, second)| vec![*first, *second])
}

/// The letter itself, or any syllable that begins with it.
fn exact(letter: char) -> String {
    match INITIALS.iter().position(|it| *it == letter).and_then(|at| u32::try_from(at).ok()) {
        Some(at) => {
            let first = FIRST_SYLLABLE + at * VOWEL_COUNT * FINAL_COUNT;
            format!("[{letter}{}]", span(first, first + VOWEL_COUNT * FINAL_COUNT - 1))
        }
        None if letter.is_ascii() && !letter.is_ascii_alphanumeric() => format!("\\{letter}"),
        None => letter.to_string(),
    }
}

/// The same for the letter that is still being typed: more may come to its syllable, and its last consonant may yet
/// begin the next.
fn begun(letter: char) -> String {
    let code = u32::from(letter);
    if !(FIRST_SYLLABLE..=LAST_SYLLABLE).contains(&code) {
        return exact(letter);
    }
    let last = (code - FIRST_SYLLABLE) % FINAL_COUNT;
    let open = code - last;
    if last == 0 {
        return format!("[{}]", span(open, open + FINAL_COUNT - 1));
    }
    let last = FINALS.get(last as usize).copied().unwrap_or(' ');
    let (kept, next) = match PAIRS.iter().find(|(both, ..)| *both == last) {
        Some((_, first, second)) => (FINALS.iter().position(|it| it == first).unwrap_or(0), *second),
        None => (0, last),
    };
    let kept = char::from_u32(open + u32::try_from(kept).unwrap_or(0)).unwrap_or(letter);
    format!("(?:{letter}|{kept}{})", exact(next))
}

fn span(first: u32, last: u32) -> String {
    let letter = |code| char::from_u32(code).unwrap_or(' ');
    format!("{}-{}", letter(first), letter(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(asked: &str) -> String {
        pattern(asked).unwrap_or_default()
    }

    #[test]
    fn an_initial_consonant_stands_for_all_its_syllables() {
        assert_eq!(of("ㅍㄹㄷ"), "[ㅍ파-핗][ㄹ라-맇][ㄷ다-딯]");
        assert_eq!(of("페ㄹ도"), "페[ㄹ라-맇][도-돟]");
        // Both ends of the alphabet.
        assert_eq!(of("ㄱㅎ"), "[ㄱ가-깋][ㅎ하-힣]");
    }

    #[test]
    fn what_keyboards_put_together_is_taken_apart() {
        assert_eq!(of("ㄳ"), of("ㄱㅅ"));
        assert_eq!(of("ㅄㄷ"), of("ㅂㅅㄷ"));
    }

    #[test]
    fn a_syllable_may_still_be_typed() {
        assert_eq!(of("페루"), "페[루-뤃]");
        assert_eq!(of("페룯"), "페(?:룯|루[ㄷ다-딯])");
        assert_eq!(of("닭"), "(?:닭|달[ㄱ가-깋])");
        assert_eq!(of("강아"), "강[아-앟]");
    }

    #[test]
    fn case_accents_spaces_and_marks_do_not_matter() {
        assert_eq!(of(" Édición-PIRATA"), "edicionpirata");
        assert_eq!(of("Dead Man’s"), of("deadmans"));
        assert_eq!(of("e\u{301}"), "e");
        assert_eq!(pattern(" ?! "), None);
    }

    #[test]
    fn nothing_in_it_is_an_expression() {
        assert_eq!(of("a*[b]\\d|$^{1}+"), r"a\*\[b\]\\d\|\$\^\{1\}\+");
    }

    #[test]
    fn the_column_folds_alike() {
        let migration = include_str!("../../../../migrations/2026-11-24-000006_library/up.sql");
        assert!(migration.contains(&format!("'{}', '{FOLDED}'", FROM.replace('\'', "''"))));
    }
}
