ALTER TABLE matches DROP COLUMN variant_hash, DROP COLUMN variant_version, DROP COLUMN variant_id;
DROP TABLE variant_versions;
DROP FUNCTION variant_versions_stay;
DROP TABLE variants;
