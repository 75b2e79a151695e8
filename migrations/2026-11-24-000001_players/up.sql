-- People: guests, registered players and staff; how they sign in, and the links that invite staff.
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
    -- Stays when the account is deleted: what was rated stays rated.
    registered_at timestamptz,
    banned_at timestamptz,
    -- NULL for a ban that lasts until it is lifted.
    banned_until timestamptz,
    ban_reason text CONSTRAINT players_ban_reason_length CHECK (char_length(ban_reason) BETWEEN 1 AND 200),
    -- The row of a deleted account stays, so that matches of others stay whole, but identifies nobody.
    deleted_at timestamptz,
    -- The player that a guest turned out to be. Everything that was the guest's is now the player's.
    merged_into uuid CONSTRAINT players_merged_into_fkey REFERENCES players (id),
    CONSTRAINT players_email_with_password CHECK ((email IS NULL) = (password_hash IS NULL)),
    CONSTRAINT players_staff_sign_in CHECK (role = 'player' OR email IS NOT NULL),
    CONSTRAINT players_deleted_is_nobody CHECK (
        deleted_at IS NULL OR (role = 'player' AND email IS NULL AND display_name = 'someone')
    ),
    CONSTRAINT players_merged_was_guest CHECK (
        merged_into IS NULL OR (merged_into <> id AND email IS NULL AND role = 'player')
    ),
    CONSTRAINT players_ban_whole CHECK (banned_at IS NOT NULL OR (banned_until IS NULL AND ban_reason IS NULL))
);

CREATE INDEX players_staff_idx ON players (role) WHERE role <> 'player';
CREATE INDEX players_registered_idx ON players (id) WHERE registered_at IS NOT NULL;
CREATE INDEX players_banned_idx ON players (id) WHERE banned_at IS NOT NULL;
CREATE INDEX players_merged_into_idx ON players (merged_into) WHERE merged_into IS NOT NULL;

-- Search by a part of the name, by the beginning of the email address, and by tag (the end of the id).
CREATE FUNCTION search_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN replace(lower(normalize(name, NFKC)), ' ', '');

-- All single letters and pairs of letters. Korean names are short: trigrams would miss a search for one syllable.
CREATE FUNCTION ngrams(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ARRAY (
        SELECT DISTINCT substr(name, at, length)
        FROM generate_series(1, char_length(name)) AS at, generate_series(1, 2) AS length
        WHERE at + length - 1 <= char_length(name)
    );

CREATE INDEX players_name_idx ON players USING gin (ngrams(search_key(display_name)))
    WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX players_display_name_idx ON players (lower(display_name) text_pattern_ops);
CREATE INDEX players_email_prefix_idx ON players (email text_pattern_ops) WHERE email IS NOT NULL;
CREATE INDEX players_tag_idx ON players ("right"(id::text, 4));

CREATE FUNCTION players_register() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.email IS NOT NULL AND NEW.registered_at IS NULL THEN
        NEW.registered_at := now();
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER players_register BEFORE INSERT OR UPDATE OF email ON players
    FOR EACH ROW EXECUTE FUNCTION players_register();

-- One sign-in and everything refreshed from it.
CREATE TABLE sessions (
    id uuid CONSTRAINT sessions_pkey PRIMARY KEY,
    player_id uuid NOT NULL
        CONSTRAINT sessions_player_id_fkey REFERENCES players (id) ON DELETE CASCADE,
    -- SHA-256 of the only refresh token that is valid now.
    refresh_hash bytea NOT NULL CONSTRAINT sessions_refresh_hash_length CHECK (octet_length(refresh_hash) = 32),
    -- As the client named itself when it signed in.
    user_agent text CONSTRAINT sessions_user_agent_length CHECK (char_length(user_agent) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL,
    -- The last sign-in or refresh.
    seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    CONSTRAINT sessions_expire_later CHECK (expires_at > created_at)
);

CREATE INDEX sessions_player_id_idx ON sessions (player_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
-- Access tokens outlive the revocation of their session, so every process asks for recent revocations once a second.
CREATE INDEX sessions_revoked_at_idx ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

-- TOTP (RFC 6238). The secret is encrypted with a key that is not in the database.
CREATE TABLE second_factors (
    player_id uuid CONSTRAINT second_factors_pkey PRIMARY KEY
        CONSTRAINT second_factors_player_id_fkey REFERENCES players (id) ON DELETE CASCADE,
    secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- Required at sign-in from then on.
    confirmed_at timestamptz,
    -- The latest time step whose code was accepted: no code is accepted twice.
    last_step bigint NOT NULL DEFAULT 0,
    -- Wrong codes in a row, and the time of the last one.
    failed_attempts integer NOT NULL DEFAULT 0,
    last_failed_at timestamptz
);

CREATE TABLE recovery_codes (
    player_id uuid NOT NULL
        CONSTRAINT recovery_codes_player_id_fkey REFERENCES second_factors (player_id) ON DELETE CASCADE,
    code_hash bytea NOT NULL CONSTRAINT recovery_codes_hash_length CHECK (octet_length(code_hash) = 32),
    used_at timestamptz,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (player_id, code_hash)
);

-- One-time links with which the first owner sets up the café.
CREATE TABLE setup_tokens (
    token_hash bytea CONSTRAINT setup_tokens_pkey PRIMARY KEY
        CONSTRAINT setup_tokens_hash_length CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);

-- One-time links that a manager hands out: an invitation to the staff, or a new password.
CREATE TABLE staff_links (
    token_hash bytea CONSTRAINT staff_links_pkey PRIMARY KEY
        CONSTRAINT staff_links_hash_length CHECK (octet_length(token_hash) = 32),
    id uuid NOT NULL CONSTRAINT staff_links_id_key UNIQUE,
    -- An invitation has an address and a role, a link to a new password has a player.
    email text,
    role text CONSTRAINT staff_links_role_known CHECK (role IN ('staff', 'manager', 'owner')),
    player_id uuid CONSTRAINT staff_links_player_id_fkey REFERENCES players (id) ON DELETE CASCADE,
    created_by uuid NOT NULL CONSTRAINT staff_links_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    CONSTRAINT staff_links_one_kind CHECK ((player_id IS NULL) = (email IS NOT NULL AND role IS NOT NULL)),
    CONSTRAINT staff_links_expire_later CHECK (expires_at > created_at)
);

CREATE INDEX staff_links_expires_at_idx ON staff_links (expires_at);
