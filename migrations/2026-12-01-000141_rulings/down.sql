ALTER TABLE tournaments DROP COLUMN rulings;
