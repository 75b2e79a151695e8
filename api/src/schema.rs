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
    players (id) {
        id -> Uuid,
        display_name -> Text,
        role -> Text,
        email -> Nullable<Text>,
        password_hash -> Nullable<Text>,
        created_at -> Timestamptz,
        banned_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    sessions (id) {
        id -> Uuid,
        player_id -> Uuid,
        refresh_hash -> Bytea,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        revoked_at -> Nullable<Timestamptz>,
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

diesel::joinable!(sessions -> players (player_id));

diesel::allow_tables_to_appear_in_same_query!(audit_log, players, sessions, setup_tokens,);
