DROP TABLE match_results, match_reveals, match_stand_ins, clock_heartbeat, match_clocks, match_sittings,
    match_invitations, match_terms, match_log, match_seats, matches;
DROP FUNCTION match_results_immutable(), matches_run_clock(), match_terms_immutable(), match_log_is_append_only(),
    match_seats_guard();
