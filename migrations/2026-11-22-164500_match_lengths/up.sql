-- Matches by the same rules with as many seats by how long they took: what is behind a median. The day of their end is part of
-- it, so that those of other days are passed over without being read.
CREATE INDEX matches_length_idx ON matches (variant_hash, seat_count, (finished_at - started_at), id, finished_at)
    WHERE status = 'finished' AND mode = 'played';
