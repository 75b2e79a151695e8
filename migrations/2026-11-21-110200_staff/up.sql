-- One-time links that a manager hands to somebody: to become a member of staff, or to take another password.
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

-- TOTP (RFC 6238). The secret is sealed with a key that is not in the database.
CREATE TABLE second_factors (
    player_id uuid CONSTRAINT second_factors_pkey PRIMARY KEY
        CONSTRAINT second_factors_player_id_fkey REFERENCES players (id) ON DELETE CASCADE,
    secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- From then on it is asked for.
    confirmed_at timestamptz,
    -- The latest time step of which a code was taken: none is taken twice.
    last_step bigint NOT NULL DEFAULT 0,
    -- Wrong codes in a row, and when the last one came.
    misses integer NOT NULL DEFAULT 0,
    missed_at timestamptz
);

CREATE TABLE recovery_codes (
    player_id uuid NOT NULL
        CONSTRAINT recovery_codes_player_id_fkey REFERENCES second_factors (player_id) ON DELETE CASCADE,
    code_hash bytea NOT NULL CONSTRAINT recovery_codes_hash_length CHECK (octet_length(code_hash) = 32),
    used_at timestamptz,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (player_id, code_hash)
);
