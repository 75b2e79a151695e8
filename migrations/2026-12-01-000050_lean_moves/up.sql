-- A move updates one row of matches and adds one to match_log. PostgreSQL reads every CHECK of a table again in each statement that
-- writes it, and checks each of them: what says something of columns that no move changes is checked where those columns are written.
ALTER TABLE matches
    DROP CONSTRAINT matches_code_length,
    DROP CONSTRAINT matches_revision_range,
    DROP CONSTRAINT matches_variant_hash_length,
    DROP CONSTRAINT matches_seat_count_range,
    DROP CONSTRAINT matches_name_length,
    DROP CONSTRAINT matches_mode_known,
    DROP CONSTRAINT matches_turn_seconds_range,
    DROP CONSTRAINT matches_seed_length,
    DROP CONSTRAINT matches_commitment_length,
    DROP CONSTRAINT matches_commitment_of_seed,
    DROP CONSTRAINT matches_variant_with_version;

CREATE FUNCTION matches_check_agreed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    broken CONSTANT text := CASE
        WHEN char_length(NEW.code) <> 6 THEN 'matches_code_length'
        WHEN NEW.revision < 0 THEN 'matches_revision_range'
        WHEN octet_length(NEW.variant_hash) <> 32 THEN 'matches_variant_hash_length'
        WHEN NEW.seat_count NOT BETWEEN 1 AND 16 THEN 'matches_seat_count_range'
        WHEN char_length(NEW.name) NOT BETWEEN 1 AND 60 THEN 'matches_name_length'
        WHEN NEW.mode NOT IN ('played', 'scored') THEN 'matches_mode_known'
        WHEN NEW.turn_seconds NOT BETWEEN 10 AND 86400 THEN 'matches_turn_seconds_range'
        WHEN octet_length(NEW.seed) <> 32 THEN 'matches_seed_length'
        WHEN octet_length(NEW.commitment) <> 32 THEN 'matches_commitment_length'
        WHEN NEW.commitment <> sha256(NEW.seed) THEN 'matches_commitment_of_seed'
        WHEN (NEW.variant_id IS NULL) <> (NEW.variant_version IS NULL) THEN 'matches_variant_with_version'
    END;
BEGIN
    IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'new row for relation "matches" violates check constraint "%"', broken
            USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER matches_check_agreed
    BEFORE INSERT OR UPDATE OF code, revision, variant_id, variant_version, variant_hash, seat_count, name, mode, turn_seconds, seed,
        commitment ON matches
    FOR EACH ROW EXECUTE FUNCTION matches_check_agreed();

-- The foreign key of the log locked the row of matches that the same statement had just written. A row of the log is only ever written
-- by a statement that has just written its match, or in a transaction that holds it; and no match goes while it has a log.
ALTER TABLE match_log DROP CONSTRAINT match_log_match_id_fkey;

CREATE FUNCTION matches_keep_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' OR EXISTS (SELECT FROM match_log WHERE match_id = OLD.id) THEN
        RAISE EXCEPTION 'a match stays as long as its log' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END
$$;

CREATE TRIGGER matches_keep_log BEFORE DELETE ON matches FOR EACH ROW EXECUTE FUNCTION matches_keep_log();
CREATE TRIGGER matches_keep_all_logs BEFORE TRUNCATE ON matches FOR EACH STATEMENT EXECUTE FUNCTION matches_keep_log();
