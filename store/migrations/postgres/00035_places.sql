-- +goose Up
-- A game that ends leaves its row in the outbox without a place: under a negative number of its own, so that ends wait for
-- no lock. Whoever reads the outbox next gives such rows their places, one instance at a time.
CREATE SEQUENCE outbox_ended INCREMENT BY -1;
