DROP TABLE trials, variant_versions, variants;
DROP FUNCTION variant_versions_immutable();
