-- A new phone asks to be a guest's of the party: the old one died.

CREATE TABLE claims (
    id uuid CONSTRAINT claims_pkey PRIMARY KEY,
    sitting_id uuid NOT NULL CONSTRAINT claims_sitting_id_fkey REFERENCES sittings (id),
    -- Whose phone it says that it is.
    player_id uuid NOT NULL CONSTRAINT claims_player_id_fkey REFERENCES players (id),
    -- As whom the new phone is known, if it has a name already.
    asked_by uuid CONSTRAINT claims_asked_by_fkey REFERENCES players (id),
    -- SHA-256 of what only the new phone knows.
    phone_hash bytea NOT NULL CONSTRAINT claims_phone_hash_key UNIQUE
        CONSTRAINT claims_phone_hash_length CHECK (octet_length(phone_hash) = 32),
    user_agent text CONSTRAINT claims_user_agent_length CHECK (char_length(user_agent) BETWEEN 1 AND 200),
    status text NOT NULL DEFAULT 'open'
        CONSTRAINT claims_status_known CHECK (status IN ('open', 'confirmed', 'refused', 'taken')),
    asked_at timestamptz NOT NULL,
    -- Of the question, and then of the answer.
    expires_at timestamptz NOT NULL,
    answered_at timestamptz,
    answered_by uuid CONSTRAINT claims_answered_by_fkey REFERENCES players (id),
    CONSTRAINT claims_answered_by_somebody CHECK (
        (answered_at IS NULL) = (answered_by IS NULL) AND (status = 'open') = (answered_at IS NULL)
    )
);

-- Nobody is asked for by two phones at once.
CREATE UNIQUE INDEX claims_one_each ON claims (player_id) WHERE status = 'open';
CREATE INDEX claims_sitting_idx ON claims (sitting_id, id);
CREATE INDEX claims_expires_at_idx ON claims (expires_at);
