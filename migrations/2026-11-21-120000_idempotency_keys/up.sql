-- Answers to POSTs, for those who ask again because they did not hear them. Kept for a day.
CREATE TABLE idempotency_keys (
    -- HMAC of who asked, where, and with which key.
    id bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY
        CONSTRAINT idempotency_keys_id_length CHECK (octet_length(id) = 32),
    -- HMAC of what was asked.
    request bytea NOT NULL CONSTRAINT idempotency_keys_request_length CHECK (octet_length(request) = 32),
    claimed_at timestamptz NOT NULL,
    -- Sealed, for it may hold tokens. None until there is one.
    answer bytea
);

CREATE INDEX idempotency_keys_claimed_at_idx ON idempotency_keys (claimed_at);
