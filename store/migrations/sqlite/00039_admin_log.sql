-- +goose Up
-- The audit log of administration. Entries name no rows of other tables: they stay when what they tell of goes.
CREATE TABLE admin_log (
    id         TEXT    NOT NULL PRIMARY KEY,
    at         INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    via        TEXT    NOT NULL, -- request, command_line or service
    by_account TEXT    NOT NULL,
    by_name    TEXT    NOT NULL, -- login at that time
    request    TEXT    NOT NULL, -- id in the server's log
    about_kind TEXT    NOT NULL,
    about_id   TEXT    NOT NULL,
    about_name TEXT    NOT NULL,
    names      TEXT    NOT NULL, -- both, in lower case, to be searched
    was        TEXT    NOT NULL, -- JSON
    became     TEXT    NOT NULL
) STRICT;
CREATE INDEX admin_log_at ON admin_log (at, id);

-- +goose StatementBegin
CREATE TRIGGER admin_log_unchanged BEFORE UPDATE ON admin_log
BEGIN SELECT RAISE(ABORT, 'the log of administration is only added to'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER admin_log_undeleted BEFORE DELETE ON admin_log
BEGIN SELECT RAISE(ABORT, 'the log of administration is only added to'); END;
-- +goose StatementEnd
