DROP TABLE length_months;
