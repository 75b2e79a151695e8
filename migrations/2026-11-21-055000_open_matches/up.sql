-- Matches that wait or run, for the floor and for lists: few, however many were played.
CREATE INDEX matches_open_idx ON matches (id) WHERE status IN ('waiting', 'running');
