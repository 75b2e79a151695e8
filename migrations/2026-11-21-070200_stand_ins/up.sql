-- Who plays on for a player who has left. Who sat down at the start stays who they were: the nonce, the leaving and the rating are theirs.
-- What a stand-in may see and do is what the seat may: nothing about its chance changes hands.
ALTER TABLE match_seats
    ADD COLUMN stand_in_id uuid CONSTRAINT match_seats_stand_in_id_fkey REFERENCES players (id),
    ADD CONSTRAINT match_seats_stand_in_after_leaving CHECK (stand_in_id IS NULL OR left_at IS NOT NULL);
CREATE UNIQUE INDEX match_seats_stand_in_key ON match_seats (stand_in_id, match_id) WHERE stand_in_id IS NOT NULL;

-- Every offer of a seat, and what became of it.
CREATE TABLE match_stand_ins (
    id uuid CONSTRAINT match_stand_ins_pkey PRIMARY KEY,
    match_id uuid NOT NULL,
    seat smallint NOT NULL,
    player_id uuid NOT NULL CONSTRAINT match_stand_ins_player_id_fkey REFERENCES players (id),
    offered_by uuid NOT NULL CONSTRAINT match_stand_ins_offered_by_fkey REFERENCES players (id),
    offered_at timestamptz NOT NULL,
    -- They agreed, and the moves after this version are theirs.
    accepted_at timestamptz,
    from_version integer CONSTRAINT match_stand_ins_from_version_range CHECK (from_version >= 0),
    left_at timestamptz,
    CONSTRAINT match_stand_ins_seat_fkey FOREIGN KEY (match_id, seat) REFERENCES match_seats (match_id, seat),
    CONSTRAINT match_stand_ins_accepted_from CHECK ((accepted_at IS NULL) = (from_version IS NULL)),
    CONSTRAINT match_stand_ins_left_after CHECK (left_at IS NULL OR accepted_at IS NOT NULL)
);

-- One offer of a seat at a time.
CREATE UNIQUE INDEX match_stand_ins_open_key ON match_stand_ins (match_id, seat) WHERE accepted_at IS NULL;
CREATE INDEX match_stand_ins_seat_idx ON match_stand_ins (match_id, seat, from_version);
CREATE INDEX match_stand_ins_player_id_idx ON match_stand_ins (player_id, match_id);
