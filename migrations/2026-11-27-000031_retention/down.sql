DROP INDEX players_guests_idx;
ALTER TABLE cafe DROP COLUMN forget_guests_after_months;
