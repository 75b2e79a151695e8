-- The processes that serve: each says every few seconds that it lives. Nothing else relies on it.
CREATE TABLE processes (
    id uuid CONSTRAINT processes_pkey PRIMARY KEY,
    version text NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    -- Pages and apps that wait for news there.
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
