-- +goose Up
-- Ladders can be renamed: their settings have a version, as those of leagues have.

ALTER TABLE ladders ADD COLUMN version bigint NOT NULL DEFAULT 1;
