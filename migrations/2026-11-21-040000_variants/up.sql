-- House rules: a game's options under a name, in versions.
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

-- Two of one name would be mixed up; a retired one may hand its name on.
CREATE UNIQUE INDEX variants_name_key ON variants (game, lower(name)) WHERE status <> 'retired';
CREATE INDEX variants_status_idx ON variants (status, id);

CREATE TABLE variant_versions (
    variant_id uuid NOT NULL CONSTRAINT variant_versions_variant_id_fkey REFERENCES variants (id),
    number integer NOT NULL CONSTRAINT variant_versions_number_range CHECK (number >= 1),
    -- Of the game, by which the options were settled.
    revision integer NOT NULL CONSTRAINT variant_versions_revision_range CHECK (revision >= 0),
    -- All of them, defaults filled in.
    options jsonb NOT NULL,
    variant_hash bytea NOT NULL CONSTRAINT variant_versions_hash_length CHECK (octet_length(variant_hash) = 32),
    created_by uuid NOT NULL CONSTRAINT variant_versions_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    -- None while it is a draft.
    published_at timestamptz,
    CONSTRAINT variant_versions_pkey PRIMARY KEY (variant_id, number),
    -- For matches to refer to: what they are played by is what the version says.
    CONSTRAINT variant_versions_content_key UNIQUE (variant_id, number, variant_hash)
);

ALTER TABLE matches
    ADD COLUMN variant_id uuid,
    ADD COLUMN variant_version integer,
    -- SHA-256 of game, revision and options: docs/variants.md.
    ADD COLUMN variant_hash bytea;

-- The options of every game so far are a flat object.
UPDATE matches SET variant_hash = sha256(convert_to(
    'house-rules/variant/1{"game":' || to_json(game)::text || ',"options":{' || coalesce((
        SELECT string_agg(to_json(option.key)::text || ':' || option.value::text, ',' ORDER BY option.key COLLATE "C")
        FROM jsonb_each(options) AS option
    ), '') || '},"revision":' || revision::text || '}', 'UTF8'));

ALTER TABLE matches
    ALTER COLUMN variant_hash SET NOT NULL,
    ADD CONSTRAINT matches_variant_hash_length CHECK (octet_length(variant_hash) = 32),
    ADD CONSTRAINT matches_variant_with_version CHECK ((variant_id IS NULL) = (variant_version IS NULL)),
    ADD CONSTRAINT matches_variant_fkey FOREIGN KEY (variant_id, variant_version, variant_hash)
        REFERENCES variant_versions (variant_id, number, variant_hash);

CREATE INDEX matches_variant_hash_idx ON matches (variant_hash, id);
CREATE INDEX matches_variant_idx ON matches (variant_id, variant_version, id) WHERE variant_id IS NOT NULL;

CREATE FUNCTION variant_versions_stay() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER variant_versions_stay BEFORE UPDATE OR DELETE ON variant_versions
    FOR EACH ROW EXECUTE FUNCTION variant_versions_stay();
