DROP TABLE opening_hours, cafe_logo, cafe;
