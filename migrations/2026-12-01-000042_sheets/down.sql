ALTER TABLE cafe
    DROP CONSTRAINT cafe_wifi_whole,
    DROP COLUMN wifi_password,
    DROP COLUMN wifi_name,
    DROP COLUMN public_url;
