-- SHA-256 of the refresh token before the valid one. Used later than a lost answer explains, it revokes the session.
ALTER TABLE sessions ADD COLUMN previous_hash bytea
    CONSTRAINT sessions_previous_hash_length CHECK (octet_length(previous_hash) = 32);
