//! Names that look alike. Anybody may be called anything, so where two at one table would be mixed up, a tag tells them
//! apart.

use unicode_normalization::UnicodeNormalization;

use base::ids::PlayerId;
use base::inputs::is_blank;

/// As many of an id's last digits, which are its random ones; more where those are the same by chance.
const TAG_LENGTH: usize = 4;

/// For each of these people a tag, if another of them has a name that looks like theirs.
pub fn tags(people: &[(PlayerId, &str)]) -> Vec<Option<String>> {
    let looks: Vec<String> = people.iter().map(|(_, name)| look(name)).collect();
    let tag = |(at, (id, _)): (usize, &(PlayerId, &str))| {
        let alike = || (0..people.len()).filter(|other| *other != at && looks[*other] == looks[at]);
        alike().next()?;
        let tells_apart =
            |length: &usize| alike().all(|other| ending(people[other].0, *length) != ending(*id, *length));
        (TAG_LENGTH..=32).find(tells_apart).map(|length| ending(*id, length))
    };
    people.iter().enumerate().map(tag).collect()
}

/// The tag of an account as staff see it where it stands alone.
pub fn tag(id: PlayerId) -> String {
    ending(id, TAG_LENGTH)
}

fn ending(id: PlayerId, length: usize) -> String {
    let digits = id.0.simple().to_string().to_uppercase();
    digits[digits.len() - length..].to_owned()
}

/// What the eye makes of a name: compatibility forms, case, spaces, letters that show nothing, and the commonest twins between alphabets aside.
fn look(name: &str) -> String {
    // Lower case of upper case: that is what makes ß and ss, σ and ς the same.
    let folded = name.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc();
    folded.filter(|it| !it.is_whitespace() && !is_blank(*it)).map(twin).collect()
}

/// The Latin letter that this one is taken for.
fn twin(it: char) -> char {
    match it {
        '0' | 'о' | 'ο' | 'օ' => 'o',
        '1' | 'i' | '|' | 'ı' | 'і' | 'ι' | 'ӏ' | '!' => 'l',
        '5' | 'ѕ' => 's',
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'е' | 'ε' => 'e',
        'н' | 'һ' => 'h',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' | 'μ' => 'm',
        'ν' => 'v',
        'р' | 'ρ' => 'p',
        'т' | 'τ' => 't',
        'у' | 'υ' | 'ү' => 'y',
        'х' | 'χ' => 'x',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn tagged(names: &[&str]) -> Vec<bool> {
        let people = names.iter().zip(0x1000..).map(|(name, id)| (PlayerId(Uuid::from_u128(id)), *name));
        tags(&people.collect::<Vec<_>>()).iter().map(Option::is_some).collect()
    }

    #[test]
    fn names_that_look_alike_are_tagged_and_others_are_not() {
        assert_eq!(tagged(&["Mina", "하늘", "mina"]), [true, false, true]);
        for twins in [
            ["Mina", "ＭＩＮＡ"],
            ["Bob", "B0b"],
            ["Paul", "Раul"],
            ["Straße", "STRASSE"],
            ["il", "1I"],
            ["하늘", "하 늘"],
            ["Σίσυφος", "σίσυφοσ"],
            ["Ana", "Ana\u{3164}"],
            ["Ana", "A\u{2800}na"],
            ["Ana", "An\u{34f}a\u{1160}"],
        ] {
            assert_eq!(tagged(&twins), [true, true], "{twins:?}");
        }
        for others in [["하늘", "하는"], ["Ana", "Aña"], ["Bea", "Bee"], ["李", "季"]] {
            assert_eq!(tagged(&others), [false, false], "{others:?}");
        }
    }

    #[test]
    fn tags_of_one_table_differ_even_where_ids_end_alike() {
        let people = [(PlayerId(Uuid::from_u128(0x1_abcd)), "A"), (PlayerId(Uuid::from_u128(0x2_abcd)), "a")];
        assert_eq!(tags(&people), [Some("1ABCD".to_owned()), Some("2ABCD".to_owned())]);
    }
}
