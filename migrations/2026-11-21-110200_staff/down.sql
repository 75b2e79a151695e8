DROP TABLE recovery_codes;
DROP TABLE second_factors;
DROP TABLE staff_links;
