DROP TRIGGER sittings_unsum ON sittings;
DROP TRIGGER sittings_unsum_new ON sittings;
DROP FUNCTION sittings_unsum();
DROP INDEX sittings_while_idx;
DROP INDEX sittings_opened_at_idx;
DROP FUNCTION hours_of_sitting(timestamptz, timestamptz, smallint, text);
DROP TABLE sitting_stats;
