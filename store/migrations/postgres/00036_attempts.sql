-- +goose Up
-- What keys owe for attempts of which only so many are allowed at all instances together, such as wrong passwords. It is not
-- logged: a crash of the server forgets it, and an attempt costs no write to the disk.

CREATE UNLOGGED TABLE attempts (
    key     text COLLATE "C" NOT NULL PRIMARY KEY, -- what it is for, and a hash of who
    paid_at bigint NOT NULL -- when all is paid, in microseconds by the server's clock
);
