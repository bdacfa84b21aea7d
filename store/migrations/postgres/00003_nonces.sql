-- +goose Up
-- Whether the seats add to the seed of a game: then what they added stands in its lines, and seed is the server's part.

ALTER TABLE games ADD COLUMN nonces boolean NOT NULL DEFAULT false;
