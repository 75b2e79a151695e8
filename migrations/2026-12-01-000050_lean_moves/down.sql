DROP TRIGGER matches_keep_all_logs ON matches;
DROP TRIGGER matches_keep_log ON matches;
DROP FUNCTION matches_keep_log();
ALTER TABLE match_log ADD CONSTRAINT match_log_match_id_fkey FOREIGN KEY (match_id) REFERENCES matches (id);

DROP TRIGGER matches_check_agreed ON matches;
DROP FUNCTION matches_check_agreed();
ALTER TABLE matches
    ADD CONSTRAINT matches_code_length CHECK (char_length(code) = 6),
    ADD CONSTRAINT matches_revision_range CHECK (revision >= 0),
    ADD CONSTRAINT matches_variant_hash_length CHECK (octet_length(variant_hash) = 32),
    ADD CONSTRAINT matches_seat_count_range CHECK (seat_count BETWEEN 1 AND 16),
    ADD CONSTRAINT matches_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
    ADD CONSTRAINT matches_mode_known CHECK (mode IN ('played', 'scored')),
    ADD CONSTRAINT matches_turn_seconds_range CHECK (turn_seconds BETWEEN 10 AND 86400),
    ADD CONSTRAINT matches_seed_length CHECK (octet_length(seed) = 32),
    ADD CONSTRAINT matches_commitment_length CHECK (octet_length(commitment) = 32),
    ADD CONSTRAINT matches_commitment_of_seed CHECK (commitment = sha256(seed)),
    ADD CONSTRAINT matches_variant_with_version CHECK ((variant_id IS NULL) = (variant_version IS NULL));
