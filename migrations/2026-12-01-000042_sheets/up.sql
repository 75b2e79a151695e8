-- What printed codes say besides their table: under which address phones reach the server, and how they come into the Wi-Fi.
ALTER TABLE cafe
    ADD COLUMN public_url text CONSTRAINT cafe_public_url_length CHECK (char_length(public_url) BETWEEN 8 AND 200),
    ADD COLUMN wifi_name text CONSTRAINT cafe_wifi_name_length CHECK (octet_length(wifi_name) BETWEEN 1 AND 32),
    ADD COLUMN wifi_password text CONSTRAINT cafe_wifi_password_length CHECK (char_length(wifi_password) BETWEEN 8 AND 63),
    ADD CONSTRAINT cafe_wifi_whole CHECK (wifi_password IS NULL OR wifi_name IS NOT NULL);
