UPDATE matches SET variant_hash = sha256('house-rules/variant/1{"game":"other","options":{},"revision":0}')
WHERE game = 'other';

INSERT INTO unsummed SELECT id, finished_at, finished_at FROM matches WHERE game = 'other' AND finished_at IS NOT NULL
ON CONFLICT ON CONSTRAINT unsummed_pkey DO NOTHING;
