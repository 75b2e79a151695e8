-- What staff rule about single entrants: byes that were asked for, points given or taken away, pairs who should not meet.
ALTER TABLE tournaments ADD COLUMN rulings jsonb NOT NULL DEFAULT '{"byes": [], "adjustments": [], "apart": []}'
    CONSTRAINT tournaments_rulings_object CHECK (jsonb_typeof(rulings) = 'object');
