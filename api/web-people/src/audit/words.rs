//! Every action that the log knows, so that it can be told in words and filtered by.

/// In the order of the filter. Each has a sentence `action-<action>`, with a dash for the dot, in the catalogues.
pub(super) const ACTIONS: &[&str] = &[
    "table.create",
    "table.change",
    "sitting.open",
    "sitting.close",
    "sitting.move",
    "sitting.merge",
    "sitting.remove",
    "sitting.welcome",
    "sitting.closing",
    "sitting.stay",
    "sitting.resize",
    "sitting.extend",
    "call.hear",
    "call.settle",
    "day.close",
    "shift_note.write",
    "shift_note.read",
    "waiting.add",
    "waiting.call",
    "waiting.seat",
    "waiting.no_show",
    "waiting.gone",
    "waiting.new_code",
    "match.make",
    "table.order",
    "table.plan",
    "table.out",
    "table.back",
    "table.new_code",
    "table.archive",
    "table.restore",
    "floor.undo",
    "match.invite",
    "match.uninvite",
    "match.start",
    "match.abort",
    "match.withdraw",
    "match.reveal",
    "match.hide",
    "match.remove_player",
    "match.offer_seat",
    "match.seat_bot",
    "match.remove_bot",
    "match.confirm_result",
    "match.correct_result",
    "variant.create",
    "variant.change",
    "variant.version",
    "variant.publish",
    "variant.retire",
    "variant.try",
    "variant.lab",
    "variant.lab_cancel",
    "tournament.create",
    "tournament.change",
    "tournament.open_registration",
    "tournament.open_check_in",
    "tournament.start",
    "tournament.next_stage",
    "tournament.finish",
    "tournament.cancel",
    "tournament.enter",
    "tournament.add_entrant",
    "tournament.add_entrants",
    "tournament.check_in",
    "tournament.take_back_check_in",
    "tournament.drop_entrant",
    "tournament.no_show",
    "tournament.reinstate",
    "tournament.seed",
    "tournament.rate_entrant",
    "tournament.set_rulings",
    "tournament.set_team",
    "tournament.set_table_need",
    "tournament.pair",
    "tournament.discard",
    "tournament.swap",
    "tournament.lock_bout",
    "tournament.publish",
    "tournament.withdraw_round",
    "tournament.start_round",
    "tournament.add_minutes",
    "tournament.pause_clock",
    "tournament.resume_clock",
    "tournament.break",
    "tournament.table",
    "tournament.pair_free",
    "tournament.pause_entrant",
    "tournament.resume_entrant",
    "tournament.pause_arena",
    "tournament.resume_arena",
    "tournament.end_arena",
    "tournament.result",
    "tournament.results",
    "tournament.correct",
    "tournament.play_again",
    "tournament.undo",
    "tournament.remove_sandbox",
    "series.create",
    "series.change",
    "series.put_event",
    "series.remove_event",
    "series.set_person",
    "series.end",
    "series.delete",
    "title.create",
    "title.change",
    "title.archive",
    "title.restore",
    "copy.create",
    "copy.change",
    "copy.lend",
    "copy.carry",
    "copy.take_back",
    "copy.check_in",
    "copy.repair",
    "copy.lose",
    "copy.find",
    "copy.undo",
    "note.add",
    "note.settle",
    "note.open",
    "player.delete",
    "player.rename",
    "player.sign_out",
    "player.confirm_phone",
    "player.refuse_phone",
    "player.ban",
    "player.lift_ban",
    "player.merge",
    "player.forget_guests",
    "door.sign_in",
    "door.wrong_password",
    "door.wrong_code",
    "door.refused",
    "staff.add",
    "key.create",
    "key.revoke",
    "webhook.create",
    "webhook.change",
    "webhook.delete",
    "webhook.test",
    "webhook.resend",
    "staff.invite",
    "staff.invitation_withdrawn",
    "staff.join",
    "staff.role",
    "staff.remove",
    "staff.sign_out",
    "staff.password_link",
    "staff.password",
    "staff.second_factor_on",
    "staff.second_factor_off",
    "staff.second_factor_reset",
    "cafe.change",
    "cafe.logo",
    "cafe.sheets",
    "cafe.tariff",
    "cafe.opening",
    "stats.export",
    "sitting.export",
    "audit.export",
    "audit.check",
    "audit.accept",
    "house.backup",
    "house.backup_request",
    "house.restore",
    "house.secret_rotate",
    "house.secret_forget",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use base::text::Lang;
    use web_base::page::action_key;

    /// What stands in quotes and reads like an action: two words and a dot, and no file's name.
    fn actions_in(source: &str) -> impl Iterator<Item = &str> {
        const NO_ACTIONS: [&str; 4] = [".css", ".js", ".svg", ".txt"];
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|it| it.is_ascii_lowercase() || it == '_');
        let quoted =
            source.split('"').filter(move |text| text.split_once('.').is_some_and(|(a, b)| is_word(a) && is_word(b)));
        quoted.filter(|text| !NO_ACTIONS.iter().any(|ending| text.ends_with(ending)))
    }

    fn collect(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            // A file that records, itself or by a helper of its room.
            if source.contains("audit::{") || source.contains("record(conn") || path.ends_with("audit/words.rs") {
                let code = source.split("#[cfg(test)]").next().unwrap();
                found.extend(actions_in(code).map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_action_in_the_source_is_listed_and_has_words() {
        let mut found = BTreeSet::new();
        collect(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")), &mut found);
        let listed: BTreeSet<String> = ACTIONS.iter().map(|action| (*action).to_owned()).collect();
        let unlisted: Vec<_> = found.difference(&listed).collect();
        assert!(unlisted.is_empty(), "audit/words.rs does not list {unlisted:?}");
        for action in ACTIONS {
            assert!(Lang::Ko.find_with(&action_key(action), &[]).is_some(), "no catalogue has {}", action_key(action));
        }
    }
}
