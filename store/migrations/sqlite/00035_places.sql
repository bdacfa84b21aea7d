-- +goose Up
-- SQLite has one writer, which numbers the rows of the outbox as it writes them; nothing changes here.
SELECT 1;
