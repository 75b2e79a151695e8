DROP INDEX sittings_opened_by_idx;
