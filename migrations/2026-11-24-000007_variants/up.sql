-- House rules: a game's options under a name, in versions that never change once they were published or played.
CREATE TABLE variants (
    id uuid CONSTRAINT variants_pkey PRIMARY KEY,
    game text NOT NULL,
    name text NOT NULL CONSTRAINT variants_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
    description text CONSTRAINT variants_description_length CHECK (char_length(description) BETWEEN 1 AND 500),
    status text NOT NULL DEFAULT 'draft'
        CONSTRAINT variants_status_known CHECK (status IN ('draft', 'published', 'retired')),
    created_by uuid NOT NULL CONSTRAINT variants_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL
);

-- The name of a retired variant may be used again.
CREATE UNIQUE INDEX variants_name_key ON variants (game, lower(name)) WHERE status <> 'retired';
CREATE INDEX variants_status_idx ON variants (status, id);

CREATE TABLE variant_versions (
    variant_id uuid NOT NULL CONSTRAINT variant_versions_variant_id_fkey REFERENCES variants (id),
    number integer NOT NULL CONSTRAINT variant_versions_number_range CHECK (number >= 1),
    -- The game's, with which the options were checked.
    revision integer NOT NULL CONSTRAINT variant_versions_revision_range CHECK (revision >= 0),
    -- All of them, defaults filled in.
    options jsonb NOT NULL,
    -- SHA-256 of game, revision and options: docs/variants.md.
    variant_hash bytea NOT NULL CONSTRAINT variant_versions_hash_length CHECK (octet_length(variant_hash) = 32),
    created_by uuid NOT NULL CONSTRAINT variant_versions_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    -- NULL while it is a draft.
    published_at timestamptz,
    CONSTRAINT variant_versions_pkey PRIMARY KEY (variant_id, number),
    -- The target of `matches_variant_fkey`: a match has the options of the version that it names.
    CONSTRAINT variant_versions_content_key UNIQUE (variant_id, number, variant_hash)
);

CREATE FUNCTION variant_versions_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    played boolean := EXISTS (
        SELECT FROM matches WHERE variant_id = OLD.variant_id AND variant_version = OLD.number
    );
    changed boolean := TG_OP = 'DELETE'
        OR (NEW.variant_id, NEW.number, NEW.revision, NEW.options, NEW.variant_hash, NEW.created_by, NEW.created_at)
            IS DISTINCT FROM
           (OLD.variant_id, OLD.number, OLD.revision, OLD.options, OLD.variant_hash, OLD.created_by, OLD.created_at);
BEGIN
    -- What was tried out as a draft may still be published.
    IF changed AND (played OR OLD.published_at IS NOT NULL)
        OR TG_OP = 'UPDATE' AND OLD.published_at IS NOT NULL AND NEW.published_at IS DISTINCT FROM OLD.published_at
    THEN
        RAISE EXCEPTION 'a version that was published or played never changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER variant_versions_immutable BEFORE UPDATE OR DELETE ON variant_versions
    FOR EACH ROW EXECUTE FUNCTION variant_versions_immutable();

-- A match in which staff try a variant out, on one page. It counts nowhere, so it is no row of `matches`.
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
    -- The latest public events. What each seat knows beyond them is in its view.
    events json NOT NULL,
    created_by uuid NOT NULL CONSTRAINT trials_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT trials_variant_fkey FOREIGN KEY (variant_id, variant_version)
        REFERENCES variant_versions (variant_id, number)
);

CREATE INDEX trials_created_at_idx ON trials (created_at);
