//! Which permission each operation of staff asks for. The handlers' arguments decide; a test holds this list to them.

use base::auth::Permission;

/// The permission that this operation asks for, if it is for staff.
pub(super) fn of(operation: &str) -> Option<Permission> {
    OPERATIONS.iter().find(|(_, operations)| operations.split(' ').any(|it| it == operation)).map(|it| it.0)
}

pub(super) const OPERATIONS: &[(Permission, &str)] = &[
    (
        Permission::RunFloor,
        "add_waiting answer_call change_sitting change_waiting close_sitting close_the_day find_waiting list_calls list_sittings \
         list_undos list_waiting mark_shift_note_read merge_sittings open_sitting remove_member seat_waiting undo \
         write_shift_note",
    ),
    (Permission::ViewFloor, "find_day list_claims list_floor_plans list_shift_notes"),
    (
        Permission::ManageTables,
        "change_table create_table find_table find_waiting_door list_tables renew_table_code renew_waiting_code \
         save_floor_plan show_table_qr",
    ),
    (
        Permission::ViewStats,
        "find_stats_returning find_stats_summary list_stats_days list_stats_games list_stats_hours list_stats_lengths \
         list_stats_orders list_stats_roles list_stats_seats list_stats_tables",
    ),
    (Permission::ViewPlayers, "search_players"),
    (Permission::ManagePlayers, "merge_player plan_merge rename_player sign_player_out"),
    (Permission::BanPlayers, "ban_player lift_ban"),
    (
        Permission::ManageLibrary,
        "add_copy add_copy_note archive_title change_copy change_title create_title export_library find_copy \
         import_library list_copies list_copies_by_state list_copy_history list_copy_notes move_copy restore_title \
         settle_copy_note",
    ),
    (Permission::ReadAudit, "check_audit list_audit"),
    (Permission::ReplacePlayers, "offer_seat remove_player"),
    (Permission::SettleResults, "list_waiting_results"),
    (
        Permission::ManageVariants,
        "ask_lab cancel_lab change_variant create_variant create_variant_version publish_variant retire_variant",
    ),
    (
        Permission::ManageTournaments,
        "cancel_tournament change_series change_tournament copy_tournament correct_bout create_series create_tournament \
         delete_series discard_tournament_draft end_season finish_tournament open_tournament_check_in open_tournament_registration pair_tournament publish_round \
         lock_bout rate_entrant seed_from_series seed_tournament set_rulings start_next_stage start_tournament swap_entrants undo_tournament_step unlock_bout withdraw_round",
    ),
    (
        Permission::RunTournaments,
        "add_minutes check_in_entrant drop_entrant end_arena end_break enter_list give_table list_regulars mark_no_show pause_arena \
         pause_entrant pause_round_clock play_bout_again put_series_event reinstate_entrant remove_series_event resume_arena resume_entrant \
         resume_round_clock set_break \
         set_entrant_table set_entrant_team set_series_person start_round take_back_check_in write_bout_result write_bout_results",
    ),
    (Permission::ViewTournaments, "find_following find_rulings list_tournament_log plan_next_season preview_pairing"),
    (Permission::ChangeSettings, "change_cafe change_tariff remove_tariff"),
    (
        Permission::ManageWebhooks,
        "change_webhook create_webhook delete_webhook find_webhook list_deliveries list_webhooks resend_delivery \
         test_webhook",
    ),
    (Permission::ManageKeys, "create_key list_keys revoke_key"),
    (
        Permission::ManageStaff,
        "change_staff create_password_link create_staff_invitation end_staff_sessions forget_second_factor list_staff \
         list_staff_invitations withdraw_invitation",
    ),
    (Permission::ViewOperations, "find_operations request_backup"),
];
