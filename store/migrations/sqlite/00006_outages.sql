-- +goose Up
-- Times in which nobody served the games, as long as a running game has not got its share of them back.
CREATE TABLE outages (
    from_at INTEGER NOT NULL,
    to_at   INTEGER NOT NULL,
    PRIMARY KEY (from_at, to_at)
) STRICT, WITHOUT ROWID;
