-- +goose Up
-- Limits of casual games: the outbox says how many moves the seat made that made the fewest, NULL for games that ended before
-- this was stored, which the limits leave alone, and for games in the hall. Ratings count the games from tournaments among
-- their games. Players' ratings to start with have the moment at which they were entered, by list.

ALTER TABLE outbox ADD COLUMN fewest bigint;
ALTER TABLE rating_rows ADD COLUMN from_tournaments bigint NOT NULL DEFAULT 0;
ALTER TABLE current_ratings ADD COLUMN from_tournaments bigint NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN given_at text COLLATE "C" NOT NULL DEFAULT '{}';

UPDATE rating_rows SET from_tournaments = counted.games FROM (
    SELECT r.game_id, r.player_id, sum(CASE WHEN r.refunded = false AND (o.tournament_id IS NOT NULL OR o.reason = 'hall') THEN 1 ELSE 0 END)
        OVER (PARTITION BY r.list, r.player_id ORDER BY r.seq) AS games
    FROM rating_rows r JOIN outbox o ON o.seq = r.seq
) counted WHERE rating_rows.game_id = counted.game_id AND rating_rows.player_id = counted.player_id AND counted.games > 0;
UPDATE current_ratings SET from_tournaments = r.from_tournaments FROM rating_rows r
    WHERE r.list = current_ratings.list AND r.player_id = current_ratings.player_id AND r.seq = current_ratings.seq;
