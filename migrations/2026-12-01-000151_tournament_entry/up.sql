-- Who may enter: everybody, who has the code, or whom staff enter.
ALTER TABLE tournaments
    ADD COLUMN entry text NOT NULL DEFAULT 'open'
        CONSTRAINT tournaments_entry_known CHECK (entry IN ('open', 'code', 'staff')),
    ADD COLUMN entry_code text CONSTRAINT tournaments_entry_code_form CHECK (entry_code ~ '^[2-9B-DF-HJ-NP-TV-Z]{6}$'),
    ADD CONSTRAINT tournaments_entry_code_of_entry CHECK ((entry = 'code') = (entry_code IS NOT NULL));
