-- What parties brought to each hour at the café. Those that are still there are reckoned when it is asked for.
CREATE TABLE sitting_stats (
    day date NOT NULL,
    hour smallint NOT NULL,
    -- Parties that came in this hour, and of how many people they were.
    parties integer NOT NULL,
    people integer NOT NULL,
    -- How long tables were taken in this hour, all of them together.
    seconds integer NOT NULL,
    CONSTRAINT sitting_stats_pkey PRIMARY KEY (day, hour)
);

-- A party's share in each hour that it was there; without people it counts as none of its own. Cut at quarters of an hour,
-- since no time zone begins its hours anywhere else.
CREATE FUNCTION hours_of_sitting(since timestamptz, until timestamptz, size smallint, zone text)
RETURNS TABLE (day date, hour smallint, parties bigint, people bigint, seconds numeric) LANGUAGE sql STABLE AS $$
    SELECT (quarter AT TIME ZONE zone)::date, extract(hour FROM quarter AT TIME ZONE zone)::smallint,
           count(size) FILTER (WHERE quarter <= since),
           coalesce(sum(size) FILTER (WHERE quarter <= since), 0),
           sum(extract(epoch FROM least(quarter + interval '15 minutes', until) - greatest(quarter, since)))
    FROM generate_series(date_bin('15 minutes', since, 'epoch'), until, interval '15 minutes') AS quarter
    WHERE quarter < until OR quarter <= since
    GROUP BY 1, 2
$$;

-- Who came when, and who was there at some time. Clocks of different processes may let a sitting end before it begins.
CREATE INDEX sittings_opened_at_idx ON sittings (opened_at, id);
CREATE INDEX sittings_while_idx ON sittings USING gist (tstzrange(opened_at, greatest(opened_at, closed_at), '[]'))
    WHERE closed_at IS NOT NULL;

CREATE FUNCTION sittings_unsum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.closed_at IS NOT NULL THEN
        PERFORM unsum(OLD.id, OLD.opened_at, greatest(OLD.opened_at, OLD.closed_at));
    END IF;
    IF NEW.closed_at IS NOT NULL THEN
        PERFORM unsum(NEW.id, NEW.opened_at, greatest(NEW.opened_at, NEW.closed_at));
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER sittings_unsum_new AFTER INSERT ON sittings
    FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL) EXECUTE FUNCTION sittings_unsum();
-- The end of a sitting, that it is undone, and whatever is corrected afterwards.
CREATE TRIGGER sittings_unsum AFTER UPDATE OF opened_at, closed_at, ended, party_size ON sittings
    FOR EACH ROW WHEN (
        (OLD.closed_at IS NOT NULL OR NEW.closed_at IS NOT NULL)
        AND (OLD.opened_at, OLD.closed_at, OLD.ended, OLD.party_size)
            IS DISTINCT FROM (NEW.opened_at, NEW.closed_at, NEW.ended, NEW.party_size)
    ) EXECUTE FUNCTION sittings_unsum();

-- All sums are made anew, these with them.
DELETE FROM stats_zone;
