//! What must hold of all templates: every text is in the catalogues and nothing else speaks, nothing is inline.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const LONGEST_LINE: usize = 140;

fn root(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)
}

fn read_all(folder: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(read_all(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

fn templates() -> Vec<(PathBuf, String)> {
    read_all(&root("templates"), ".html")
}

fn keys_in(texts: &[(PathBuf, String)]) -> BTreeSet<&str> {
    let lines = texts.iter().flat_map(|(_, text)| text.lines());
    lines.filter_map(|line| line.split_once(" =")).map(|(key, _)| key).filter(|key| is_key(key)).collect()
}

fn catalogues() -> Vec<(PathBuf, String)> {
    read_all(&root("templates/text/ko"), ".ftl")
}

fn is_key(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_lowercase())
        && text.chars().all(|it| it.is_ascii_alphanumeric() || "-_".contains(it))
}

/// The first argument of each call of these.
fn called_with<'a>(text: &'a str, call: &str) -> Vec<&'a str> {
    text.split(call).skip(1).filter_map(|rest| rest.split('"').next()).filter(|key| is_key(key)).collect()
}

/// What a reader sees: without tags, statements and expressions.
fn spoken(html: &str) -> String {
    let mut rest = html.to_owned();
    // The layout's slot for a class.
    for (open, close) in [("{% block kind %}", "{% endblock %}"), ("{#", "#}"), ("{%", "%}"), ("{{", "}}"), ("<", ">")]
    {
        let mut kept = String::new();
        let mut left = rest.as_str();
        while let Some((before, after)) = left.split_once(open) {
            kept.push_str(before);
            kept.push(' ');
            left = after.split_once(close).map_or("", |(_, after)| after);
        }
        kept.push_str(left);
        rest = kept;
    }
    rest
}

#[test]
fn templates_ask_for_texts_that_are_there() {
    let (catalogues, templates) = (catalogues(), templates());
    let known = keys_in(&catalogues);
    for (path, text) in &templates {
        for key in [".t(\"", ".say(\"", ".text(\""].into_iter().flat_map(|call| called_with(text, call)) {
            assert!(known.contains(key), "{}: no text {key}", path.display());
        }
    }
}

#[test]
fn rust_asks_for_texts_that_are_there() {
    let catalogues = catalogues();
    let known = keys_in(&catalogues);
    for (path, text) in read_all(&root("api"), ".rs") {
        for key in ["page.t(\"", "page.say(\"", "self.t(\"", "self.say(\"", "lang.text(\""]
            .into_iter()
            .flat_map(|call| called_with(&text, call))
        {
            assert!(known.contains(key), "{}: no text {key}", path.display());
        }
    }
}

/// The words that replace the slots of a text which Rust or a template puts together, if it can make this key.
fn filled<'a>(composed: &[&str], key: &'a str) -> Option<Vec<&'a str>> {
    let (first, slots) = composed.split_first()?;
    let mut rest = key.strip_prefix(first)?;
    let mut words = Vec::new();
    for (at, part) in slots.iter().enumerate() {
        let is_last = at + 1 == slots.len();
        let end = if is_last { rest.strip_suffix(part)?.len() } else { rest.find(part)? };
        words.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    rest.is_empty().then_some(words)
}

/// What `format!` and `concat` put together: the fixed parts, with slots between them.
fn composed(literal: &str) -> Option<Vec<&str>> {
    let mut parts: Vec<_> = literal.split('{').map(|it| it.split_once('}').map_or(it, |(_, after)| after)).collect();
    let fixed = parts.concat();
    if literal.ends_with('-') {
        parts.push("");
    }
    let is_part_of_key = fixed.trim_matches(['-', '_']).len() > 1 && is_key(&fixed.replace('-', "a"));
    (parts.len() > 1 && is_part_of_key).then_some(parts)
}

#[test]
fn every_text_is_used() {
    let mut sources = templates();
    for (folder, ending) in [("api", ".rs"), ("engine/src", ".rs"), ("templates/static", ".js")] {
        sources.extend(read_all(&root(folder), ending));
    }
    let quoted: BTreeSet<&str> = sources.iter().flat_map(|(_, text)| text.split(['"', '\''])).collect();
    let put_together: Vec<_> = quoted.iter().filter_map(|literal| composed(literal)).collect();
    // Names of variants are in camel case, and in snake case where they are told.
    let words = sources.iter().flat_map(|(_, text)| text.split(|it: char| !it.is_alphanumeric()));
    let words: BTreeSet<String> = words.map(str::to_lowercase).collect();
    let is_named = |word: &str| {
        let word = word.to_lowercase();
        let bare = word.replace(['-', '_'], "");
        words.contains(&bare) || word.split(['-', '_']).all(|part| words.contains(part))
    };
    // A kind and a name of that kind, both named somewhere.
    let is_of_kind = |key: &str| {
        key.match_indices('-').any(|(at, _)| quoted.contains(&key[..at]) && quoted.contains(&key[at + 1..]))
    };
    for key in keys_in(&catalogues()) {
        let can_be_made =
            || put_together.iter().filter_map(|it| filled(it, key)).any(|it| it.into_iter().all(is_named));
        assert!(quoted.contains(key) || can_be_made() || is_of_kind(key), "nothing uses {key}");
    }
}

#[test]
fn templates_speak_through_the_catalogues_only() {
    for (path, text) in templates() {
        let said = spoken(&text);
        // The names of keys on a keyboard are the same in every language.
        let words: Vec<_> =
            said.split_whitespace().filter(|word| word.chars().filter(|it| it.is_alphabetic()).count() > 1).collect();
        assert!(words.is_empty(), "{} says {words:?}", path.display());
        for attribute in ["aria-label=\"", "title=\"", "alt=\"", "placeholder=\""] {
            for value in text.split(attribute).skip(1) {
                // An empty one says that a picture is for decoration.
                assert!(
                    value.starts_with("{{") || value.starts_with('"'),
                    "{}: {attribute}{}",
                    path.display(),
                    &value[..value.len().min(40)]
                );
            }
        }
    }
}

#[test]
fn nothing_is_inline() {
    for (path, text) in templates() {
        for inline in
            [" style=", "<style", "<script>", " onclick=", " onchange=", " onsubmit=", "hx-on", "javascript:", " js:"]
        {
            assert!(!text.contains(inline), "{} holds {inline:?}", path.display());
        }
    }
}

#[test]
fn lines_fit_a_review() {
    for (path, text) in templates() {
        for (number, line) in text.lines().enumerate() {
            let length = line.chars().count();
            assert!(length <= LONGEST_LINE, "{}:{}: {length} characters", path.display(), number + 1);
        }
    }
}

#[test]
fn every_page_has_a_sample() {
    let sources = read_all(&root("api"), ".rs");
    let mut missing = Vec::new();
    for (path, _) in templates().iter().filter(|(_, text)| text.contains("{% extends")) {
        let name = path.strip_prefix(root("templates")).unwrap().to_string_lossy();
        let derived = format!("#[template(path = \"{name}\"");
        let found = sources.iter().find_map(|(_, source)| Some((source, source.split_once(&derived)?.1)));
        let (source, rest) = found.unwrap_or_else(|| panic!("no type draws {name}"));
        let page = rest.split_once("struct ").unwrap().1.split(|it: char| !it.is_alphanumeric()).next().unwrap();
        let tests = source.split_once("\nmod tests {").map_or("", |(_, tests)| tests);
        let is_drawn = [" {", "::"].iter().any(|it| tests.contains(&format!("{page}{it}")));
        if !(is_drawn && tests.contains("samples::check(")) {
            missing.push(format!("{name}: {page}"));
        }
    }
    assert!(missing.is_empty(), "no unit test draws these pages for samples::check: {missing:#?}");
}

#[test]
fn what_is_said_is_told_from_markup() {
    assert_eq!(
        spoken("<p class=\"a\">{{ page.t(\"x\") }} Hi {% if a %}there{% endif %}</p>")
            .split_whitespace()
            .collect::<Vec<_>>(),
        ["Hi", "there"]
    );
}
