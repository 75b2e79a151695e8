-- What people pay for their time. Each change is a version of its own, so that what was owed can be explained later.
CREATE TABLE tariffs (
    version integer CONSTRAINT tariffs_pkey PRIMARY KEY CONSTRAINT tariffs_version_positive CHECK (version > 0),
    made_at timestamptz NOT NULL,
    -- NULL where nothing is charged from then on.
    terms jsonb CONSTRAINT tariffs_terms_object CHECK (jsonb_typeof(terms) = 'object')
);

ALTER TABLE sittings
    -- How many people were there since when: [{"since": …, "people": 3}]. Empty where the size never changed.
    ADD COLUMN headcounts jsonb NOT NULL DEFAULT '[]'
        CONSTRAINT sittings_headcounts_list CHECK (jsonb_typeof(headcounts) = 'array'),
    -- What the party owed when it left, with the version of the tariff.
    ADD COLUMN owed jsonb CONSTRAINT sittings_owed_at_the_end CHECK (owed IS NULL OR closed_at IS NOT NULL);
