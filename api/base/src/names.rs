//! How things and people are found by name: by any part of it, and in Korean also by initial consonants, so that ㅍㄹㄷ, 페ㄹ도 and a
//! half-typed 페룯 all find 페루도. A plain consonant stands for the tense one too: ㄱㅊ finds 까치.

use diesel::dsl::sql;
use diesel::expression::BoxableExpression;
use diesel::pg::Pg;
use diesel::sql_types::{Bool, Nullable, Text};
use unicode_normalization::UnicodeNormalization;

/// As `folded` of the database and the column `titles.search_text` fold names: the first so many into `FOLDED`, and none of the rest is kept.
const FROM: &str = "áàâäãéèêëíìîïóòôöõúùûüñç -_.,:;!?'\"’“”·()&/";
const FOLDED: &str = "aaaaaeeeeiiiiooooouuuunc";

const INITIALS: [char; 19] =
    ['ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'];
/// The tense consonants, each after its plain one in `INITIALS`.
const TENSE: [char; 5] = ['ㄲ', 'ㄸ', 'ㅃ', 'ㅆ', 'ㅉ'];
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
    let letters = letters(asked);
    let (last, others) = letters.split_last()?;
    Some(others.iter().map(|letter| exact(*letter)).chain([begun(*last)]).collect())
}

/// What names that hold this begin their syllables with, as `initials` of the database has it. None where the text as it stands finds
/// them: nothing in it is an initial consonant alone, nor half a syllable.
pub fn initials(asked: &str) -> Option<String> {
    let letters = letters(asked);
    let ends_half = letters.len() > 1 && letters.last().is_some_and(|last| final_of(*last).is_some_and(|at| at > 0));
    let stands_alone = |letter: &char| INITIALS.contains(letter);
    (ends_half || letters.iter().any(stands_alone)).then(|| letters.into_iter().map(plain).collect())
}

/// Whether this name holds what is asked for, as `pattern` finds it.
pub fn holds(name: &str, asked: &str) -> bool {
    let name: Vec<char> = fold(name).chars().collect();
    let letters = letters(asked);
    let Some((last, others)) = letters.split_last() else { return false };
    (0..name.len()).any(|from| {
        let rest = name.get(from..).unwrap_or_default();
        let begins = others.iter().zip(rest).filter(|(asked, letter)| stands_for(**asked, **letter)).count();
        begins == others.len() && rest.get(begins..).is_some_and(|rest| begins_with(rest, *last))
    })
}

/// The same of a column of names, by functions of the database. All its rows are looked at: for tables of which a café has few rows.
pub fn column_holds<Table>(column: &'static str, asked: &str) -> Box<dyn BoxableExpression<Table, Pg, SqlType = Bool>> {
    let as_it_stands = sql::<Bool>("(position(search_key(").bind::<Text, _>(asked.to_owned());
    let as_it_stands = as_it_stands.sql(&format!(") IN search_key({column})) > 0"));
    let by_initials = as_it_stands.sql(&format!(" OR folded({column}) COLLATE \"C\" ~ "));
    Box::new(by_initials.bind::<Nullable<Text>, _>(pattern(asked)).sql(")"))
}

/// A name without what does not tell people apart: case, accents, blanks and marks.
pub fn fold(name: &str) -> String {
    let folded = |letter: char| match FROM.chars().position(|it| it == letter) {
        Some(at) => FOLDED.chars().nth(at),
        None => Some(letter),
    };
    name.nfc().flat_map(char::to_lowercase).filter_map(folded).collect()
}

fn letters(asked: &str) -> Vec<char> {
    fold(asked).chars().flat_map(apart).collect()
}

fn apart(letter: char) -> Vec<char> {
    let pair = PAIRS.iter().find(|(both, ..)| *both == letter);
    pair.map_or(vec![letter], |(_, first, second)| vec![*first, *second])
}

/// The letter itself, or any syllable that begins with it or with its tense twin.
fn exact(letter: char) -> String {
    match syllables_of(letter) {
        Some((first, last)) => {
            let twin = twin(letter).map_or_else(String::new, String::from);
            format!("[{letter}{twin}{}]", span(first, last))
        }
        None if letter.is_ascii() && !letter.is_ascii_alphanumeric() => format!("\\{letter}"),
        None => letter.to_string(),
    }
}

fn stands_for(asked: char, letter: char) -> bool {
    let is_among = |(first, last)| (first..=last).contains(&u32::from(letter));
    asked == letter || twin(asked) == Some(letter) || syllables_of(asked).is_some_and(is_among)
}

/// The same for the letter that is still being typed: more may come to its syllable, and its last consonant may yet
/// begin the next.
fn begun(letter: char) -> String {
    match half_of(letter) {
        Half::Whole => exact(letter),
        Half::Open { first, last } => format!("[{}]", span(first, last)),
        Half::Closed { kept, next } => format!("(?:{letter}|{kept}{})", exact(next)),
    }
}

fn begins_with(name: &[char], asked: char) -> bool {
    let Some(first) = name.first().copied() else { return false };
    match half_of(asked) {
        Half::Whole => stands_for(asked, first),
        Half::Open { first: from, last } => (from..=last).contains(&u32::from(first)),
        Half::Closed { kept, next } => {
            first == asked || first == kept && name.get(1).is_some_and(|it| stands_for(next, *it))
        }
    }
}

/// What a letter that is still being typed may become.
enum Half {
    /// It is no syllable.
    Whole,
    /// Any of these syllables.
    Open { first: u32, last: u32 },
    /// It stays, or its last consonant begins the next syllable.
    Closed { kept: char, next: char },
}

fn half_of(letter: char) -> Half {
    let Some(last) = final_of(letter) else { return Half::Whole };
    let open = u32::from(letter) - last;
    if last == 0 {
        return Half::Open { first: open, last: open + FINAL_COUNT - 1 };
    }
    let last = FINALS.get(last as usize).copied().unwrap_or(' ');
    let (kept, next) = match PAIRS.iter().find(|(both, ..)| *both == last) {
        Some((_, first, second)) => (FINALS.iter().position(|it| it == first).unwrap_or(0), *second),
        None => (0, last),
    };
    let kept = char::from_u32(open + u32::try_from(kept).unwrap_or(0)).unwrap_or(letter);
    Half::Closed { kept, next }
}

/// Which of `FINALS` ends this syllable.
fn final_of(letter: char) -> Option<u32> {
    let code = u32::from(letter);
    (FIRST_SYLLABLE..=LAST_SYLLABLE).contains(&code).then(|| (code - FIRST_SYLLABLE) % FINAL_COUNT)
}

/// The first and the last of the syllables that an initial consonant stands for.
fn syllables_of(letter: char) -> Option<(u32, u32)> {
    let at = u32::try_from(INITIALS.iter().position(|it| *it == letter)?).ok()?;
    let count = if twin(letter).is_some() { 2 } else { 1 };
    let first = FIRST_SYLLABLE + at * VOWEL_COUNT * FINAL_COUNT;
    Some((first, first + count * VOWEL_COUNT * FINAL_COUNT - 1))
}

/// The tense consonant of a plain one.
fn twin(letter: char) -> Option<char> {
    let at = INITIALS.iter().position(|it| *it == letter)?;
    INITIALS.get(at + 1).copied().filter(|next| TENSE.contains(next))
}

/// What `initials` of the database makes of a letter.
fn plain(letter: char) -> char {
    let code = u32::from(letter);
    let syllable = (FIRST_SYLLABLE..=LAST_SYLLABLE).contains(&code);
    let at = match syllable {
        true => Some(((code - FIRST_SYLLABLE) / (VOWEL_COUNT * FINAL_COUNT)) as usize),
        false => INITIALS.iter().position(|it| *it == letter),
    };
    let initial = at.and_then(|at| INITIALS.get(at).copied().map(|it| (at, it)));
    match initial {
        Some((at, it)) if TENSE.contains(&it) => INITIALS.get(at.saturating_sub(1)).copied().unwrap_or(it),
        Some((_, it)) => it,
        None => letter,
    }
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
        assert_eq!(of("ㅍㄹㄷ"), "[ㅍ파-핗][ㄹ라-맇][ㄷㄸ다-띻]");
        assert_eq!(of("페ㄹ도"), "페[ㄹ라-맇][도-돟]");
        // Both ends of the alphabet.
        assert_eq!(of("ㄱㅎ"), "[ㄱㄲ가-낗][ㅎ하-힣]");
    }

    #[test]
    fn what_keyboards_put_together_is_taken_apart() {
        assert_eq!(of("ㄳ"), of("ㄱㅅ"));
        assert_eq!(of("ㅄㄷ"), of("ㅂㅅㄷ"));
    }

    #[test]
    fn a_syllable_may_still_be_typed() {
        assert_eq!(of("페루"), "페[루-뤃]");
        assert_eq!(of("페룯"), "페(?:룯|루[ㄷㄸ다-띻])");
        assert_eq!(of("닭"), "(?:닭|달[ㄱㄲ가-낗])");
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
    fn a_plain_consonant_stands_for_the_tense_one_too_and_not_the_other_way() {
        assert!(holds("까치", "ㄱㅊ") && holds("까치", "ㄲㅊ") && holds("빵집", "ㅂㅈ"));
        assert!(!holds("가치", "ㄲㅊ") && !holds("까치", "가치"));
    }

    #[test]
    fn a_name_is_held_as_the_expression_finds_it() {
        for (name, asked) in [
            ("페루도", "ㅍㄹㄷ"),
            ("페루도", "페ㄹ도"),
            ("페루도", "페룯"),
            ("페루도", "루"),
            ("강예린", "강옐"),
            ("강예린", "예ㄹ"),
            ("닭갈비", "닭"),
            ("달구지", "닭"),
            ("Crow's Nest", "crow's n"),
            ("창가 1", "창가1"),
            ("Édith", "edi"),
        ] {
            assert!(holds(name, asked), "{asked} in {name}");
        }
        for (name, asked) in [
            ("페루도", "ㅍㄷ"),
            ("강예린", "강예림"),
            ("Crow's Nest", " "),
            ("창가 1", "창가 2"),
            ("a", "%"),
            ("", "a"),
        ] {
            assert!(!holds(name, asked), "{asked} in {name}");
        }
    }

    #[test]
    fn only_what_the_text_alone_does_not_find_is_looked_for_by_initials() {
        let of = |asked| initials(asked).unwrap_or_default();
        assert_eq!((of("ㄱㅇㄹ"), of("강ㅇ"), of("강옐")), ("ㄱㅇㄹ".into(), "ㄱㅇ".into(), "ㄱㅇ".into()));
        assert_eq!((of("ㄲㅊ"), of("Kim ㅁ"), of("ㄳ")), ("ㄱㅊ".into(), "kimㅁ".into(), "ㄱㅅ".into()));
        for whole in ["강예", "김", "edith", "", "%"] {
            assert_eq!(initials(whole), None, "{whole}");
        }
    }

    #[test]
    fn the_database_folds_alike() {
        let folding = format!("'{}', '{FOLDED}'", FROM.replace('\'', "''"));
        for migration in [
            include_str!("../../../migrations/2026-11-24-000006_library/up.sql"),
            include_str!("../../../migrations/2026-12-01-000040_initials/up.sql"),
        ] {
            assert!(migration.contains(&folding));
        }
    }
}
