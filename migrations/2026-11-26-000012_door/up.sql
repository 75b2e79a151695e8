-- How often an account was tried in a row without success, so that guessing slows down.
CREATE TABLE sign_in_attempts (
    -- HMAC of the address, or of the device of somebody who had signed in from it before.
    key bytea CONSTRAINT sign_in_attempts_pkey PRIMARY KEY
        CONSTRAINT sign_in_attempts_key_length CHECK (octet_length(key) = 32),
    attempts integer NOT NULL CONSTRAINT sign_in_attempts_positive CHECK (attempts > 0),
    last_at timestamptz NOT NULL
);

CREATE INDEX sign_in_attempts_last_at_idx ON sign_in_attempts (last_at);

-- When the audit log was last told of something at the door, and how often it happened since without a line: nobody can fill the log.
CREATE TABLE door_notes (
    -- HMAC of what happened and to whom.
    key bytea CONSTRAINT door_notes_pkey PRIMARY KEY
        CONSTRAINT door_notes_key_length CHECK (octet_length(key) = 32),
    told_at timestamptz NOT NULL,
    untold integer NOT NULL CONSTRAINT door_notes_untold_positive CHECK (untold >= 0)
);

CREATE INDEX door_notes_told_at_idx ON door_notes (told_at);
