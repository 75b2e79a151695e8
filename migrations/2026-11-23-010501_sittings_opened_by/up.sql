-- Merging two people hands over the parties that one of them has opened.
CREATE INDEX sittings_opened_by_idx ON sittings (opened_by, id);
