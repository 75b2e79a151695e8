DROP TABLE opening_hours;
DROP TABLE cafe_logo;
DROP TABLE cafe;
