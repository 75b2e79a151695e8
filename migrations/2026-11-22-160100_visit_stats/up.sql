-- How many of those who were there on a day had also been there so many days before, counting back their days: the 0th is
-- the day itself, the 1st the one before that, up to the 10th. Different people of a period, and on how many of its days
-- they came, are sums of these: docs/stats.md.
CREATE TABLE visit_stats (
    day date NOT NULL,
    nth smallint NOT NULL,
    days_before smallint NOT NULL,
    -- Whether that was their first day ever.
    is_first boolean NOT NULL,
    guests integer NOT NULL,
    CONSTRAINT visit_stats_pkey PRIMARY KEY (day, nth, days_before, is_first) INCLUDE (guests)
);

-- All sums are made anew, these with them.
DELETE FROM stats_zone;
