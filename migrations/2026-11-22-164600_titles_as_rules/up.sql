-- Of a match of no game of ours the title is all that is known of its rules: by it such matches are told apart.
UPDATE matches SET variant_hash = sha256(convert_to(
    'house-rules/variant/1{"game":"other","options":{"title":' || to_json(title)::text || '},"revision":0}', 'UTF8'))
FROM match_terms WHERE match_id = id AND game = 'other' AND title IS NOT NULL;

INSERT INTO unsummed SELECT id, finished_at, finished_at FROM matches WHERE game = 'other' AND finished_at IS NOT NULL
ON CONFLICT ON CONSTRAINT unsummed_pkey DO NOTHING;
