-- +goose Up
-- Ids are text, times are milliseconds since 1970 UTC, lists and maps are JSON text. STRICT tables hold every column
-- to its type.

CREATE TABLE tournaments (
    id           TEXT    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL,
    variant      TEXT    NOT NULL,
    format       TEXT    NOT NULL,
    round_count  INTEGER NOT NULL,
    time_control TEXT    NOT NULL,
    options      TEXT    NOT NULL,
    tie_breaks   TEXT    NOT NULL,
    points       TEXT    NOT NULL,
    rated        INTEGER NOT NULL,
    auto_rounds  INTEGER NOT NULL,
    lot_seed     TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    organiser    TEXT    NOT NULL,
    arbiters     TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    starts_at    INTEGER NOT NULL,
    started_at   INTEGER NOT NULL,
    finished_at  INTEGER NOT NULL,
    entry_count  INTEGER NOT NULL,
    last_round   INTEGER NOT NULL
) STRICT;
CREATE INDEX tournaments_newest ON tournaments (created_at, id);
CREATE INDEX tournaments_by_status ON tournaments (status, created_at, id);

CREATE TABLE entries (
    tournament_id  TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    id             TEXT    NOT NULL,
    position       INTEGER NOT NULL, -- order of registration
    number         INTEGER NOT NULL, -- pairing number, 0 before the start
    name           TEXT    NOT NULL,
    members        TEXT    NOT NULL,
    rating         REAL    NOT NULL,
    club           TEXT    NOT NULL,
    status         TEXT    NOT NULL,
    withdrawn_from INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entries_number ON entries (tournament_id, number) WHERE number > 0;

CREATE TABLE entry_members (
    tournament_id TEXT NOT NULL,
    entry_id      TEXT NOT NULL,
    player_id     TEXT NOT NULL,
    PRIMARY KEY (tournament_id, entry_id, player_id),
    FOREIGN KEY (tournament_id, entry_id) REFERENCES entries (tournament_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_members_by_player ON entry_members (player_id, tournament_id);

CREATE TABLE rounds (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL,
    status        TEXT    NOT NULL,
    published_at  INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairings (
    tournament_id TEXT    NOT NULL,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    seats         TEXT    NOT NULL,
    game_id       TEXT    NOT NULL, -- empty where no game is played
    games         INTEGER NOT NULL,
    bye           TEXT    NOT NULL,
    result        TEXT, -- NULL while it is open
    PRIMARY KEY (tournament_id, round, board),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
-- A game counts for one pairing at most.
CREATE UNIQUE INDEX pairings_game ON pairings (game_id) WHERE game_id <> '';

CREATE TABLE result_changes (
    id            INTEGER PRIMARY KEY,
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    before_result TEXT,
    after_result  TEXT,
    by_account    TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    why           TEXT    NOT NULL
) STRICT;
CREATE INDEX result_changes_by_tournament ON result_changes (tournament_id, id);

-- games holds one row a game: what it started with, and a snapshot of where it stands. Seeds, and the positions of
-- games with secrets, are here in the clear: whoever can read this file knows them.
CREATE TABLE games (
    id            TEXT    NOT NULL PRIMARY KEY,
    variant       TEXT    NOT NULL,
    seats         INTEGER NOT NULL,
    seed          TEXT    NOT NULL,
    options       TEXT    NOT NULL,
    players       TEXT    NOT NULL,
    controls      TEXT    NOT NULL,
    lag           INTEGER NOT NULL,
    rated         INTEGER NOT NULL,
    tournament_id TEXT REFERENCES tournaments (id),
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    created_by    TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    started_at    INTEGER NOT NULL,
    finished_at   INTEGER NOT NULL,
    status        TEXT    NOT NULL,
    version       INTEGER NOT NULL,
    turn          INTEGER NOT NULL,
    plies         INTEGER NOT NULL,
    awaited       TEXT    NOT NULL,
    offer         INTEGER NOT NULL,
    clock         TEXT    NOT NULL,
    deadline      INTEGER NOT NULL,
    position      TEXT    NOT NULL,
    outcome       TEXT -- NULL until finished
) STRICT;
-- No index holds a column that an ordinary move changes (version, turn, plies, awaited, offer, clock, deadline,
-- position): a move writes one page of games and one of lines, no more.
CREATE INDEX games_newest ON games (created_at, id);
CREATE INDEX games_by_variant ON games (variant, created_at, id);
CREATE INDEX games_by_status ON games (status, created_at, id);
CREATE INDEX games_by_status_and_variant ON games (status, variant, created_at, id);
CREATE INDEX games_by_tournament ON games (tournament_id, created_at, id) WHERE tournament_id IS NOT NULL;

-- game_players finds a player's games; open seats are not in it. A player who sits at two seats is in it once.
CREATE TABLE game_players (
    player_id  TEXT    NOT NULL,
    created_at INTEGER NOT NULL, -- the game's
    game_id    TEXT    NOT NULL REFERENCES games (id),
    PRIMARY KEY (player_id, created_at, game_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_players_by_game ON game_players (game_id);

CREATE TABLE lines (
    game_id    TEXT    NOT NULL REFERENCES games (id),
    n          INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    seat       INTEGER NOT NULL,
    text       TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    turn       INTEGER NOT NULL,
    elapsed    INTEGER NOT NULL,
    claimed    INTEGER, -- NULL where the client said nothing
    remaining  INTEGER NOT NULL,
    by_account TEXT    NOT NULL,
    PRIMARY KEY (game_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE heartbeats (
    instance TEXT    NOT NULL PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- outbox tells of every game that is over, once, in the order of commit.
CREATE TABLE outbox (
    seq           INTEGER PRIMARY KEY,
    game_id       TEXT    NOT NULL UNIQUE REFERENCES games (id),
    variant       TEXT    NOT NULL,
    list          TEXT    NOT NULL,
    rated         INTEGER NOT NULL,
    players       TEXT    NOT NULL,
    sides         TEXT    NOT NULL,
    ranks         TEXT, -- NULL for a void or aborted game
    reason        TEXT    NOT NULL,
    plies         INTEGER NOT NULL,
    aborted       INTEGER NOT NULL,
    tournament_id TEXT,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    finished_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_of_tournaments ON outbox (seq) WHERE tournament_id IS NOT NULL;

-- cursors says how far each consumer of the outbox has come.
CREATE TABLE cursors (
    consumer TEXT    NOT NULL PRIMARY KEY,
    seq      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO cursors (consumer, seq) VALUES ('tournaments', 0), ('ratings', 0);

CREATE TABLE rating_rows (
    game_id      TEXT    NOT NULL REFERENCES games (id),
    player_id    TEXT    NOT NULL,
    list         TEXT    NOT NULL,
    seat         INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    system       TEXT    NOT NULL,
    value_before REAL    NOT NULL,
    value_after  REAL    NOT NULL,
    change       REAL    NOT NULL,
    expected     REAL    NOT NULL,
    score        REAL    NOT NULL,
    games_after  INTEGER NOT NULL,
    k            REAL    NOT NULL,
    reached      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    PRIMARY KEY (game_id, player_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX rating_rows_order ON rating_rows (seq, seat);
CREATE INDEX rating_rows_of_player ON rating_rows (list, player_id, seq);

-- current_ratings is the last row of every player in every list.
CREATE TABLE current_ratings (
    list      TEXT    NOT NULL,
    player_id TEXT    NOT NULL,
    value     REAL    NOT NULL,
    games     INTEGER NOT NULL,
    reached   INTEGER NOT NULL,
    seq       INTEGER NOT NULL,
    last_at   INTEGER NOT NULL,
    PRIMARY KEY (list, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX current_ratings_ranking ON current_ratings (list, value DESC, player_id);
CREATE INDEX current_ratings_of_player ON current_ratings (player_id, list);

-- rating_lists sums up every list with at least one rated game.
CREATE TABLE rating_lists (
    list    TEXT    NOT NULL PRIMARY KEY,
    games   INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id            TEXT    NOT NULL PRIMARY KEY,
    login         TEXT    NOT NULL UNIQUE,
    password_hash TEXT    NOT NULL,
    role          TEXT    NOT NULL,
    player_id     TEXT, -- the player this account acts for
    created_at    INTEGER NOT NULL,
    disabled_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX accounts_player ON accounts (player_id) WHERE player_id IS NOT NULL;

CREATE TABLE players (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    name_key   TEXT    NOT NULL, -- the name in lower case, for search and order
    club       TEXT    NOT NULL,
    birth_year INTEGER NOT NULL,
    rating     TEXT    NOT NULL, -- ratings to start with, by list
    account_id TEXT REFERENCES accounts (id),
    claim_hash TEXT    NOT NULL, -- empty where nobody can claim the player
    created_by TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX players_by_name ON players (name_key, id);
CREATE INDEX players_by_club ON players (club, name_key, id);
CREATE UNIQUE INDEX players_claim ON players (claim_hash) WHERE claim_hash <> '';
CREATE UNIQUE INDEX players_account ON players (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE credentials (
    id         TEXT    NOT NULL PRIMARY KEY,
    kind       TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    account_id TEXT REFERENCES accounts (id),
    family     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    scopes     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credentials_by_account ON credentials (account_id, kind, created_at);
CREATE INDEX credentials_by_family ON credentials (family) WHERE family <> '';

CREATE TABLE signing_keys (
    id          TEXT    NOT NULL PRIMARY KEY,
    private_key BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    retired_at  INTEGER NOT NULL
) STRICT;

-- replies remembers what a request with an Idempotency-Key was answered.
CREATE TABLE replies (
    owner       TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    instance    TEXT    NOT NULL, -- who is answering, and since which of its starts
    boot        TEXT    NOT NULL,
    begun_at    INTEGER NOT NULL,
    answered    INTEGER NOT NULL,
    status      INTEGER NOT NULL,
    header      TEXT    NOT NULL,
    body        BLOB,
    PRIMARY KEY (owner, key)
) STRICT;
CREATE INDEX replies_by_age ON replies (begun_at);
