-- A match of a pair that was rated often enough that day is in the ledger, and changes nothing.
ALTER TABLE rating_changes DROP CONSTRAINT rating_changes_why_known,
    ADD CONSTRAINT rating_changes_why_known CHECK (why IN ('played', 'left_early', 'left_alone', 'too_often'));
