//! The codes with which each operation may refuse a request. End-to-end tests hold every refusal that they see to these lists, and
//! `docs/errors.md` explains each code.

/// All codes by the status that comes with them. One code has two: `unknown_game` is a 404 in an address, a 422 in a body.
pub(super) const STATUSES: &[(u16, &str)] = &[
    (400, "bad_request body_broken_off invalid_body invalid_idempotency_key invalid_query weak_idempotency_key"),
    (
        401,
        "invalid_refresh_token invalid_token not_signed_in second_factor_lost second_factor_required session_ended token_expired \
         wrong_code wrong_credentials",
    ),
    (
        403,
        "banned claim_looked claim_own confirmed_phone cross_site entry_by_staff forbidden https_required join_token_invalid not_at_table not_for_keys not_seated own_bout \
         phone_of_staff plays_here removed_from_party resigned sandbox_only wrong_entry_code wrong_password",
    ),
    (
        404,
        "bout_not_found call_not_found claim_not_found copy_not_found delivery_not_found entrant_not_found key_not_found match_not_found \
         not_found note_not_found player_not_found result_not_found round_not_found series_not_found session_not_found shift_note_not_found sitting_not_found \
         staff_link_invalid staff_not_found stage_not_found step_not_found table_not_found title_not_found tournament_not_found \
         undo_not_found unknown_game unknown_route variant_not_found version_not_found waiting_door_not_found waiting_not_found \
         webhook_not_found",
    ),
    (405, "method_not_allowed"),
    (408, "body_timeout"),
    (
        409,
        "already_registered already_seated arena_over backups_off bout_locked bout_not_over bout_over bouts_open busy call_over cannot_undo \
         check_in_not_open check_in_over claim_over claim_registered claim_unanswered claim_waits claims_exhausted \
         copy_in_repair copy_in_return copy_lost copy_on_shelf copy_on_table draft_changed draft_outdated \
         email_taken entered_already entrant_out equals_at_line following_changed guest_banned has_looked \
         idempotency_key_in_use last_owner last_stage match_full match_never_started match_not_over match_not_running \
         match_not_scored match_not_waiting match_of_tournament match_over match_scored met_in_event met_in_match met_in_tournament \
         no_arena no_bot_there no_way_back not_a_guest not_in_format not_registered not_shown_yet nothing_drafted nothing_to_undo only_bots \
         other_revision others_go_on outcome_unknown pairings_follow plan_changed played_since player_gone player_of_match plays_without_teams points_not_in_format reactions_off \
         registration_over result_confirmed result_replaced round_drafted round_not_published round_not_running round_over round_published \
         round_started round_without_clock same_party same_player seat_given_up seat_not_left seat_taken seats_open second_factor_first series_changed \
         series_continued series_empty series_ended series_not_draft \
         sitting_full sitting_over stage_not_over stage_over stage_unfit swap_conflicts table_closing table_has_bout table_held \
         table_name_taken table_occupied table_out_of_service table_too_small team_full teams_unfit title_game_taken title_name_taken title_on_table \
         too_late_to_enter too_many_copies too_many_events too_many_invitations too_many_keys too_many_results too_many_rounds too_many_tables \
         too_many_titles too_many_versions too_many_waiting_matches too_many_webhooks tournament_changed tournament_full \
         tournament_not_running tournament_over tournament_started undo_expired undo_used unpairable variant_name_taken \
         variant_not_published variant_outdated variant_retired version_conflict version_is_final version_unchanged waiting_called \
         waiting_door_shut waiting_list_full waiting_over webhook_off works_here",
    ),
    (413, "body_too_large"),
    (415, "unsupported_media_type"),
    (
        422,
        "entrant_not_paired idempotency_key_reused invalid_fields invalid_options invalid_seat invalid_seats options_of_variant \
         sheet_too_long sheet_unreadable sheet_without_names unknown_mode unknown_player unknown_table unknown_variant",
    ),
    (429, "too_many_requests too_many_streams"),
    (500, "internal"),
    (503, "storage_full streams_full unavailable"),
];

/// What any operation may answer.
pub(super) const ANYWHERE: &str = "bad_request internal unavailable storage_full https_required cross_site unknown_route \
    method_not_allowed not_for_keys sandbox_only";

/// What all operations at addresses that begin so may answer.
pub(super) const BY_PATH: &[(&str, &str)] = &[
    ("/api/v1/matches/{id}", "match_not_found"),
    ("/api/v1/matches/by-code", "match_not_found"),
    ("/api/v1/players/{id}", "player_not_found"),
    ("/api/v1/tables/{id}", "table_not_found"),
    ("/api/v1/tables/by-code", "table_not_found"),
    ("/t/{code}", "table_not_found"),
    ("/api/v1/sittings/{id}", "sitting_not_found not_at_table"),
    ("/api/v1/calls/{id}", "call_not_found call_over not_at_table"),
    ("/api/v1/claims/{id}", "claim_not_found claim_over not_at_table"),
    ("/api/v1/claims/by-token", "claim_not_found"),
    ("/api/v1/shift-notes/{id}", "shift_note_not_found"),
    ("/api/v1/waiting/{id}", "waiting_not_found waiting_over"),
    ("/api/v1/waiting/by-token", "waiting_not_found"),
    ("/api/v1/waiting/by-code", "waiting_door_not_found"),
    ("/api/v1/undos/{id}", "undo_not_found undo_used undo_expired cannot_undo"),
    ("/api/v1/library/titles/{id}", "title_not_found"),
    ("/api/v1/library/copies/{id}", "copy_not_found"),
    ("/api/v1/library/notes/{id}", "note_not_found copy_not_found"),
    ("/api/v1/variants/{id}", "variant_not_found version_not_found"),
    ("/api/v1/tournaments/{id}", "tournament_not_found"),
    ("/api/v1/tournaments/by-code", "tournament_not_found"),
    ("/api/v1/tournaments/{id}/stages/{stage}", "stage_not_found"),
    ("/api/v1/tournaments/{id}/stages/{stage}/rounds/{round}", "round_not_found"),
    ("/api/v1/tournaments/{id}/stages/{stage}/bouts/{bout}", "bout_not_found round_not_published"),
    ("/api/v1/tournaments/{id}/entrants/{number}", "entrant_not_found"),
    ("/api/v1/tournaments/{id}/entrants/me", "entrant_not_found"),
    ("/api/v1/series/{id}", "series_not_found"),
    ("/api/v1/series/by-code", "series_not_found"),
    ("/api/v1/staff/{id}", "staff_not_found"),
    ("/api/v1/stats", "invalid_fields"),
    ("/api/v1/webhooks/{id}", "webhook_not_found"),
    ("/api/v1/webhooks/{id}/deliveries/{delivery}", "delivery_not_found"),
    ("/api/v1/games/{game}", "unknown_game"),
    ("/api/v1/leaderboards/{game}", "unknown_game"),
];

/// What every change of a tournament may answer.
pub(super) const TOURNAMENT_CHANGE: &str =
    "tournament_changed tournament_over tournament_started tournament_not_running";

/// What single operations may answer beyond that.
pub(super) const BY_OPERATION: &[(&str, &str)] = &[
    ("create_guest", "banned"),
    ("log_in", "wrong_credentials banned second_factor_lost second_factor_required wrong_code"),
    ("log_out", "invalid_refresh_token not_signed_in"),
    ("refresh_session", "invalid_refresh_token banned"),
    ("register_player", "already_registered email_taken banned not_signed_in"),
    ("change_password", "wrong_password not_registered"),
    ("delete_me", "wrong_password last_owner"),
    ("end_session", "session_not_found"),
    ("change_cafe", "second_factor_first"),
    ("find_rules", "variant_not_found version_not_found"),
    ("ban_player", "plays_here works_here"),
    (
        "plan_merge",
        "claim_looked guest_banned has_looked met_in_match met_in_tournament not_a_guest player_gone plays_here \
         same_player",
    ),
    (
        "merge_player",
        "claim_looked guest_banned has_looked met_in_match met_in_tournament not_a_guest player_gone plays_here \
         same_player unknown_player",
    ),
    (
        "create_match",
        "busy invalid_options invalid_seats not_at_table options_of_variant sitting_over table_closing table_out_of_service \
         too_many_waiting_matches unknown_game unknown_mode unknown_table unknown_variant variant_outdated variant_retired",
    ),
    ("find_match", "too_many_streams streams_full"),
    (
        "take_seat",
        "already_seated confirmed_phone forbidden has_looked invalid_seat match_full match_not_waiting match_of_tournament \
         match_over match_scored not_at_table player_of_match plays_here resigned seat_given_up seat_not_left seat_taken \
         sitting_over other_revision",
    ),
    ("leave_seat", "match_not_waiting match_of_tournament not_seated"),
    ("remove_bot", "forbidden plays_here invalid_seat match_not_waiting no_bot_there"),
    (
        "start_match",
        "forbidden match_not_waiting match_over only_bots seats_open not_seated match_of_tournament other_revision",
    ),
    ("abort_match", "forbidden match_over match_of_tournament plays_here"),
    ("resign_match", "match_not_running match_scored not_seated match_over resigned match_of_tournament"),
    ("take_seat_back", "has_looked match_not_running match_scored not_seated seat_given_up match_over confirmed_phone"),
    (
        "play_move",
        "match_not_running match_over match_scored not_seated other_revision resigned version_conflict busy confirmed_phone",
    ),
    ("find_view", "match_not_running match_scored not_seated other_revision too_many_streams streams_full"),
    ("list_events", "match_not_over forbidden invalid_seat not_seated not_shown_yet"),
    (
        "replay_match",
        "match_never_started match_not_over match_not_running match_scored not_shown_yet other_revision version_not_found \
         invalid_seat forbidden",
    ),
    ("stream_match", "other_revision too_many_streams streams_full not_shown_yet"),
    ("send_reaction", "match_over not_seated reactions_off"),
    ("find_record", "match_never_started match_not_over match_scored"),
    (
        "create_rematch",
        "already_seated forbidden has_looked invalid_options invalid_seat invalid_seats match_full match_not_over \
         match_not_waiting match_of_tournament not_at_table not_seated other_revision seat_taken sitting_over table_closing \
         table_out_of_service too_many_waiting_matches unknown_game unknown_variant variant_retired",
    ),
    (
        "remove_player",
        "invalid_seat match_not_running match_scored plays_here seat_not_left confirmed_phone match_over",
    ),
    (
        "offer_seat",
        "has_looked invalid_seat match_not_running match_scored player_of_match plays_here seat_not_left unknown_player \
         confirmed_phone match_over",
    ),
    (
        "report_result",
        "forbidden match_not_running match_not_scored match_over not_seated result_confirmed too_many_results plays_here",
    ),
    (
        "confirm_result",
        "forbidden match_not_running match_not_scored match_over not_seated result_confirmed result_not_found result_replaced \
         too_many_results plays_here",
    ),
    ("list_invitations", "forbidden"),
    ("create_invitation", "forbidden match_over too_many_invitations unknown_player match_not_waiting"),
    ("delete_invitation", "forbidden"),
    ("create_staff_invitation", "email_taken"),
    ("withdraw_invitation", "staff_link_invalid"),
    ("change_staff", "last_owner"),
    ("request_backup", "backups_off"),
    ("save_floor_plan", "plan_changed"),
    ("create_key", "too_many_keys"),
    ("revoke_key", "key_not_found"),
    ("create_title", "title_game_taken title_name_taken too_many_titles too_many_copies"),
    ("change_title", "title_game_taken title_name_taken"),
    ("archive_title", "title_on_table"),
    ("restore_title", "title_game_taken title_name_taken"),
    ("add_copy", "too_many_copies"),
    ("change_copy", "copy_in_repair copy_in_return copy_lost copy_on_shelf copy_on_table"),
    (
        "move_copy",
        "copy_in_repair copy_in_return copy_lost copy_on_shelf copy_on_table nothing_to_undo cannot_undo undo_expired undo_used \
         sitting_not_found sitting_over table_not_found table_out_of_service unknown_table title_not_found",
    ),
    (
        "import_library",
        "sheet_too_long sheet_unreadable sheet_without_names title_game_taken title_name_taken too_many_copies too_many_titles",
    ),
    ("create_table", "table_name_taken too_many_tables"),
    ("change_table", "table_name_taken table_occupied"),
    (
        "scan_table",
        "busy forbidden table_held removed_from_party sitting_full table_closing table_out_of_service sitting_over",
    ),
    ("join_sitting", "join_token_invalid removed_from_party sitting_full table_closing sitting_over"),
    ("open_sitting", "table_held table_occupied table_out_of_service"),
    ("change_sitting", "sitting_over table_held table_occupied table_out_of_service unknown_table table_not_found"),
    ("close_sitting", "sitting_over"),
    ("remove_member", "sitting_over player_not_found"),
    ("merge_sittings", "sitting_over same_party"),
    ("create_call", "sitting_over"),
    (
        "create_claim",
        "banned claim_own claim_registered claim_waits claims_exhausted not_at_table phone_of_staff player_not_found",
    ),
    ("answer_claim", "claim_looked claim_own plays_here"),
    ("take_claim", "banned claim_over claim_registered claim_unanswered"),
    ("add_waiting", "waiting_list_full"),
    ("change_waiting", "waiting_called"),
    ("seat_waiting", "table_held table_not_found table_occupied table_out_of_service"),
    ("join_waiting", "waiting_door_shut waiting_list_full"),
    ("leave_waiting", "waiting_over"),
    ("undo", "table_name_taken table_occupied table_out_of_service"),
    ("create_variant", "unknown_game variant_name_taken invalid_options invalid_seats"),
    ("change_variant", "variant_name_taken version_is_final invalid_options invalid_seats variant_retired"),
    ("create_variant_version", "invalid_options invalid_seats too_many_versions version_unchanged variant_retired"),
    ("publish_variant", "variant_name_taken variant_outdated variant_retired"),
    ("ask_lab", "variant_outdated invalid_seats"),
    ("find_lab", "variant_outdated invalid_seats"),
    ("cancel_lab", "variant_outdated invalid_seats"),
    (
        "create_tournament",
        "invalid_options invalid_seats options_of_variant unknown_game unknown_mode unknown_variant unknown_table \
         variant_not_published variant_retired variant_outdated",
    ),
    (
        "copy_tournament",
        "invalid_options invalid_seats unknown_game unknown_variant variant_not_published variant_retired \
         variant_outdated",
    ),
    (
        "change_tournament",
        "invalid_options invalid_seats options_of_variant unknown_game unknown_mode unknown_variant unknown_table \
         variant_not_published variant_retired variant_outdated",
    ),
    ("start_tournament", "stage_unfit teams_unfit"),
    ("pair_tournament", "equals_at_line bouts_open stage_over too_many_rounds unpairable round_drafted"),
    ("preview_pairing", "bouts_open stage_over tournament_not_running tournament_over unpairable"),
    ("discard_tournament_draft", "nothing_drafted"),
    ("lock_bout", "pairings_follow round_published"),
    ("unlock_bout", "pairings_follow round_published"),
    (
        "swap_entrants",
        "bout_locked draft_changed nothing_drafted pairings_follow entrant_not_paired swap_conflicts unpairable",
    ),
    ("undo_tournament_step", "no_way_back others_go_on own_bout played_since step_not_found team_full tournament_full"),
    ("create_webhook", "too_many_webhooks"),
    ("test_webhook", "webhook_off"),
    ("resend_delivery", "webhook_off"),
    ("start_next_stage", "equals_at_line last_stage bouts_open stage_not_over stage_unfit teams_unfit"),
    ("finish_tournament", "bouts_open stage_not_over"),
    (
        "publish_round",
        "draft_outdated round_drafted stage_over too_many_waiting_matches invalid_options variant_retired",
    ),
    ("withdraw_round", "no_way_back round_drafted round_started round_not_published"),
    ("start_round", "round_not_published round_drafted"),
    ("add_minutes", "round_not_running round_over round_not_published"),
    ("pause_round_clock", "round_not_running round_over round_without_clock"),
    ("resume_round_clock", "round_not_running round_over round_without_clock"),
    ("set_break", "bouts_open round_not_published round_over"),
    ("end_break", "bouts_open round_not_published round_over"),
    ("write_bout_result", "bout_over own_bout"),
    ("export_trf", "not_in_format points_not_in_format tournament_not_running"),
    ("export_brackets_viewer", "not_in_format tournament_not_running"),
    ("export_open_bracket", "not_in_format tournament_not_running"),
    ("find_following", "bout_over others_go_on"),
    ("correct_bout", "bout_not_over bout_over following_changed others_go_on own_bout round_drafted"),
    ("play_bout_again", "bout_over match_not_over"),
    ("give_table", "bout_over table_has_bout table_occupied table_out_of_service table_too_small unknown_table"),
    (
        "enter_tournament",
        "entry_by_staff forbidden stage_unfit teams_unfit wrong_entry_code registration_over tournament_full entered_already too_late_to_enter player_gone player_not_found plays_without_teams team_full tournament_started unknown_player",
    ),
    ("enter_list", "too_late_to_enter tournament_full team_full"),
    ("check_in_myself", "check_in_not_open check_in_over entrant_out"),
    ("check_in_entrant", "check_in_not_open check_in_over entrant_out"),
    ("reinstate_entrant", "stage_unfit team_full teams_unfit too_late_to_enter tournament_full"),
    ("set_rulings", "others_go_on round_published"),
    ("set_entrant_team", "plays_without_teams team_full"),
    ("find_arena", "no_arena"),
    ("pause_myself", "arena_over entrant_out no_arena"),
    ("resume_myself", "arena_over entrant_out no_arena"),
    ("pause_entrant", "arena_over entrant_out no_arena"),
    ("resume_entrant", "arena_over entrant_out no_arena"),
    ("pause_arena", "arena_over no_arena round_not_running"),
    ("resume_arena", "arena_over no_arena round_not_running"),
    ("end_arena", "no_arena round_not_running"),
    ("change_series", "series_changed series_continued series_ended"),
    ("delete_series", "series_continued series_not_draft"),
    ("put_series_event", "series_changed series_ended too_many_events tournament_not_found"),
    ("remove_series_event", "series_ended"),
    ("set_series_person", "met_in_event player_not_found series_changed series_ended"),
    ("end_season", "series_changed series_continued"),
    ("seed_from_series", "series_empty tournament_changed tournament_not_found tournament_over tournament_started"),
    ("stream_tournament", "too_many_streams streams_full"),
];

/// Why one field was refused: `errors[].code`.
pub(super) const FIELDS: &str = "absent_ahead against_places bad_advance bad_boards bad_games bad_games_won bad_groups bad_places bad_reach bad_rounds bad_scale bad_score bad_sizes bad_window before_from \
    common_password duplicate_field empty entered_twice invalid invisible_characters late_entry missing_field \
    missing_score no_address no_email no_hours no_phone no_places no_public_url no_teams no_webhook_url not_json not_offered not_within \
    nul_character one_each one_rules_page out_at_once out_of_range overlaps own_name period_too_long score_order sizes_impossible \
    slash taken team_too_large too_few too_long too_many too_many_rounds too_short twice undecided unknown_field unknown_time_zone \
    unknown_value unreadable_result without_team wrong_entrants wrong_type";

/// The status of a code; in an answer to an address that names what is unknown, 404.
pub(super) fn status_of(code: &str) -> Option<u16> {
    STATUSES.iter().find(|(_, codes)| codes.split(' ').any(|it| it == code)).map(|it| it.0)
}
