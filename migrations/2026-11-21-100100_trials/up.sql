-- A variant that staff try out: a match on one page, which counts nowhere because it is none of the house's matches.
CREATE TABLE trials (
    id uuid CONSTRAINT trials_pkey PRIMARY KEY,
    variant_id uuid NOT NULL,
    variant_version integer NOT NULL,
    -- As they were then: a draft may change.
    options jsonb NOT NULL,
    revision integer NOT NULL,
    seat_count smallint NOT NULL CONSTRAINT trials_seat_count_range CHECK (seat_count BETWEEN 1 AND 16),
    version integer NOT NULL DEFAULT 0 CONSTRAINT trials_version_range CHECK (version >= 0),
    seed bytea NOT NULL CONSTRAINT trials_seed_length CHECK (octet_length(seed) = 32),
    chance_count bigint NOT NULL CONSTRAINT trials_chance_count_range CHECK (chance_count >= 0),
    state bytea NOT NULL,
    -- The latest events that everybody was told of; what each seat knows besides, its view shows.
    told json NOT NULL,
    created_by uuid NOT NULL CONSTRAINT trials_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT trials_variant_fkey FOREIGN KEY (variant_id, variant_version)
        REFERENCES variant_versions (variant_id, number)
);

CREATE INDEX trials_created_at_idx ON trials (created_at);
