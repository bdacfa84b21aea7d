-- +goose Up
-- The same tables as on SQLite. Text that lists are sorted by compares byte by byte, as it does there, whatever the
-- database's own locale.

CREATE TABLE tournaments (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text NOT NULL,
    variant text NOT NULL,
    format text NOT NULL,
    round_count bigint NOT NULL,
    time_control text NOT NULL,
    options text NOT NULL,
    tie_breaks text NOT NULL,
    points text NOT NULL,
    rated boolean NOT NULL,
    auto_rounds boolean NOT NULL,
    lot_seed text NOT NULL,
    status text NOT NULL,
    version bigint NOT NULL,
    organiser text NOT NULL,
    arbiters text NOT NULL,
    created_at bigint NOT NULL,
    starts_at bigint NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint NOT NULL,
    entry_count bigint NOT NULL,
    last_round bigint NOT NULL
);
CREATE INDEX tournaments_newest ON tournaments (created_at, id);
CREATE INDEX tournaments_by_status ON tournaments (status, created_at, id);

CREATE TABLE entries (
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    position bigint NOT NULL, -- order of registration
    number bigint NOT NULL, -- pairing number, 0 before the start
    name text NOT NULL,
    members text NOT NULL,
    rating double precision NOT NULL,
    club text NOT NULL,
    status text NOT NULL,
    withdrawn_from bigint NOT NULL,
    PRIMARY KEY (tournament_id, id)
);
CREATE UNIQUE INDEX entries_number ON entries (tournament_id, number) WHERE number > 0;

CREATE TABLE entry_members (
    tournament_id text NOT NULL,
    entry_id text COLLATE "C" NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (tournament_id, entry_id, player_id),
    FOREIGN KEY (tournament_id, entry_id) REFERENCES entries (tournament_id, id) ON DELETE CASCADE
);
CREATE INDEX entry_members_by_player ON entry_members (player_id, tournament_id);

CREATE TABLE rounds (
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    number bigint NOT NULL,
    status text NOT NULL,
    published_at bigint NOT NULL,
    PRIMARY KEY (tournament_id, number)
);

CREATE TABLE pairings (
    tournament_id text NOT NULL,
    round bigint NOT NULL,
    board bigint NOT NULL,
    seats text NOT NULL,
    game_id text COLLATE "C" NOT NULL, -- empty where no game is played
    games bigint NOT NULL,
    bye text NOT NULL,
    result text, -- NULL while it is open
    PRIMARY KEY (tournament_id, round, board),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number) ON DELETE CASCADE
);
-- A game counts for one pairing at most.
CREATE UNIQUE INDEX pairings_game ON pairings (game_id) WHERE game_id <> '';

CREATE TABLE result_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round bigint NOT NULL,
    board bigint NOT NULL,
    before_result text,
    after_result text,
    by_account text NOT NULL,
    at bigint NOT NULL,
    why text NOT NULL
);
CREATE INDEX result_changes_by_tournament ON result_changes (tournament_id, id);

-- games holds one row a game: what it started with, and a snapshot of where it stands. Seeds, and the positions of
-- games with secrets, are here in the clear: whoever can read this table knows them.
CREATE TABLE games (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    variant text NOT NULL,
    seats bigint NOT NULL,
    seed text NOT NULL,
    options text NOT NULL,
    players text NOT NULL,
    controls text NOT NULL,
    lag boolean NOT NULL,
    rated boolean NOT NULL,
    tournament_id text REFERENCES tournaments (id),
    round bigint NOT NULL,
    board bigint NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint NOT NULL,
    status text NOT NULL,
    version bigint NOT NULL,
    turn bigint NOT NULL,
    plies bigint NOT NULL,
    awaited text NOT NULL,
    offer bigint NOT NULL,
    clock text NOT NULL,
    deadline bigint NOT NULL,
    position text NOT NULL,
    outcome text -- NULL until finished
) WITH (fillfactor = 80);
-- No index holds a column that an ordinary move changes (version, turn, plies, awaited, offer, clock, deadline,
-- position), so that the row is replaced within its page; the fill factor leaves room for that.
CREATE INDEX games_newest ON games (created_at, id);
CREATE INDEX games_by_variant ON games (variant, created_at, id);
CREATE INDEX games_by_status ON games (status, created_at, id);
CREATE INDEX games_by_status_and_variant ON games (status, variant, created_at, id);
CREATE INDEX games_by_tournament ON games (tournament_id, created_at, id) WHERE tournament_id IS NOT NULL;

-- game_players finds a player's games; open seats are not in it. A player who sits at two seats is in it once.
CREATE TABLE game_players (
    player_id text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL, -- the game's
    game_id text COLLATE "C" NOT NULL REFERENCES games (id),
    PRIMARY KEY (player_id, created_at, game_id)
);
CREATE INDEX game_players_by_game ON game_players (game_id);

CREATE TABLE lines (
    game_id text COLLATE "C" NOT NULL REFERENCES games (id),
    n bigint NOT NULL,
    kind text NOT NULL,
    seat bigint NOT NULL,
    text text NOT NULL,
    at bigint NOT NULL,
    turn bigint NOT NULL,
    elapsed bigint NOT NULL,
    claimed bigint, -- NULL where the client said nothing
    remaining bigint NOT NULL,
    by_account text NOT NULL,
    PRIMARY KEY (game_id, n)
);

CREATE TABLE heartbeats (
    instance text NOT NULL PRIMARY KEY,
    at bigint NOT NULL
);

-- outbox tells of every game that is over, once, in the order of commit.
CREATE TABLE outbox (
    seq bigint PRIMARY KEY,
    game_id text COLLATE "C" NOT NULL UNIQUE REFERENCES games (id),
    variant text NOT NULL,
    list text COLLATE "C" NOT NULL,
    rated boolean NOT NULL,
    players text NOT NULL,
    sides text NOT NULL,
    ranks text, -- NULL for a void or aborted game
    reason text NOT NULL,
    plies bigint NOT NULL,
    aborted boolean NOT NULL,
    tournament_id text,
    round bigint NOT NULL,
    board bigint NOT NULL,
    finished_at bigint NOT NULL
);
CREATE INDEX outbox_of_tournaments ON outbox (seq) WHERE tournament_id IS NOT NULL;

-- cursors says how far each consumer of the outbox has come.
CREATE TABLE cursors (
    consumer text NOT NULL PRIMARY KEY,
    seq bigint NOT NULL
);
INSERT INTO cursors (consumer, seq) VALUES ('tournaments', 0), ('ratings', 0);

CREATE TABLE rating_rows (
    game_id text COLLATE "C" NOT NULL REFERENCES games (id),
    player_id text COLLATE "C" NOT NULL,
    list text COLLATE "C" NOT NULL,
    seat bigint NOT NULL,
    seq bigint NOT NULL,
    system text NOT NULL,
    value_before double precision NOT NULL,
    value_after double precision NOT NULL,
    change double precision NOT NULL,
    expected double precision NOT NULL,
    score double precision NOT NULL,
    games_after bigint NOT NULL,
    k double precision NOT NULL,
    reached boolean NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (game_id, player_id)
);
CREATE UNIQUE INDEX rating_rows_order ON rating_rows (seq, seat);
CREATE INDEX rating_rows_of_player ON rating_rows (list, player_id, seq);

-- current_ratings is the last row of every player in every list.
CREATE TABLE current_ratings (
    list text COLLATE "C" NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    value double precision NOT NULL,
    games bigint NOT NULL,
    reached boolean NOT NULL,
    seq bigint NOT NULL,
    last_at bigint NOT NULL,
    PRIMARY KEY (list, player_id)
);
CREATE INDEX current_ratings_ranking ON current_ratings (list, value DESC, player_id);
CREATE INDEX current_ratings_of_player ON current_ratings (player_id, list);

-- rating_lists sums up every list with at least one rated game.
CREATE TABLE rating_lists (
    list text COLLATE "C" NOT NULL PRIMARY KEY,
    games bigint NOT NULL,
    last_at bigint NOT NULL
);

CREATE TABLE accounts (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    login text NOT NULL UNIQUE,
    password_hash text NOT NULL,
    role text NOT NULL,
    player_id text COLLATE "C", -- the player this account acts for
    created_at bigint NOT NULL,
    disabled_at bigint NOT NULL
);
CREATE UNIQUE INDEX accounts_player ON accounts (player_id) WHERE player_id IS NOT NULL;

CREATE TABLE players (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the name in lower case, for search and order
    club text NOT NULL,
    birth_year bigint NOT NULL,
    rating text NOT NULL, -- ratings to start with, by list
    account_id text REFERENCES accounts (id),
    claim_hash text NOT NULL, -- empty where nobody can claim the player
    created_by text NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL
);
CREATE INDEX players_by_name ON players (name_key, id);
CREATE INDEX players_by_club ON players (club, name_key, id);
CREATE UNIQUE INDEX players_claim ON players (claim_hash) WHERE claim_hash <> '';
CREATE UNIQUE INDEX players_account ON players (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE credentials (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    kind text NOT NULL,
    hash text NOT NULL UNIQUE,
    account_id text REFERENCES accounts (id),
    family text NOT NULL,
    name text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint NOT NULL,
    revoked_at bigint NOT NULL
);
CREATE INDEX credentials_by_account ON credentials (account_id, kind, created_at);
CREATE INDEX credentials_by_family ON credentials (family) WHERE family <> '';

CREATE TABLE signing_keys (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    private_key bytea NOT NULL,
    created_at bigint NOT NULL,
    retired_at bigint NOT NULL
);

-- replies remembers what a request with an Idempotency-Key was answered.
CREATE TABLE replies (
    owner text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    instance text NOT NULL, -- who is answering, and since which of its starts
    boot text NOT NULL,
    begun_at bigint NOT NULL,
    answered boolean NOT NULL,
    status bigint NOT NULL,
    header text NOT NULL,
    body bytea,
    PRIMARY KEY (owner, key)
);
CREATE INDEX replies_by_age ON replies (begun_at);
