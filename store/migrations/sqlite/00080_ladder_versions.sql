-- +goose Up
-- Ladders can be renamed: their settings have a version, as those of leagues have.

ALTER TABLE ladders ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
