BEGIN TRANSACTION;
CREATE TABLE accounts (
    id            TEXT    NOT NULL PRIMARY KEY,
    login         TEXT    NOT NULL UNIQUE,
    password_hash TEXT    NOT NULL,
    role          TEXT    NOT NULL,
    player_id     TEXT, -- the player this account acts for
    created_at    INTEGER NOT NULL,
    disabled_at   INTEGER NOT NULL
) STRICT;
INSERT INTO "accounts" VALUES('account-1','ada','$argon2id$','organiser','player-1',1000,0);
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
INSERT INTO "credentials" VALUES('credential-1','refresh','aa00','account-1','family-1','','["read","play"]',1000,2000,0,0);
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
INSERT INTO "current_ratings" VALUES('quixo-blitz','player-1',1803.25,1,0,1,1900);
INSERT INTO "current_ratings" VALUES('quixo-blitz','player-2',1497.0,1,0,1,1900);
CREATE TABLE cursors (
    consumer TEXT    NOT NULL PRIMARY KEY,
    seq      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "cursors" VALUES('ratings',1);
INSERT INTO "cursors" VALUES('tournaments',1);
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
INSERT INTO "entries" VALUES('tournament-1','entry-1',1,1,'Ada','["player-1"]',1800.25,'','confirmed',0);
INSERT INTO "entries" VALUES('tournament-1','entry-2',2,2,'Bob','["player-2"]',0.0,'','confirmed',0);
CREATE TABLE entry_members (
    tournament_id TEXT NOT NULL,
    entry_id      TEXT NOT NULL,
    player_id     TEXT NOT NULL,
    PRIMARY KEY (tournament_id, entry_id, player_id),
    FOREIGN KEY (tournament_id, entry_id) REFERENCES entries (tournament_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "entry_members" VALUES('tournament-1','entry-1','player-1');
INSERT INTO "entry_members" VALUES('tournament-1','entry-2','player-2');
CREATE TABLE game_players (
    player_id  TEXT    NOT NULL,
    created_at INTEGER NOT NULL, -- the game's
    game_id    TEXT    NOT NULL REFERENCES games (id),
    PRIMARY KEY (player_id, created_at, game_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "game_players" VALUES('player-1',1600,'game-1');
INSERT INTO "game_players" VALUES('player-2',1600,'game-1');
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
INSERT INTO "games" VALUES('game-1','quixo/duel',2,'','{"max_plies":"80"}','["player-1","player-2"]','["300+3","300+3"]',0,1,'tournament-1',1,1,'account-1',1600,1700,1900,'finished',3,2,1,'null',0,'{"controls":["300+3","300+3"],"seats":[{"left":300000},{"left":300000}]}',0,'','{"ranks":[1,2],"reason":"resignation"}');
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO "goose_db_version" VALUES(1,0,1,'2026-11-21 01:09:41');
INSERT INTO "goose_db_version" VALUES(2,1,1,'2026-11-21 01:09:41');
CREATE TABLE heartbeats (
    instance TEXT    NOT NULL PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "heartbeats" VALUES('instance-1',1900);
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
INSERT INTO "lines" VALUES('game-1',1,'start',0,'',1700,1,0,NULL,0,'account-1');
INSERT INTO "lines" VALUES('game-1',2,'move',1,'a1-a5',1800,1,100,90,302900,'account-1');
INSERT INTO "lines" VALUES('game-1',3,'left',2,'resignation',1900,2,0,NULL,0,'');
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
INSERT INTO "outbox" VALUES(1,'game-1','quixo/duel','quixo-blitz',1,'["player-1","player-2"]','[1,2]','[1,2]','resignation',1,0,'tournament-1',1,1,1900);
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
INSERT INTO "pairings" VALUES('tournament-1',1,1,'["entry-1","entry-2"]','game-1',1,'','{"ranks":[1,2],"points":[10,0],"forfeit":false,"source":"server","reason":"resignation"}');
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
INSERT INTO "players" VALUES('player-1','Ada','ada','Quixo Club',1985,'{"quixo-blitz":1800.25}','account-1','','account-1',1000,1);
INSERT INTO "players" VALUES('player-2','Bob','bob','',0,'null',NULL,'00ff','account-1',1001,1);
CREATE TABLE rating_lists (
    list    TEXT    NOT NULL PRIMARY KEY,
    games   INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "rating_lists" VALUES('quixo-blitz',1,1900);
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
INSERT INTO "rating_rows" VALUES('game-1','player-1','quixo-blitz',1,1,'elo-club',1800.25,1803.25,3.0,0.85,1.0,1,20.0,0,1900);
INSERT INTO "rating_rows" VALUES('game-1','player-2','quixo-blitz',2,1,'elo-club',1500.0,1497.0,-3.0,0.15,0.0,1,20.0,0,1900);
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
INSERT INTO "replies" VALUES('account-1','key','fingerprint','instance-1','ab808916-1e1a-4e83-a5a9-6a193b70152b',1900,1,201,'{}',X'7B7D');
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
INSERT INTO "result_changes" VALUES(1,'tournament-1',1,1,NULL,'{"ranks":[1,2],"points":[10,0],"forfeit":false,"source":"server","reason":"resignation"}','server',1900,'');
CREATE TABLE rounds (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL,
    status        TEXT    NOT NULL,
    published_at  INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "rounds" VALUES('tournament-1',1,'published',1600);
CREATE TABLE signing_keys (
    id          TEXT    NOT NULL PRIMARY KEY,
    private_key BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    retired_at  INTEGER NOT NULL
) STRICT;
INSERT INTO "signing_keys" VALUES('key-1',X'0000000000000000000000000000000000000000000000000000000000000000',1000,0);
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
INSERT INTO "tournaments" VALUES('tournament-1','Club night','quixo/duel','swiss',1,'300+3','null','["BH/C1"]','{"win":10,"draw":5,"loss":0,"forfeit_win":10,"forfeit_loss":0,"bye":10}',1,0,'','running',2,'account-1','null',1000,0,1500,0,2,1);
CREATE INDEX tournaments_newest ON tournaments (created_at, id);
CREATE INDEX tournaments_by_status ON tournaments (status, created_at, id);
CREATE UNIQUE INDEX entries_number ON entries (tournament_id, number) WHERE number > 0;
CREATE INDEX entry_members_by_player ON entry_members (player_id, tournament_id);
CREATE UNIQUE INDEX pairings_game ON pairings (game_id) WHERE game_id <> '';
CREATE INDEX result_changes_by_tournament ON result_changes (tournament_id, id);
CREATE INDEX games_newest ON games (created_at, id);
CREATE INDEX games_by_variant ON games (variant, created_at, id);
CREATE INDEX games_by_status ON games (status, created_at, id);
CREATE INDEX games_by_status_and_variant ON games (status, variant, created_at, id);
CREATE INDEX games_by_tournament ON games (tournament_id, created_at, id) WHERE tournament_id IS NOT NULL;
CREATE INDEX game_players_by_game ON game_players (game_id);
CREATE INDEX outbox_of_tournaments ON outbox (seq) WHERE tournament_id IS NOT NULL;
CREATE UNIQUE INDEX rating_rows_order ON rating_rows (seq, seat);
CREATE INDEX rating_rows_of_player ON rating_rows (list, player_id, seq);
CREATE INDEX current_ratings_ranking ON current_ratings (list, value DESC, player_id);
CREATE INDEX current_ratings_of_player ON current_ratings (player_id, list);
CREATE UNIQUE INDEX accounts_player ON accounts (player_id) WHERE player_id IS NOT NULL;
CREATE INDEX players_by_name ON players (name_key, id);
CREATE INDEX players_by_club ON players (club, name_key, id);
CREATE UNIQUE INDEX players_claim ON players (claim_hash) WHERE claim_hash <> '';
CREATE UNIQUE INDEX players_account ON players (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX credentials_by_account ON credentials (account_id, kind, created_at);
CREATE INDEX credentials_by_family ON credentials (family) WHERE family <> '';
CREATE INDEX replies_by_age ON replies (begun_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('goose_db_version',2);
COMMIT;
