-- What the café says about itself. What is not set is as the server's own settings have it.
CREATE TABLE cafe (
    one boolean CONSTRAINT cafe_pkey PRIMARY KEY DEFAULT true CONSTRAINT cafe_only_one CHECK (one),
    name text CONSTRAINT cafe_name_length CHECK (char_length(name) BETWEEN 1 AND 40),
    time_zone text CONSTRAINT cafe_time_zone_length CHECK (char_length(time_zone) BETWEEN 1 AND 60),
    language text CONSTRAINT cafe_language_known CHECK (language IN ('ko', 'en', 'es')),
    -- Whether managers and owners need a second factor to do what only they may.
    second_factor_required boolean NOT NULL DEFAULT false
);
INSERT INTO cafe DEFAULT VALUES;

CREATE TABLE cafe_logo (
    one boolean CONSTRAINT cafe_logo_pkey PRIMARY KEY DEFAULT true CONSTRAINT cafe_logo_only_one CHECK (one),
    kind text NOT NULL CONSTRAINT cafe_logo_kind_known CHECK (kind IN ('image/png', 'image/jpeg', 'image/webp')),
    content bytea NOT NULL CONSTRAINT cafe_logo_content_length CHECK (octet_length(content) BETWEEN 1 AND 500000),
    -- Of the content: its address has it, so that browsers keep it for good.
    hash bytea NOT NULL CONSTRAINT cafe_logo_hash_length CHECK (octet_length(hash) = 32)
);

-- A day without a row is closed. Minutes from midnight; later than 1440 is the next day.
CREATE TABLE opening_hours (
    -- 1 is Monday.
    weekday smallint CONSTRAINT opening_hours_pkey PRIMARY KEY
        CONSTRAINT opening_hours_weekday_known CHECK (weekday BETWEEN 1 AND 7),
    opens smallint NOT NULL CONSTRAINT opening_hours_opens_in_day CHECK (opens BETWEEN 0 AND 1439),
    closes smallint NOT NULL,
    CONSTRAINT opening_hours_close_later CHECK (closes > opens AND closes <= opens + 1440)
);
