-- The café's settings. Each is one row; a setting that is NULL is taken from the server's configuration.
CREATE TABLE cafe (
    singleton boolean CONSTRAINT cafe_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT cafe_singleton CHECK (singleton),
    name text CONSTRAINT cafe_name_length CHECK (char_length(name) BETWEEN 1 AND 40),
    time_zone text CONSTRAINT cafe_time_zone_length CHECK (char_length(time_zone) BETWEEN 1 AND 60),
    language text CONSTRAINT cafe_language_known CHECK (language IN ('ko', 'en', 'es')),
    -- For managers and owners.
    second_factor_required boolean NOT NULL DEFAULT false
);
INSERT INTO cafe DEFAULT VALUES;

CREATE TABLE cafe_logo (
    singleton boolean CONSTRAINT cafe_logo_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT cafe_logo_singleton CHECK (singleton),
    media_type text NOT NULL CONSTRAINT cafe_logo_media_type_known
        CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
    content bytea NOT NULL CONSTRAINT cafe_logo_content_length CHECK (octet_length(content) BETWEEN 1 AND 500000),
    -- Of the content. It is part of the logo's address, so that browsers may cache it for good.
    hash bytea NOT NULL CONSTRAINT cafe_logo_hash_length CHECK (octet_length(hash) = 32)
);

-- A day without a row is closed. Minutes from midnight; more than 1440 is the next day.
CREATE TABLE opening_hours (
    -- 1 is Monday.
    weekday smallint CONSTRAINT opening_hours_pkey PRIMARY KEY
        CONSTRAINT opening_hours_weekday_known CHECK (weekday BETWEEN 1 AND 7),
    opens smallint NOT NULL CONSTRAINT opening_hours_opens_in_day CHECK (opens BETWEEN 0 AND 1439),
    closes smallint NOT NULL,
    CONSTRAINT opening_hours_close_later CHECK (closes > opens AND closes <= opens + 1440)
);
