-- NULL keeps guests for good.
ALTER TABLE cafe ADD COLUMN forget_guests_after_months smallint
    CONSTRAINT cafe_forget_guests_after_months_range CHECK (forget_guests_after_months BETWEEN 1 AND 120);

-- Guests who may be forgotten, those who came first before the others.
CREATE INDEX players_guests_idx ON players (created_at, id)
    WHERE registered_at IS NULL AND deleted_at IS NULL AND merged_into IS NULL;
