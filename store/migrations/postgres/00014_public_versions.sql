-- +goose Up
-- Versions of tournaments that count public changes alone, and members of teams who have not agreed yet. What was public
-- before counts on from the version that was shown then; the public has seen nothing of a draft.

ALTER TABLE tournaments ADD COLUMN public_version bigint NOT NULL DEFAULT 0;
UPDATE tournaments SET public_version = version WHERE status <> 'draft';
ALTER TABLE entries ADD COLUMN awaiting text NOT NULL DEFAULT 'null';
