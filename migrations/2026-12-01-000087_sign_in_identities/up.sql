-- Who an account is elsewhere: at a provider of OpenID Connect, by which its player signs in.
CREATE TABLE sign_in_identities (
    issuer text NOT NULL CONSTRAINT sign_in_identities_issuer_length CHECK (char_length(issuer) BETWEEN 8 AND 300),
    subject text NOT NULL CONSTRAINT sign_in_identities_subject_length CHECK (char_length(subject) BETWEEN 1 AND 255),
    player_id uuid NOT NULL
        CONSTRAINT sign_in_identities_player_id_fkey REFERENCES players (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    CONSTRAINT sign_in_identities_pkey PRIMARY KEY (issuer, subject)
);

CREATE INDEX sign_in_identities_player_idx ON sign_in_identities (player_id);
