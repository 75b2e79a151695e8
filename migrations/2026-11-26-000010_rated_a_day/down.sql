UPDATE rating_changes SET why = 'left_alone' WHERE why = 'too_often';
ALTER TABLE rating_changes DROP CONSTRAINT rating_changes_why_known,
    ADD CONSTRAINT rating_changes_why_known CHECK (why IN ('played', 'left_early', 'left_alone'));
