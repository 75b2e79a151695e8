-- Everybody: guests, registered players and staff.
CREATE TABLE players (
    id uuid CONSTRAINT players_pkey PRIMARY KEY,
    display_name text NOT NULL
        CONSTRAINT players_display_name_length CHECK (char_length(display_name) BETWEEN 1 AND 40),
    role text NOT NULL DEFAULT 'player'
        CONSTRAINT players_role_known CHECK (role IN ('player', 'staff', 'manager', 'owner')),
    -- In lower case. Guests have none.
    email text CONSTRAINT players_email_key UNIQUE
        CONSTRAINT players_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
    password_hash text,
    created_at timestamptz NOT NULL,
    banned_at timestamptz,
    CONSTRAINT players_email_with_password CHECK ((email IS NULL) = (password_hash IS NULL)),
    CONSTRAINT players_staff_sign_in CHECK (role = 'player' OR email IS NOT NULL)
);

CREATE INDEX players_staff_idx ON players (role) WHERE role <> 'player';

-- One sign-in and everything refreshed from it.
CREATE TABLE sessions (
    id uuid CONSTRAINT sessions_pkey PRIMARY KEY,
    player_id uuid NOT NULL
        CONSTRAINT sessions_player_id_fkey REFERENCES players (id) ON DELETE CASCADE,
    -- SHA-256 of the only refresh token that is good now; any other one of this session ends it.
    refresh_hash bytea NOT NULL CONSTRAINT sessions_refresh_hash_length CHECK (octet_length(refresh_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    CONSTRAINT sessions_expire_later CHECK (expires_at > created_at)
);

CREATE INDEX sessions_player_id_idx ON sessions (player_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- One-time links with which the first owner sets up the café.
CREATE TABLE setup_tokens (
    token_hash bytea CONSTRAINT setup_tokens_pkey PRIMARY KEY
        CONSTRAINT setup_tokens_hash_length CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
