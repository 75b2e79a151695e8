// @generated automatically by Diesel CLI.

diesel::table! {
    api_keys (id) {
        id -> Uuid,
        prefix -> Text,
        hash -> Bytea,
        role -> Text,
        sandbox -> Bool,
        created_by -> Uuid,
        created_at -> Timestamptz,
        expires_at -> Nullable<Timestamptz>,
        used_at -> Nullable<Timestamptz>,
        revoked_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    audit_chain (n) {
        n -> Int8,
        line -> Int8,
        previous -> Bytea,
        hash -> Bytea,
    }
}

diesel::table! {
    audit_log (id) {
        id -> Int8,
        at -> Timestamptz,
        actor -> Nullable<Uuid>,
        action -> Text,
        subject -> Text,
        subject_id -> Nullable<Uuid>,
        details -> Jsonb,
    }
}

diesel::table! {
    backup_jobs (kind) {
        kind -> Text,
        every_seconds -> Int8,
        since -> Timestamptz,
        succeeded_at -> Nullable<Timestamptz>,
        failed_at -> Nullable<Timestamptz>,
        problem -> Nullable<Text>,
        asked_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    backups (id) {
        id -> Uuid,
        taken_at -> Timestamptz,
        bytes -> Int8,
        sha256 -> Bytea,
    }
}

diesel::table! {
    cafe (singleton) {
        singleton -> Bool,
        name -> Nullable<Text>,
        time_zone -> Nullable<Text>,
        language -> Nullable<Text>,
        second_factor_required -> Bool,
        forget_guests_after_months -> Nullable<Int2>,
        public_url -> Nullable<Text>,
        wifi_name -> Nullable<Text>,
        wifi_password -> Nullable<Text>,
        first_scan_at -> Nullable<Timestamptz>,
        opening_done -> Bool,
        reactions -> Bool,
        waiting_door -> Bool,
        waiting_code -> Nullable<Text>,
        pack_logs_after_days -> Nullable<Int2>,
    }
}

diesel::table! {
    cafe_logo (singleton) {
        singleton -> Bool,
        media_type -> Text,
        content -> Bytea,
        hash -> Bytea,
    }
}

diesel::table! {
    calls (id) {
        id -> Uuid,
        sitting_id -> Uuid,
        table_id -> Uuid,
        reason -> Text,
        note -> Nullable<Text>,
        status -> Text,
        called_by -> Uuid,
        called_at -> Timestamptz,
        heard_at -> Nullable<Timestamptz>,
        heard_by -> Nullable<Uuid>,
        over_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    claims (id) {
        id -> Uuid,
        sitting_id -> Uuid,
        player_id -> Uuid,
        asked_by -> Nullable<Uuid>,
        phone_hash -> Bytea,
        user_agent -> Nullable<Text>,
        status -> Text,
        asked_at -> Timestamptz,
        expires_at -> Timestamptz,
        answered_at -> Nullable<Timestamptz>,
        answered_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    clock_heartbeat (singleton) {
        singleton -> Bool,
        at -> Timestamptz,
    }
}

diesel::table! {
    copies (id) {
        id -> Uuid,
        title_id -> Uuid,
        number -> Int2,
        shelf -> Text,
        state -> Text,
        table_id -> Nullable<Uuid>,
        since -> Timestamptz,
        played_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        archived_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    copy_locations (id) {
        id -> Int8,
        copy_id -> Uuid,
        transfer -> Nullable<Text>,
        state -> Text,
        table_id -> Nullable<Uuid>,
        made_by -> Nullable<Uuid>,
        at -> Timestamptz,
    }
}

diesel::table! {
    copy_notes (id) {
        id -> Uuid,
        copy_id -> Uuid,
        body -> Text,
        created_by -> Uuid,
        created_at -> Timestamptz,
        settled_by -> Nullable<Uuid>,
        settled_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    door_notes (key) {
        key -> Bytea,
        told_at -> Timestamptz,
        untold -> Int4,
    }
}

diesel::table! {
    encounters (player_id, opponent_id, game) {
        player_id -> Uuid,
        opponent_id -> Uuid,
        game -> Text,
        matches -> Int4,
        ahead -> Int4,
        behind -> Int4,
    }
}

diesel::table! {
    guest_days (day, player_id) {
        day -> Date,
        player_id -> Uuid,
        is_first -> Bool,
    }
}

diesel::table! {
    hour_stats (day, hour, game, variant_hash) {
        day -> Date,
        hour -> Int2,
        game -> Text,
        variant_hash -> Bytea,
        finished -> Int4,
        players -> Int4,
    }
}

diesel::table! {
    idempotency_keys (id) {
        id -> Bytea,
        request_hash -> Bytea,
        claimed_at -> Timestamptz,
        response -> Nullable<Bytea>,
    }
}

diesel::table! {
    lab_runs (id) {
        id -> Uuid,
        game -> Text,
        variant_hash -> Bytea,
        against_hash -> Bytea,
        options -> Jsonb,
        against -> Jsonb,
        seat_count -> Int2,
        search -> Bool,
        lab_revision -> Int4,
        asked_at -> Timestamptz,
        status -> Text,
        progress -> Int2,
        claim -> Nullable<Uuid>,
        beat_at -> Nullable<Timestamptz>,
        report -> Nullable<Jsonb>,
    }
}

diesel::table! {
    length_months (month, game, variant_hash, seats, bucket) {
        month -> Date,
        game -> Text,
        variant_hash -> Bytea,
        seats -> Int2,
        bucket -> Int2,
        finished -> Int4,
        moves -> Int8,
    }
}

diesel::table! {
    length_stats (day, game, variant_hash, seats, bucket) {
        day -> Date,
        game -> Text,
        variant_hash -> Bytea,
        seats -> Int2,
        bucket -> Int2,
        finished -> Int4,
        moves -> Int8,
    }
}

diesel::table! {
    log_packing (singleton) {
        singleton -> Bool,
        matches -> Int8,
        text_bytes -> Int8,
        archive_bytes -> Int8,
        packed_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    match_analyses (match_id) {
        match_id -> Uuid,
        first_seat -> Nullable<Int2>,
        roles -> Nullable<Array<Nullable<Text>>>,
    }
}

diesel::table! {
    match_archives (match_id) {
        match_id -> Uuid,
        versions -> Int4,
        sha256 -> Bytea,
        content -> Bytea,
    }
}

diesel::table! {
    match_clocks (match_id) {
        match_id -> Uuid,
        turn_seconds -> Int4,
        turn_since -> Timestamptz,
        reserves_ms -> Nullable<Array<Nullable<Int4>>>,
        deadline -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    match_invitations (match_id, player_id) {
        match_id -> Uuid,
        player_id -> Uuid,
        invited_by -> Uuid,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    match_log (match_id, version) {
        match_id -> Uuid,
        version -> Int4,
        seat -> Nullable<Int2>,
        #[sql_name = "move"]
        move_ -> Nullable<Json>,
        chance -> Json,
        events -> Json,
        idempotency_key -> Nullable<Text>,
        made_by -> Text,
        at -> Timestamptz,
    }
}

diesel::table! {
    match_results (id) {
        id -> Uuid,
        match_id -> Uuid,
        number -> Int4,
        outcome -> Jsonb,
        status -> Text,
        reported_by -> Uuid,
        by_staff -> Bool,
        reason -> Nullable<Text>,
        created_at -> Timestamptz,
        confirmed_by -> Nullable<Uuid>,
        confirmed_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    match_reveals (id) {
        id -> Int8,
        match_id -> Uuid,
        player_id -> Uuid,
        role -> Text,
        reason -> Text,
        version -> Int4,
        at -> Timestamptz,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    match_seats (match_id, seat) {
        match_id -> Uuid,
        seat -> Int2,
        player_id -> Nullable<Uuid>,
        nonce -> Nullable<Text>,
        joined_at -> Timestamptz,
        left_at -> Nullable<Timestamptz>,
        left_why -> Nullable<Text>,
        stand_in_id -> Nullable<Uuid>,
        bot -> Nullable<Text>,
    }
}

diesel::table! {
    match_sittings (match_id) {
        match_id -> Uuid,
        sitting_id -> Uuid,
    }
}

diesel::table! {
    match_stand_ins (id) {
        id -> Uuid,
        match_id -> Uuid,
        seat -> Int2,
        player_id -> Uuid,
        offered_by -> Uuid,
        offered_at -> Timestamptz,
        accepted_at -> Nullable<Timestamptz>,
        from_version -> Nullable<Int4>,
        left_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    match_terms (match_id) {
        match_id -> Uuid,
        visibility -> Text,
        spectators -> Bool,
        spectator_delay -> Int4,
        seat_names -> Nullable<Array<Nullable<Text>>>,
        reserve_seconds -> Nullable<Int4>,
        rematch_of -> Nullable<Uuid>,
        title -> Nullable<Text>,
    }
}

diesel::table! {
    matches (id) {
        id -> Uuid,
        code -> Text,
        game -> Text,
        revision -> Int4,
        options -> Jsonb,
        variant_id -> Nullable<Uuid>,
        variant_version -> Nullable<Int4>,
        variant_hash -> Bytea,
        seat_count -> Int2,
        name -> Nullable<Text>,
        mode -> Text,
        status -> Text,
        version -> Int4,
        change_seq -> Int8,
        created_by -> Uuid,
        table_id -> Nullable<Uuid>,
        turn_seconds -> Nullable<Int4>,
        created_at -> Timestamptz,
        started_at -> Nullable<Timestamptz>,
        moved_at -> Nullable<Timestamptz>,
        finished_at -> Nullable<Timestamptz>,
        seed -> Bytea,
        commitment -> Bytea,
        chance_count -> Int8,
        state -> Nullable<Bytea>,
        to_move -> Int4,
        interrupt -> Int4,
        resigned -> Int4,
        decision_since -> Int4,
        outcome -> Nullable<Jsonb>,
    }
}

diesel::table! {
    opening_hours (weekday) {
        weekday -> Int2,
        opens -> Int2,
        closes -> Int2,
    }
}

diesel::table! {
    order_stats (day, game, variant_hash, seats, place) {
        day -> Date,
        game -> Text,
        variant_hash -> Bytea,
        seats -> Int2,
        place -> Int2,
        finished -> Int4,
        wins -> Int4,
    }
}

diesel::table! {
    pending_archives (match_id) {
        match_id -> Uuid,
        finished_at -> Timestamptz,
    }
}

diesel::table! {
    pending_bout_results (match_id) {
        match_id -> Uuid,
        tournament_id -> Uuid,
        since -> Timestamptz,
    }
}

diesel::table! {
    pending_projections (match_id) {
        match_id -> Uuid,
        game -> Text,
        finished_at -> Timestamptz,
    }
}

diesel::table! {
    play_stats (day, game, variant_hash, seats) {
        day -> Date,
        game -> Text,
        variant_hash -> Bytea,
        seats -> Int2,
        finished -> Int4,
        aborted -> Int4,
        expired -> Int4,
        players -> Int4,
        with_bots -> Int4,
    }
}

diesel::table! {
    player_match_stats (match_id, seat) {
        match_id -> Uuid,
        seat -> Int2,
        player_id -> Uuid,
        game -> Text,
        finished_at -> Timestamptz,
        place -> Int2,
        seats -> Int2,
        left_early -> Bool,
        calls_right -> Int4,
        calls_wrong -> Int4,
        bluffs_called -> Int4,
        bluffs_uncalled -> Int4,
        luck_had -> Int4,
        luck_expected -> Int4,
    }
}

diesel::table! {
    player_stats (player_id, game) {
        player_id -> Uuid,
        game -> Text,
        matches -> Int4,
        wins -> Int4,
        places -> Array<Int4>,
        left_early -> Int4,
        calls_right -> Int8,
        calls_wrong -> Int8,
        bluffs_called -> Int8,
        bluffs_uncalled -> Int8,
        luck_had -> Int8,
        luck_expected -> Int8,
        streak -> Int4,
        best_streak -> Int4,
        last_at -> Timestamptz,
        last_match -> Uuid,
    }
}

diesel::table! {
    players (id) {
        id -> Uuid,
        display_name -> Text,
        role -> Text,
        email -> Nullable<Text>,
        password_hash -> Nullable<Text>,
        created_at -> Timestamptz,
        registered_at -> Nullable<Timestamptz>,
        banned_at -> Nullable<Timestamptz>,
        banned_until -> Nullable<Timestamptz>,
        ban_reason -> Nullable<Text>,
        deleted_at -> Nullable<Timestamptz>,
        merged_into -> Nullable<Uuid>,
    }
}

diesel::table! {
    processes (id) {
        id -> Uuid,
        version -> Text,
        started_at -> Timestamptz,
        seen_at -> Timestamptz,
        viewers -> Int4,
    }
}

diesel::table! {
    rating_changes (scope, player_id, finished_at, match_id) {
        scope -> Text,
        player_id -> Uuid,
        finished_at -> Timestamptz,
        match_id -> Uuid,
        game -> Text,
        month -> Text,
        mean_before -> Float8,
        deviation_before -> Float8,
        mean_after -> Float8,
        deviation_after -> Float8,
        why -> Text,
        place -> Int2,
        opponents -> Int2,
        beaten -> Float8,
        expected -> Float8,
        number -> Int4,
        number_in_month -> Int4,
    }
}

diesel::table! {
    ratings_time_zone (singleton) {
        singleton -> Bool,
        time_zone -> Text,
    }
}

diesel::table! {
    recovery_codes (player_id, code_hash) {
        player_id -> Uuid,
        code_hash -> Bytea,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    removed_members (sitting_id, player_id) {
        sitting_id -> Uuid,
        player_id -> Uuid,
        joined_at -> Timestamptz,
        removed_at -> Timestamptz,
    }
}

diesel::table! {
    role_stats (day, game, variant_hash, seats, role) {
        day -> Date,
        game -> Text,
        variant_hash -> Bytea,
        seats -> Int2,
        role -> Text,
        played -> Int4,
        wins -> Int4,
    }
}

diesel::table! {
    seat_stats (day, game, variant_hash, seats, seat) {
        day -> Date,
        game -> Text,
        variant_hash -> Bytea,
        seats -> Int2,
        seat -> Int2,
        wins -> Int4,
    }
}

diesel::table! {
    second_factors (player_id) {
        player_id -> Uuid,
        secret -> Bytea,
        created_at -> Timestamptz,
        confirmed_at -> Nullable<Timestamptz>,
        last_step -> Int8,
        failed_attempts -> Int4,
        last_failed_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    series (id) {
        id -> Uuid,
        code -> Text,
        name -> Text,
        status -> Text,
        rules -> Jsonb,
        previous_id -> Nullable<Uuid>,
        created_by -> Uuid,
        created_at -> Timestamptz,
        revision -> Int8,
    }
}

diesel::table! {
    series_divisions (series_id, number) {
        series_id -> Uuid,
        number -> Int2,
        name -> Text,
        promoted -> Int2,
        relegated -> Int2,
    }
}

diesel::table! {
    series_events (series_id, tournament_id) {
        series_id -> Uuid,
        tournament_id -> Uuid,
        division -> Nullable<Int2>,
    }
}

diesel::table! {
    series_people (series_id, player_id) {
        series_id -> Uuid,
        player_id -> Uuid,
        same_as -> Nullable<Uuid>,
        division -> Nullable<Int2>,
    }
}

diesel::table! {
    sessions (id) {
        id -> Uuid,
        player_id -> Uuid,
        refresh_hash -> Bytea,
        user_agent -> Nullable<Text>,
        created_at -> Timestamptz,
        seen_at -> Timestamptz,
        expires_at -> Timestamptz,
        revoked_at -> Nullable<Timestamptz>,
        previous_hash -> Nullable<Bytea>,
        device_name -> Nullable<Text>,
        family_hash -> Nullable<Bytea>,
        generation -> Int8,
    }
}

diesel::table! {
    setup_tokens (token_hash) {
        token_hash -> Bytea,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    shift_notes (id) {
        id -> Uuid,
        text -> Text,
        written_by -> Uuid,
        written_at -> Timestamptz,
        read_by -> Nullable<Uuid>,
        read_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    sign_in_attempts (key) {
        key -> Bytea,
        attempts -> Int4,
        last_at -> Timestamptz,
    }
}

diesel::table! {
    sign_in_identities (issuer, subject) {
        issuer -> Text,
        subject -> Text,
        player_id -> Uuid,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    sitting_members (sitting_id, player_id) {
        sitting_id -> Uuid,
        player_id -> Uuid,
        joined_at -> Timestamptz,
        uninvited -> Bool,
    }
}

diesel::table! {
    sitting_stats (day, hour) {
        day -> Date,
        hour -> Int2,
        parties -> Int4,
        people -> Int4,
        seconds -> Int4,
    }
}

diesel::table! {
    sittings (id) {
        id -> Uuid,
        table_id -> Uuid,
        party_size -> Int2,
        join_token -> Text,
        opened_at -> Timestamptz,
        opened_by -> Uuid,
        remind_at -> Timestamptz,
        closing_at -> Nullable<Timestamptz>,
        closed_at -> Nullable<Timestamptz>,
        ended -> Nullable<Text>,
        merged_into -> Nullable<Uuid>,
        headcounts -> Jsonb,
        owed -> Nullable<Jsonb>,
    }
}

diesel::table! {
    staff_links (token_hash) {
        token_hash -> Bytea,
        id -> Uuid,
        email -> Nullable<Text>,
        role -> Nullable<Text>,
        player_id -> Nullable<Uuid>,
        created_by -> Uuid,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    standings (scope, period, player_id) {
        scope -> Text,
        period -> Text,
        player_id -> Uuid,
        mean -> Float8,
        deviation -> Float8,
        rating -> Int4,
        provisional -> Bool,
        matches -> Int4,
        last_at -> Timestamptz,
    }
}

diesel::table! {
    stats_dirty_ranges (subject_id, since, until) {
        subject_id -> Uuid,
        since -> Timestamptz,
        until -> Timestamptz,
    }
}

diesel::table! {
    stats_time_zone (singleton) {
        singleton -> Bool,
        time_zone -> Text,
    }
}

diesel::table! {
    stuck_matches (match_id) {
        match_id -> Uuid,
        attempts -> Int4,
        next_attempt_at -> Timestamptz,
    }
}

diesel::table! {
    table_places (table_id) {
        table_id -> Uuid,
        x -> Int2,
        y -> Int2,
        width -> Int2,
        height -> Int2,
        shape -> Text,
    }
}

diesel::table! {
    tables (id) {
        id -> Uuid,
        code -> Text,
        name -> Text,
        area -> Nullable<Text>,
        seats -> Int2,
        position -> Int4,
        out_of_service_reason -> Nullable<Text>,
        out_of_service_since -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        archived_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    tariffs (version) {
        version -> Int4,
        made_at -> Timestamptz,
        terms -> Nullable<Jsonb>,
    }
}

diesel::table! {
    titles (id) {
        id -> Uuid,
        game -> Nullable<Text>,
        name_ko -> Text,
        name_en -> Text,
        name_es -> Text,
        players_from -> Int2,
        players_to -> Int2,
        minutes_from -> Int2,
        minutes_to -> Int2,
        difficulty -> Text,
        teach_minutes -> Nullable<Int2>,
        rules_url -> Nullable<Text>,
        created_at -> Timestamptz,
        archived_at -> Nullable<Timestamptz>,
        search_text -> Text,
    }
}

diesel::table! {
    tournament_bouts (tournament_id, stage, key) {
        tournament_id -> Uuid,
        stage -> Int2,
        key -> Text,
        round -> Int2,
        entrants -> Array<Int4>,
        reasons -> Jsonb,
        table_id -> Nullable<Uuid>,
        match_id -> Nullable<Uuid>,
        result -> Nullable<Jsonb>,
        settled_by -> Nullable<Uuid>,
        settled_at -> Nullable<Timestamptz>,
        claim -> Nullable<Jsonb>,
        claimed_at -> Nullable<Timestamptz>,
        arranged_by -> Nullable<Uuid>,
        games -> Jsonb,
        is_locked -> Bool,
    }
}

diesel::table! {
    tournament_entrants (tournament_id, number) {
        tournament_id -> Uuid,
        number -> Int4,
        player_id -> Uuid,
        status -> Text,
        seed -> Nullable<Int2>,
        entered_at -> Timestamptz,
        checked_in_at -> Nullable<Timestamptz>,
        dropped_at -> Nullable<Timestamptz>,
        rating -> Nullable<Int4>,
        team -> Nullable<Text>,
        board -> Nullable<Int2>,
        needs_table -> Nullable<Uuid>,
        needs_area -> Nullable<Text>,
    }
}

diesel::table! {
    tournament_log (tournament_id, revision) {
        tournament_id -> Uuid,
        revision -> Int8,
        at -> Timestamptz,
        actor -> Nullable<Uuid>,
        action -> Text,
        details -> Jsonb,
        changes -> Jsonb,
    }
}

diesel::table! {
    tournament_participants (tournament_id, stage, entrant) {
        tournament_id -> Uuid,
        stage -> Int2,
        entrant -> Int4,
        seed -> Int2,
        from_round -> Int2,
        until_round -> Nullable<Int2>,
        ready_since -> Nullable<Timestamptz>,
        paused_since -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    tournament_places (tournament_id) {
        tournament_id -> Uuid,
        places -> Jsonb,
    }
}

diesel::table! {
    tournament_rounds (tournament_id, stage, round) {
        tournament_id -> Uuid,
        stage -> Int2,
        round -> Int2,
        status -> Text,
        drafted_at -> Timestamptz,
        published_at -> Nullable<Timestamptz>,
        started_at -> Nullable<Timestamptz>,
        ends_at -> Nullable<Timestamptz>,
        closed_at -> Nullable<Timestamptz>,
        is_arena -> Bool,
        paused_at -> Nullable<Timestamptz>,
        resumed_at -> Nullable<Timestamptz>,
        due_at -> Nullable<Timestamptz>,
        next_round_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    tournaments (id) {
        id -> Uuid,
        code -> Text,
        name -> Text,
        game -> Text,
        title -> Nullable<Text>,
        mode -> Text,
        options -> Jsonb,
        variant_id -> Nullable<Uuid>,
        variant_version -> Nullable<Int4>,
        turn_seconds -> Nullable<Int4>,
        status -> Text,
        stages -> Jsonb,
        stage -> Int2,
        seeding -> Text,
        most_entrants -> Nullable<Int2>,
        late_until_round -> Nullable<Int2>,
        round_minutes -> Nullable<Int2>,
        table_ids -> Nullable<Array<Uuid>>,
        draw_seed -> Int8,
        created_by -> Uuid,
        created_at -> Timestamptz,
        starts_at -> Nullable<Timestamptz>,
        check_in_until -> Nullable<Timestamptz>,
        started_at -> Nullable<Timestamptz>,
        over_at -> Nullable<Timestamptz>,
        revision -> Int8,
        sandbox -> Bool,
        team_size -> Nullable<Int2>,
        rulings -> Jsonb,
        entry -> Text,
        entry_code -> Nullable<Text>,
    }
}

diesel::table! {
    trials (id) {
        id -> Uuid,
        variant_id -> Uuid,
        variant_version -> Int4,
        options -> Jsonb,
        revision -> Int4,
        seat_count -> Int2,
        version -> Int4,
        seed -> Bytea,
        chance_count -> Int8,
        state -> Bytea,
        events -> Json,
        created_by -> Uuid,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    undos (id) {
        id -> Uuid,
        at -> Timestamptz,
        actor -> Uuid,
        action -> Text,
        table_id -> Nullable<Uuid>,
        other_table_id -> Nullable<Uuid>,
        undo_data -> Jsonb,
        undone_at -> Nullable<Timestamptz>,
        undone_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    variant_versions (variant_id, number) {
        variant_id -> Uuid,
        number -> Int4,
        revision -> Int4,
        options -> Jsonb,
        variant_hash -> Bytea,
        created_by -> Uuid,
        created_at -> Timestamptz,
        published_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    variants (id) {
        id -> Uuid,
        game -> Text,
        name -> Text,
        description -> Nullable<Text>,
        status -> Text,
        created_by -> Uuid,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    visit_stats (day, nth, days_before, is_first) {
        day -> Date,
        nth -> Int2,
        days_before -> Int2,
        is_first -> Bool,
        guests -> Int4,
    }
}

diesel::table! {
    waiting_parties (id) {
        id -> Uuid,
        token -> Text,
        name -> Nullable<Text>,
        phone -> Nullable<Text>,
        party_size -> Int2,
        status -> Text,
        joined_at -> Timestamptz,
        by_guest -> Bool,
        called_at -> Nullable<Timestamptz>,
        ended_at -> Nullable<Timestamptz>,
        sitting_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    webhook_deliveries (id) {
        id -> Uuid,
        webhook_id -> Uuid,
        event -> Text,
        data -> Jsonb,
        happened_at -> Timestamptz,
        due_at -> Nullable<Timestamptz>,
        attempts -> Int2,
        attempted_at -> Nullable<Timestamptz>,
        delivered_at -> Nullable<Timestamptz>,
        status -> Nullable<Int2>,
        failure -> Nullable<Text>,
    }
}

diesel::table! {
    webhooks (id) {
        id -> Uuid,
        url -> Text,
        events -> Jsonb,
        secret -> Bytea,
        is_on -> Bool,
        created_by -> Uuid,
        created_at -> Timestamptz,
    }
}

diesel::joinable!(audit_chain -> audit_log (line));
diesel::joinable!(calls -> sittings (sitting_id));
diesel::joinable!(calls -> tables (table_id));
diesel::joinable!(claims -> sittings (sitting_id));
diesel::joinable!(copies -> tables (table_id));
diesel::joinable!(copies -> titles (title_id));
diesel::joinable!(copy_locations -> copies (copy_id));
diesel::joinable!(copy_locations -> players (made_by));
diesel::joinable!(copy_locations -> tables (table_id));
diesel::joinable!(copy_notes -> copies (copy_id));
diesel::joinable!(match_archives -> matches (match_id));
diesel::joinable!(match_clocks -> matches (match_id));
diesel::joinable!(match_invitations -> matches (match_id));
diesel::joinable!(match_results -> matches (match_id));
diesel::joinable!(match_reveals -> matches (match_id));
diesel::joinable!(match_reveals -> players (player_id));
diesel::joinable!(match_seats -> matches (match_id));
diesel::joinable!(match_sittings -> matches (match_id));
diesel::joinable!(match_sittings -> sittings (sitting_id));
diesel::joinable!(matches -> players (created_by));
diesel::joinable!(matches -> tables (table_id));
diesel::joinable!(pending_archives -> matches (match_id));
diesel::joinable!(pending_bout_results -> matches (match_id));
diesel::joinable!(pending_bout_results -> tournaments (tournament_id));
diesel::joinable!(pending_projections -> matches (match_id));
diesel::joinable!(player_match_stats -> matches (match_id));
diesel::joinable!(player_match_stats -> players (player_id));
diesel::joinable!(player_stats -> players (player_id));
diesel::joinable!(rating_changes -> matches (match_id));
diesel::joinable!(rating_changes -> players (player_id));
diesel::joinable!(recovery_codes -> second_factors (player_id));
diesel::joinable!(removed_members -> players (player_id));
diesel::joinable!(removed_members -> sittings (sitting_id));
diesel::joinable!(second_factors -> players (player_id));
diesel::joinable!(series -> players (created_by));
diesel::joinable!(series_divisions -> series (series_id));
diesel::joinable!(series_events -> series (series_id));
diesel::joinable!(series_events -> tournaments (tournament_id));
diesel::joinable!(series_people -> series (series_id));
diesel::joinable!(sessions -> players (player_id));
diesel::joinable!(sign_in_identities -> players (player_id));
diesel::joinable!(sitting_members -> players (player_id));
diesel::joinable!(sitting_members -> sittings (sitting_id));
diesel::joinable!(sittings -> players (opened_by));
diesel::joinable!(sittings -> tables (table_id));
diesel::joinable!(standings -> players (player_id));
diesel::joinable!(stuck_matches -> matches (match_id));
diesel::joinable!(table_places -> tables (table_id));
diesel::joinable!(tournament_bouts -> matches (match_id));
diesel::joinable!(tournament_bouts -> tables (table_id));
diesel::joinable!(tournament_entrants -> players (player_id));
diesel::joinable!(tournament_entrants -> tables (needs_table));
diesel::joinable!(tournament_entrants -> tournaments (tournament_id));
diesel::joinable!(tournament_log -> players (actor));
diesel::joinable!(tournament_log -> tournaments (tournament_id));
diesel::joinable!(tournament_places -> tournaments (tournament_id));
diesel::joinable!(tournament_rounds -> tournaments (tournament_id));
diesel::joinable!(tournaments -> players (created_by));
diesel::joinable!(trials -> players (created_by));
diesel::joinable!(variant_versions -> players (created_by));
diesel::joinable!(variant_versions -> variants (variant_id));
diesel::joinable!(variants -> players (created_by));
diesel::joinable!(waiting_parties -> sittings (sitting_id));
diesel::joinable!(webhook_deliveries -> webhooks (webhook_id));
diesel::joinable!(webhooks -> players (created_by));
