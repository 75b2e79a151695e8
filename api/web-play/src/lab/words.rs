//! What the lab finds, in words.

use base::games::words::{option_label, word};
use base::text::Lang;
use cafe::lab::Lab;
use cafe::lab::verdict::Verdict;
use engine::lab::{Change, Share};
use serde::Serialize;
use utoipa::ToSchema;

use web_base::page::Say;

/// One sentence of what the lab says.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = LabSentence)]
pub(crate) struct Sentence {
    #[schema(example = "length")]
    pub code: &'static str,
    /// In the caller's language.
    #[schema(example = "A match takes about 25 minutes, 4 more than by the basic rules.")]
    pub text: String,
    /// Whether it is a reason to think again before guests play by these rules.
    pub warning: bool,
}

/// What the lab says of a version, in the order of what matters.
pub(crate) fn sentences(lang: Lang, lab: &Lab) -> Vec<Sentence> {
    let (Some(report), Some(seconds)) = (&lab.report, lab.seconds_per_move) else { return Vec::new() };
    let verdicts = cafe::lab::verdict::verdicts(report, seconds);
    let sentence = |it: &Verdict| Sentence { code: it.code(), text: text(lang, lab, it), warning: it.is_warning() };
    verdicts.iter().map(sentence).collect()
}

fn text(lang: Lang, lab: &Lab, verdict: &Verdict) -> String {
    let game = lab.variant.game.as_str();
    let say = |key: &str| Say::new(lang, key);
    match verdict {
        Verdict::Length { minutes, more } => match more {
            0 => say("lab-says-length").with("minutes", *minutes),
            1.. => say("lab-says-longer").with("minutes", *minutes).with("by", *more).with("other", other(lang, lab)),
            ..0 => say("lab-says-shorter").with("minutes", *minutes).with("by", -more).with("other", other(lang, lab)),
        },
        Verdict::Endless { share } => say("lab-says-endless").with("share", percent(lang, *share)),
        Verdict::Place { place, share, fair } => {
            let key = if *place == 1 { "lab-says-first" } else { "lab-says-place" };
            say(key).with("place", *place).with("share", percent(lang, *share)).with("fair", percent(lang, *fair))
        }
        Verdict::Even => say("lab-says-even"),
        Verdict::Role { role, share, fair } => say("lab-says-role")
            .with("role", word(lang, game, role))
            .with("share", percent(lang, *share))
            .with("fair", percent(lang, *fair)),
        Verdict::Out { share } => say("lab-says-out").with("share", percent(lang, *share)),
        Verdict::Forced { share } => say("lab-says-forced").with("share", percent(lang, *share)),
        Verdict::Ties { share } => say("lab-says-ties").with("share", percent(lang, *share)),
        Verdict::Skill { share, fair } => {
            say("lab-says-skill").with("share", percent(lang, *share)).with("fair", percent(lang, *fair))
        }
        Verdict::Luck { fair } => say("lab-says-luck").with("fair", percent(lang, *fair)),
        Verdict::Idle { option } => say("lab-says-idle").with("option", option_label(lang, game, option)),
        Verdict::Unused { chosen } => say("lab-says-unused").with("move", move_name(lang, game, chosen)),
        Verdict::Rough { precision } => say("lab-says-rough").with("points", lang.up_to(precision * 100.0, 1)),
    }
    .to_string()
}

/// What it is compared with.
pub(super) fn other(lang: Lang, lab: &Lab) -> String {
    match lab.from {
        Some(number) => Say::new(lang, "rules-version").with("number", number).to_string(),
        None => lang.text("lab-basic"),
    }
}

/// A part of a whole, with a decimal where it has one.
pub(super) fn percent(lang: Lang, share: f64) -> String {
    let is_whole = (share * 1000.0).round() % 10.0 == 0.0;
    lang.percent(share, if is_whole { 0 } else { 1 })
}

/// With where it lies.
pub(super) fn interval(lang: Lang, share: &Share) -> String {
    let percent = |share| percent(lang, share);
    let said = Say::new(lang, "stats-share-of").with("share", percent(share.share));
    said.with("from", percent(share.low)).with("until", percent(share.high)).to_string()
}

/// How much more it is, if that is sure; `scale` makes percent of shares.
pub(super) fn change(lang: Lang, change: &Change, scale: f64) -> String {
    if !change.is_shown() || (change.mean * scale * 10.0).round() == 0.0 {
        return lang.text("lab-no-difference");
    }
    let number = |number: f64| lang.up_to(number * scale, 1);
    let plus = if change.mean > 0.0 { "+" } else { "" };
    format!("{plus}{} ({} – {})", number(change.mean), number(change.low), number(change.high))
}

pub(super) fn move_name(lang: Lang, game: &str, chosen: &str) -> String {
    lang.find_with(&format!("{game}-move-{chosen}"), &[]).unwrap_or_else(|| chosen.replace('_', " "))
}
