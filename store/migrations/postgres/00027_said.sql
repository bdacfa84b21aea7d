-- +goose Up
-- What the server itself gives as a reason is kept beside its English words as a format with its values, so that pages say
-- it in the reader's language; '' for what people wrote, and for everything older than this.

ALTER TABLE result_changes ADD COLUMN said text NOT NULL DEFAULT '';
ALTER TABLE tournament_acts ADD COLUMN said text NOT NULL DEFAULT '';
ALTER TABLE lines ADD COLUMN said text NOT NULL DEFAULT '';
