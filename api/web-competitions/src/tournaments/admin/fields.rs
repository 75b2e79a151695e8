//! The fields of the form of a tournament: of which stage they are, until when they can be changed, and what they are called.

use competitions::tournaments::TournamentRow;
use web_base::page::Page;

/// What stays as it is after the start, besides the stages that have begun.
const BEFORE_START: [&str; 6] = ["rules", "title", "mode", "team_size", "seeding", "turn_seconds"];

/// What is chosen among words.
const CHOSEN: [&str; 9] =
    ["mode", "entry", "seeding", "format", "pairing", "games", "short-tables", "short-scale", "edition"];

/// The stage of which a field is.
pub(super) fn stage_of(name: &str) -> Option<usize> {
    match name.strip_prefix("tie-") {
        Some(rest) => rest.split_once('-')?.0.parse().ok(),
        None if name.starts_with("table-") => None,
        None => name.rsplit_once('-')?.1.parse().ok(),
    }
}

/// Whether a field can still be changed. Of a stage that is played that is only how many go on from it.
pub(super) fn is_open(name: &str, row: &TournamentRow) -> bool {
    if row.started_at.is_none() {
        return true;
    }
    let begun = usize::try_from(row.stage).unwrap_or(0);
    match stage_of(name) {
        Some(stage) => stage > begun || name == format!("advance-{begun}"),
        None => !BEFORE_START.contains(&name),
    }
}

/// The field without its stage.
fn kind_of(name: &str) -> &str {
    match stage_of(name) {
        Some(_) if name.starts_with("tie-") => "tie",
        Some(_) => name.rsplit_once('-').map_or(name, |(kind, _)| kind),
        None => name,
    }
}

/// What it is called on the page.
pub(super) fn label(page: &Page, name: &str) -> Option<String> {
    let key = match kind_of(name) {
        "name" => "tournament-name",
        "title" => "tournament-title",
        "mode" => "tournament-mode",
        "starts_at" => "tournament-starts",
        "check_in_until" => "tournament-check-in-until",
        "most_entrants" => "tournament-places",
        "round_minutes" => "tournament-round-minutes",
        "team_size" => "tournament-team-size",
        "turn_seconds" => "tournament-turn-seconds",
        "late_until_round" => "tournament-late",
        "entry" => "entry",
        "seeding" => "seeding",
        "format" => "tournament-format",
        "advance" => "stage-advance",
        "edition" => "edition",
        "many-groups" => "format-groups-label",
        "places" => "played-places-label",
        "tie" => {
            let (_, at) = name.rsplit_once('-')?;
            return Some(page.say("tie-break-number").with("number", at).to_string());
        }
        it @ ("points" | "scale") => return Some(page.t(&format!("scoring-{it}"))),
        it @ ("win" | "draw" | "loss" | "bye" | "missed") => return Some(page.t(&format!("worth-{it}"))),
        it @ ("games" | "games-many" | "games-last" | "short-tables" | "short-scale") => {
            return Some(page.t(&format!("{it}-label")));
        }
        it @ ("rounds" | "legs" | "least" | "most" | "going" | "minutes" | "patience" | "pairing" | "reach") => {
            return Some(page.t(&format!("format-{it}-label")));
        }
        _ => return None,
    };
    Some(page.t(key))
}

/// What is in it, as the page says that.
pub(super) fn word(page: &Page, name: &str, value: &str) -> String {
    match kind_of(name) {
        _ if value.is_empty() => String::new(),
        "starts_at" | "check_in_until" => value.replace('T', " "),
        "places" => page.t(&format!("played-places-{value}")),
        "points" => page.t(&format!("scoring-by-{value}")),
        "tie" => page.t(&format!("tie-break-{value}")),
        it if CHOSEN.contains(&it) => page.t(&format!("{it}-{value}")),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use base::text::Lang;

    use super::*;
    use crate::tournaments::samples::moments;

    #[test]
    fn fields_are_of_a_stage_or_of_the_whole() {
        let of = ["rounds-1", "games-last-3", "tie-2-12", "advance-2"].map(stage_of);
        assert_eq!(of, [Some(1), Some(3), Some(2), Some(2)]);
        for name in ["name", "check_in_until", "table-00000000-0000-0000-0000-000000000002"] {
            assert_eq!(stage_of(name), None, "{name}");
        }
    }

    #[test]
    fn what_has_begun_is_closed() {
        let mut row = moments().remove(0).row;
        (row.started_at, row.stage) = (None, 1);
        let open = |row: &TournamentRow| {
            ["name", "rules", "rounds-1", "tie-1-2", "advance-1", "format-2"].map(|name| is_open(name, row))
        };
        assert_eq!(open(&row), [true; 6]);
        row.started_at = Some(row.created_at);
        assert_eq!(open(&row), [true, false, false, false, true, true]);
        row.stage = 2;
        assert_eq!(open(&row), [true, false, false, false, false, false]);
    }

    #[test]
    fn fields_are_told_as_the_page_says_them() {
        let page = Page::sample(Lang::En);
        let told = |name: &str, value: &str| (label(&page, name).unwrap(), word(&page, name, value));
        let of_tie = ("No. 2".to_owned(), "Buchholz".to_owned());
        assert_eq!(told("tie-1-2", "buchholz"), of_tie);
        assert_eq!(told("format-2", "swiss"), ("Format".to_owned(), "Swiss".to_owned()));
        assert_eq!(told("starts_at", "2026-11-22T19:00").1, "2026-11-22 19:00");
        assert_eq!(told("win-1", ""), ("Win".to_owned(), String::new()));
        assert_eq!(label(&page, "table_ids/0"), None);
    }
}
