-- +goose Up
-- Games that wait for what their seats add to the seed wait until a time: ten minutes for the commitments, and ten more
-- from the last of them for the nonces.

UPDATE games
SET deadline = 600000 + CASE
    WHEN (SELECT count(*) FROM lines WHERE game_id = games.id AND kind = 'commitment') = seats
    THEN (SELECT max(at) FROM lines WHERE game_id = games.id AND kind = 'commitment')
    ELSE created_at
END
WHERE status = 'waiting' AND nonces;
