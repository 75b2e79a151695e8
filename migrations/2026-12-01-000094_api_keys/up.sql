-- Keys with which services elsewhere use the API. Each has an account, which names it in all that it does, and a session, whose
-- end ends it everywhere: both have the id of the key.
CREATE TABLE api_keys (
    id uuid CONSTRAINT api_keys_pkey PRIMARY KEY CONSTRAINT api_keys_id_fkey REFERENCES players (id),
    -- The beginning of the secret: it tells keys apart.
    prefix text NOT NULL CONSTRAINT api_keys_prefix_key UNIQUE
        CONSTRAINT api_keys_prefix_length CHECK (char_length(prefix) = 12),
    hash bytea NOT NULL CONSTRAINT api_keys_hash_length CHECK (octet_length(hash) = 32),
    role text NOT NULL CONSTRAINT api_keys_role_known CHECK (role IN ('staff', 'manager')),
    -- Changes nothing but what sandbox keys made.
    sandbox boolean NOT NULL,
    created_by uuid NOT NULL CONSTRAINT api_keys_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    -- NULL for a key that lasts until it is revoked.
    expires_at timestamptz,
    used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT api_keys_expire_later CHECK (expires_at > created_at)
);

CREATE INDEX api_keys_created_by_idx ON api_keys (created_by);

-- What an account may do at this moment. A key may never do more than the member of staff who made it.
CREATE FUNCTION role_at_work(account uuid, own_role text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce((
        SELECT CASE
            WHEN maker.banned_at IS NOT NULL AND (maker.banned_until IS NULL OR maker.banned_until > now()) THEN 'player'
            WHEN maker.role IN ('manager', 'owner') THEN api_keys.role
            ELSE maker.role
        END
        FROM api_keys JOIN players AS maker ON maker.id = api_keys.created_by WHERE api_keys.id = account
    ), own_role)
$$;

-- Whose second factor counts for an account: for a key, that of the member of staff who made it.
CREATE FUNCTION has_factor_at_work(account uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM second_factors
        WHERE confirmed_at IS NOT NULL
            AND player_id = coalesce((SELECT created_by FROM api_keys WHERE id = account), account)
    )
$$;
