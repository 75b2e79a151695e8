-- The waiting list: parties for whom no table is free, and the code at the door by which they put themselves down.

CREATE TABLE waiting_parties (
    id uuid CONSTRAINT waiting_parties_pkey PRIMARY KEY,
    -- Leads to the party's own page.
    token text NOT NULL CONSTRAINT waiting_parties_token_key UNIQUE
        CONSTRAINT waiting_parties_token_length CHECK (char_length(token) BETWEEN 16 AND 64),
    -- NULL once it was removed, a while after the end.
    name text CONSTRAINT waiting_parties_name_length CHECK (char_length(name) BETWEEN 1 AND 40),
    phone text CONSTRAINT waiting_parties_phone_length CHECK (char_length(phone) BETWEEN 5 AND 24),
    party_size smallint NOT NULL CONSTRAINT waiting_parties_size_range CHECK (party_size BETWEEN 1 AND 99),
    status text NOT NULL DEFAULT 'waiting'
        CONSTRAINT waiting_parties_status_known CHECK (status IN ('waiting', 'called', 'seated', 'no_show', 'gone')),
    joined_at timestamptz NOT NULL,
    -- Whether the guests put themselves down, by the code at the door.
    by_guest boolean NOT NULL,
    called_at timestamptz,
    ended_at timestamptz,
    -- Where it was seated.
    sitting_id uuid CONSTRAINT waiting_parties_sitting_id_fkey REFERENCES sittings (id),
    CONSTRAINT waiting_parties_called_has_time CHECK (status <> 'called' OR called_at IS NOT NULL),
    CONSTRAINT waiting_parties_over_has_end CHECK ((status IN ('seated', 'no_show', 'gone')) = (ended_at IS NOT NULL)),
    CONSTRAINT waiting_parties_seated_somewhere CHECK ((status = 'seated') = (sitting_id IS NOT NULL)),
    CONSTRAINT waiting_parties_name_while_waiting CHECK (name IS NOT NULL OR ended_at IS NOT NULL)
);

CREATE INDEX waiting_parties_open_idx ON waiting_parties (id) WHERE ended_at IS NULL;
CREATE INDEX waiting_parties_ended_at_idx ON waiting_parties (ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE cafe
    -- Whether guests may put themselves down by the code at the door.
    ADD COLUMN waiting_door boolean NOT NULL DEFAULT true,
    -- NULL until somebody prints it.
    ADD COLUMN waiting_code text CONSTRAINT cafe_waiting_code_shape CHECK (waiting_code ~ '^[2-9B-DF-HJKMNP-TV-Z]{6}$');
