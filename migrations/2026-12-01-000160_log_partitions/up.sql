-- The log of matches, a partition for each month: a match's id begins with the milliseconds of its making, so a month is a range of
-- ids. What has been packed leaves whole partitions empty, and these go at once instead of leaving holes in one large table.
--
-- A plan that serves every match locks all partitions at each use, so there must be few of them.
ALTER TABLE match_log RENAME TO match_log_before;
ALTER TABLE match_log_before RENAME CONSTRAINT match_log_pkey TO match_log_before_pkey;
ALTER INDEX match_log_idempotency_key RENAME TO match_log_before_idempotency_key;
DROP TRIGGER match_log_append_only ON match_log_before;

CREATE TABLE match_log (
    match_id uuid NOT NULL,
    version integer NOT NULL CONSTRAINT match_log_version_range CHECK (version >= 0),
    -- Both are NULL at set-up.
    seat smallint CONSTRAINT match_log_seat_range CHECK (seat BETWEEN 0 AND 15),
    move json,
    -- The chance outcomes that this version called for, in order.
    chance json NOT NULL,
    -- The events, each with its audience.
    events json NOT NULL,
    idempotency_key text CONSTRAINT match_log_key_length CHECK (octet_length(idempotency_key) BETWEEN 1 AND 255),
    made_by text NOT NULL CONSTRAINT match_log_made_by_known CHECK (made_by IN ('player', 'house', 'staff')),
    at timestamptz NOT NULL,
    CONSTRAINT match_log_pkey PRIMARY KEY (match_id, version),
    CONSTRAINT match_log_set_up_first CHECK ((version = 0) = (move IS NULL) AND (seat IS NULL) = (move IS NULL)),
    CONSTRAINT match_log_key_of_player CHECK (idempotency_key IS NULL OR made_by = 'player')
) PARTITION BY RANGE (match_id);

CREATE UNIQUE INDEX match_log_idempotency_key ON match_log (match_id, seat, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

-- The first id that a match can have that is made in the month of this moment, in UTC.
CREATE FUNCTION match_log_first_id(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(substring(int8send((extract(epoch FROM date_trunc('month', at AT TIME ZONE 'UTC')) * 1000)::bigint) FROM 3)
                  || '\x00000000000000000000'::bytea, 'hex')::uuid
$$;

-- The log only grows. Statements that name a partition fire its own triggers, so each has them.
CREATE FUNCTION match_log_protect(partition text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER match_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.%I '
        'FOR EACH STATEMENT EXECUTE FUNCTION public.match_log_is_append_only()', partition);
END
$$;

-- Makes the partition of this moment's month: whether it did. The table comes to be by itself and is attached afterwards, which waits
-- for nobody who writes or reads but in the default partition. What lies there already stays, and with it the month.
CREATE FUNCTION match_log_add_partition(at timestamptz) RETURNS boolean LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
    month CONSTANT timestamptz := date_trunc('month', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
    name CONSTANT text := 'match_log_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
    following CONSTANT timestamptz := (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
    reader oid;
BEGIN
    IF to_regclass(format('public.%I', name)) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.match_log INCLUDING ALL) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)',
        name);
    PERFORM public.match_log_protect(name);
    -- Backups read each partition by its name.
    FOR reader IN
        SELECT DISTINCT acl.grantee FROM pg_class, aclexplode(relacl) AS acl
        WHERE pg_class.oid = 'public.match_log'::regclass AND acl.privilege_type = 'SELECT' AND acl.grantee <> relowner
    LOOP
        EXECUTE format('GRANT SELECT ON public.%I TO %s', name, CASE reader WHEN 0 THEN 'PUBLIC' ELSE reader::regrole::text END);
    END LOOP;
    EXECUTE format('ALTER TABLE public.match_log ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', name,
        public.match_log_first_id(month), public.match_log_first_id(following));
    RETURN true;
EXCEPTION
    -- Another process has just made it; an older partition reaches beyond this month; the default one has rows of it.
    WHEN duplicate_table OR invalid_object_definition OR check_violation THEN
        RETURN false;
END
$$;

-- Makes what is missing of this month and the next: how many. For the server, whose role may not change the schema.
CREATE FUNCTION match_log_make_partitions() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN public.match_log_add_partition(now())::integer
        + public.match_log_add_partition((now() AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')::integer;
END
$$;

-- Drops one partition of a past month that has no row any more: how many it dropped. Everybody waits for that, so it gives up at
-- once if it would have to wait itself, and leaves what would take long to look through until VACUUM has been there.
CREATE FUNCTION match_log_drop_partition() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
    this_month CONSTANT text := 'match_log_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM');
    name text;
    has_rows boolean;
BEGIN
    FOR name IN
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'public.match_log'::regclass AND relname ~ '^match_log_\d{4}_\d{2}$' AND relname < this_month
        ORDER BY relname
    LOOP
        CONTINUE WHEN pg_relation_size(format('public.%I', name)) > 8000000;
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO has_rows;
        CONTINUE WHEN has_rows;
        LOCK TABLE ONLY public.match_log IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO has_rows;
        CONTINUE WHEN has_rows;
        EXECUTE format('DROP TABLE public.%I', name);
        RETURN 1;
    END LOOP;
    RETURN 0;
END
$$;

REVOKE EXECUTE ON FUNCTION match_log_protect, match_log_add_partition, match_log_make_partitions, match_log_drop_partition FROM PUBLIC;

CREATE TRIGGER match_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_log
    FOR EACH STATEMENT EXECUTE FUNCTION match_log_is_append_only();

-- Takes what belongs to no month's partition, so that a move is written in any case.
CREATE TABLE match_log_default PARTITION OF match_log DEFAULT WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- What there is so far is the partition of this month and of all before. Ids of later months, from a clock that was wrong, go where
-- such ids always go.
DO $$
DECLARE
    name CONSTANT text := 'match_log_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM');
    following CONSTANT uuid := match_log_first_id((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
BEGIN
    WITH later AS (DELETE FROM match_log_before WHERE match_id >= following RETURNING *)
    INSERT INTO match_log_default SELECT * FROM later;
    EXECUTE format('ALTER TABLE match_log_before RENAME TO %I', name);
    EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT match_log_before_pkey TO %I', name, name || '_pkey');
    EXECUTE format('ALTER INDEX match_log_before_idempotency_key RENAME TO %I', name || '_idempotency_key');
    EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_insert_scale_factor = 0.02)', name);
    EXECUTE format('ALTER TABLE match_log ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, following);
    PERFORM match_log_protect(name), match_log_protect('match_log_default'), match_log_make_partitions();
END
$$;
