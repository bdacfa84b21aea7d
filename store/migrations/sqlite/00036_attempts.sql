-- +goose Up
-- What keys owe for attempts of which only so many are allowed at all instances together. A file has one instance, which
-- keeps that in its memory: here it stays empty.

CREATE TABLE attempts (
    key     TEXT    NOT NULL PRIMARY KEY, -- what it is for, and a hash of who
    paid_at INTEGER NOT NULL -- when all is paid
) STRICT;
