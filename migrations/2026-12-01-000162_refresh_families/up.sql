-- What all refresh tokens of a session have in common, and which of them is the valid one: so one that was replaced long ago is known.
-- NULL until the next refresh in sessions that are older than these columns.
ALTER TABLE sessions
    ADD COLUMN family_hash bytea CONSTRAINT sessions_family_hash_length CHECK (octet_length(family_hash) = 32),
    ADD COLUMN generation bigint NOT NULL DEFAULT 0;
