-- What keeps the service running: its processes, its backups, and stored responses to repeated requests.

-- The processes that serve; each updates its row every few seconds. For display only: nothing relies on it.
CREATE TABLE processes (
    id uuid CONSTRAINT processes_pkey PRIMARY KEY,
    version text NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    -- Pages and apps with an open event stream there.
    viewers integer NOT NULL CONSTRAINT processes_viewers_natural CHECK (viewers >= 0)
);

-- What `houserules backup` took.
CREATE TABLE backups (
    id uuid CONSTRAINT backups_pkey PRIMARY KEY,
    taken_at timestamptz NOT NULL,
    bytes bigint NOT NULL CONSTRAINT backups_bytes_natural CHECK (bytes >= 0),
    sha256 bytea NOT NULL CONSTRAINT backups_sha256_length CHECK (octet_length(sha256) = 32)
);

CREATE INDEX backups_taken_at_idx ON backups (taken_at);

-- Responses to POSTs, for clients that repeat a request because the response got lost. Kept for a day.
CREATE TABLE idempotency_keys (
    -- HMAC of the client, the path and the key.
    id bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY
        CONSTRAINT idempotency_keys_id_length CHECK (octet_length(id) = 32),
    -- HMAC of the request's body.
    request_hash bytea NOT NULL CONSTRAINT idempotency_keys_request_hash_length
        CHECK (octet_length(request_hash) = 32),
    claimed_at timestamptz NOT NULL,
    -- Encrypted, since it may hold tokens. NULL until there is one.
    response bytea
);

CREATE INDEX idempotency_keys_claimed_at_idx ON idempotency_keys (claimed_at);
