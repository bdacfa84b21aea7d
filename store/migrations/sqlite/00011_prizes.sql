-- +goose Up
-- What is to be won in a tournament.

ALTER TABLE tournaments ADD COLUMN prizes TEXT NOT NULL DEFAULT '{}';
