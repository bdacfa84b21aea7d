-- +goose Up
-- What a club writes about itself on its first page, instead of what the program is.

ALTER TABLE club_settings ADD COLUMN welcome text NOT NULL DEFAULT '';
