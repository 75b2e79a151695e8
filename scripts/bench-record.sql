-- Notes each state that a move leads to: the log has the moves only. The server's role may not write here, so the function does as its
-- owner.
CREATE TABLE recorded (
    match uuid, version integer, state bytea, chance_count bigint, to_move integer, interrupt integer, moved_at timestamptz,
    PRIMARY KEY (match, version)
);

CREATE FUNCTION record_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO recorded VALUES (NEW.id, NEW.version, NEW.state, NEW.chance_count, NEW.to_move, NEW.interrupt, NEW.moved_at);
    RETURN NULL;
END
$$;

CREATE TRIGGER record_move AFTER UPDATE ON matches
    FOR EACH ROW WHEN (NEW.status = 'running' AND NEW.version > OLD.version) EXECUTE FUNCTION record_move();
