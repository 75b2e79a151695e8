-- What a device is called by its player or its app, where that says more than its User-Agent.
ALTER TABLE sessions
    ADD COLUMN device_name text CONSTRAINT sessions_device_name_length CHECK (char_length(device_name) BETWEEN 1 AND 60);
