-- The same as `length_stats` of whole months: lengths are the finest of all sums, and a year of them is many.
CREATE TABLE length_months (
    -- Its first day.
    month date NOT NULL CONSTRAINT length_months_month_first CHECK (extract(day FROM month) = 1),
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    bucket smallint NOT NULL,
    finished integer NOT NULL,
    CONSTRAINT length_months_pkey PRIMARY KEY (month, game, variant_hash, seats, bucket)
);

-- All sums are made anew, these with them.
DELETE FROM stats_zone;
