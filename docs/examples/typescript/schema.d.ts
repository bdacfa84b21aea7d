// Generated from openapi.yaml by `go generate ./...`; do not edit.
/** Of a table of three to five, the seats whose entries did not come. In `ranks` they share the last place; where a result is entered, their own ranks do not count. Without `ranks` the table was not played: those who came have the points of a forfeit win. */
export type AbsentSeats = Array<Seat>;
export type Account = {
  created_at: Time;
  disabled: boolean;
  id: ID;
  login: Login;
  player_id?: ID;
  role: Role;
};
export type AccountCreated = {
  account_id: ID;
  player_id?: ID;
};
export type AccountList = {
  items: Array<Account>;
};
export type AccountPatch = {
  /** A disabled account's tokens and sessions work no more. */
  disabled?: boolean;
  role?: Role;
};
/** Whose stream it is. */
export type AccountState = {
  account_id: ID;
  player: PlayerRef;
  server_time: Time;
};
/** Everything open follows as events of its own; what the reader knew before is void. First, and where the stream cannot resume. */
export type AccountStateEvent = {
  data: AccountState;
  event: "state";
  id: EventID;
};
/** An event of the stream of an account. */
export type AccountStreamEvent = AccountStateEvent | InvitedEvent | GameStartedEvent | MyTurnEvent | MyNonceEvent | OfferEvent | RulingEvent | OpponentGoneEvent | OpponentBackEvent | GameEndedEvent | RoundPublishedEvent | MyPairingEvent | TeamInvitedEvent | ArbiterAnsweredEvent | NoticeEvent | PingEvent;
/** It stands in the game''s record. */
export type ActReason = string;
/** When and how an open game goes on; left out for one that was not adjourned. */
export type Adjourned = string;
export type AdjudicateAct = {
  ranks: Ranks;
  reason: ActReason;
};
/** True for a game that was not played to its end, decided by the arbiter. */
export type Adjudicated = boolean;
export type AdminLog = {
  items: Array<AdminLogEntry>;
  next_cursor?: NextCursor;
};
export type AdminLogActor = {
  account_id?: ID;
  /** At that time. */
  login?: string;
  /** Of the request in the server's log, which has the address it came from. */
  request_id?: string;
  /** A request of an account, somebody at the command line, or the service by itself. */
  via: "request" | "command_line" | "service";
};
export type AdminLogEntry = {
  about: AdminLogSubject;
  after?: AdminLogValues;
  at: Time;
  before?: AdminLogValues;
  by: AdminLogActor;
  id: ID;
  kind: AdminLogKind;
};
/** What was done; more kinds may be added. */
export type AdminLogKind = "set_up" | "settings_changed" | "account_created" | "role_changed" | "account_disabled" | "account_enabled" | "password_reset_made" | "password_reset_used" | "password_set" | "invitation_made" | "invitation_ended" | "admin_token_made" | "admin_token_ended" | "players_added" | "player_changed" | "claim_code_made" | "players_merged" | "person_deleted" | "rating_mark_made" | "rating_mark_lifted" | "ratings_imported" | "ratings_recomputed" | "tournament_imported" | "tournament_deleted" | "arbiters_changed" | "backup_made" | "backup_taken";
export type AdminLogSubject = {
  id?: ID;
  kind: "installation" | "account" | "player" | "ratings" | "tournament";
  /** A login or name at that time, which may be gone by now. */
  name?: string;
};
/** Values by name; what had no value is left out. Never a password, a code or a token. */
export type AdminLogValues = { [key: string]: string };
export type Arbiter = {
  account_id: ID;
  login: Login;
};
/** What an arbiter has answered to a call from the player's board. */
export type ArbiterAnswer = {
  at: Time;
  board: number;
  call_id: ID;
  round: number;
  /** As in the answer of the arbiter: on the way, or done with. */
  status: string;
  tournament: TournamentRef;
};
/** An arbiter has answered a call from the player's board. */
export type ArbiterAnsweredEvent = {
  data: ArbiterAnswer;
  event: "arbiter_answered";
  id?: EventID;
};
export type Arbiters = {
  items: Array<Arbiter>;
};
export type Arena = {
  /** When games that are not over become void; once it runs. */
  closes_at?: Time;
  /** When no more games begin; once it runs. */
  ends_at?: Time;
  /** Open games. */
  games: number;
  /** Who waits or will wait after the present game. */
  players: number;
  rows: Array<ArenaRow>;
  status: string;
  tournament_id: ID;
};
export type ArenaCase = {
  berserk_moves: number;
  games: Array<ArenaCaseGame>;
  id: ID;
  players: Array<ID>;
  preferred?: number;
  /** Of tables of three to five. */
  sizes?: Array<number>;
};
/** Of two, `w`, `b` and `r`; of three to five, `table`. */
export type ArenaCaseGame = {
  /** When it ended; seconds since 1970. */
  at: number;
  b?: ID;
  berserk?: Array<ID>;
  /** Of the winner; 0 for a forfeit. Enough for berserk if left out. */
  moves?: number;
  /** Half points of the first seat. */
  r?: number;
  /** In the order of the seats. */
  table?: Array<ArenaCaseSeat>;
  w?: ID;
};
export type ArenaCaseSeat = {
  /** Did not come. */
  absent?: boolean;
  place: number;
  player: ID;
};
export type ArenaPoints = number;
export type ArenaRow = {
  /** The open game; left out of those that do not play. */
  board?: number;
  entry: EntryRef;
  game_id?: ID;
  points: ArenaPoints;
  rank: Rank;
  scores: Array<ArenaScore>;
  /** Wins in a row now; from two on games count double. */
  streak: number;
  table?: ArenaTable;
  /** Left out of those that are away. */
  waiting_since?: Time;
};
/** How an `arena` is paired and counted. Further values may come to be. */
export type ArenaRules = {
  berserk?: boolean;
  berserk_moves?: Count;
  boards?: Count;
  grace?: Count;
  length?: Count;
  patience?: Count;
  tick?: Count;
};
/** What a game brought. */
export type ArenaScore = {
  /** One more for a win with half of the time. */
  berserk?: boolean;
  /** The number of the game in the arena. */
  board: number;
  /** After two wins in a row. */
  doubled?: boolean;
  /** One of the two made no move. */
  forfeit?: boolean;
  game_id?: ID;
  /** Of a game of two. */
  opponent?: EntryRef;
  /** At a table of three to five, in the order of the seats. */
  others?: Array<EntryRef>;
  points: ArenaPoints;
};
/** How long an `arena` lasts, and how free players are paired. */
export type ArenaSettings = {
  /** Players may take half of their time for a point more; true if left out, and never in the hall. */
  berserk?: boolean;
  /** After how many moves a win in berserk brings that point; 5 if left out. */
  berserk_moves?: number;
  /** Boards, or tables, that there are in the hall; if 0 or left out, enough. */
  boards?: number;
  /** Seconds after the end in which games may be finished; if 0 or left out, the time of the clock or five minutes, whichever is longer. */
  grace?: number;
  /** Minutes; 60 if left out. It can change while the arena goes on. */
  length?: number;
  /** Seconds after which those that wait are paired however few they are; 15 if left out. */
  patience?: number;
  /** Seconds between two pairings; 5 if left out. */
  tick?: number;
};
/** Where in the hall it is played, from 1. */
export type ArenaTable = number;
export type Award = {
  /** In hundredths. */
  amount: number;
  category: string;
  entry: EntryRef;
  /** In the category. */
  place: number;
  /** How many shared, this one included. */
  sharers?: number;
  text?: string;
  why: string;
};
export type Backup = {
  at: Time;
  bytes: number;
  name: BackupName;
};
/** The last backup that was restored as a trial and checked. */
export type BackupDrill = {
  at: Time;
  good: boolean;
  name: BackupName;
  /** What was found. */
  text: string;
};
/** Why the last backup was not made, or its command failed. */
export type BackupFailure = {
  at: Time;
  detail: string;
  /** More kinds may be added. */
  kind: "folder" | "full" | "slow" | "command" | "unknown";
};
export type BackupName = string;
export type Backups = {
  drill?: BackupDrill;
  failure?: BackupFailure;
  items: Array<Backup>;
  last_at?: Time;
  /** There has been none for 36 hours. */
  late: boolean;
  next_at?: Time;
  /** One is being made. */
  running: boolean;
};
export type BirthYear = number;
export type Block = {
  at: Time;
  player: PlayerRef;
};
export type BlockList = {
  items: Array<Block>;
};
/** A result of the board, or a substitute before the first move on it. */
export type BoardChange = {
  reason?: string;
  /** `1-0`, `1/2-1/2`, `0-1`, `+--`, `--+` or `---`, by team: that with White in the match first. */
  result?: string;
  substitute?: {
    entry_id: ID;
    player_id: ID;
  };
};
export type BoardCodes = {
  board: Count;
  /** By seat, or empty if they were revoked. */
  codes: Array<string>;
  team_board?: ReportedBoard;
};
export type BoardExplanation = {
  /** Of the FIDE Handbook. */
  articles?: Array<string>;
  board: Count;
  /** Score of the bracket in which they were paired. */
  bracket?: string;
  bye?: ByeCode;
  /** Why they sit so. */
  colours?: string;
  /** What ruled out `passed_over`, who came before in order. */
  criterion?: string;
  /** In seat order. */
  entries: Array<EntryRef>;
  /** Why these entries meet, or why this one has the bye. */
  meeting: string;
  passed_over?: EntryRef;
  /** `system` as it was drawn up; `arbiter` set by hand; `seats` the system's entries in other seats. */
  source: string;
};
/** A board of a match has a result, which it had not before. */
export type BoardFinishedEvent = {
  data: MatchNotice;
  event: "board.finished";
  id: EventID;
};
/** Empty where nobody sits. */
export type BoardPlayer = {
  player?: PlayerRef;
};
export type BoardPrizeRow = {
  /** Where the member played most, of equals the higher. */
  board: number;
  entry: EntryRef;
  /** Played on this board. */
  games: number;
  /** With games in two thirds of the rounds. */
  listed: boolean;
  player: PlayerRef;
  points: string;
};
export type BoardPrizes = {
  items: Array<BoardPrizeRow>;
};
export type BoardReport = {
  board: Count;
  /** There is an open call from here. */
  called: boolean;
  /** The sides have reported different results. */
  disputed: boolean;
  /** In seat order. */
  entries: Array<EntryRef>;
  game_id?: ID;
  /** Of a match of teams: the boards that a report gives the results of. */
  open_boards?: Array<number>;
  /** Names at a board of a match of teams, by team. */
  players?: Array<PersonName>;
  /** A result can be reported. */
  reportable: boolean;
  /** By seat. */
  reports: Array<SeatReport>;
  result?: ResultText;
  round: Count;
  seat?: Seat;
  team_board?: ReportedBoard;
  tournament_id: ID;
};
export type BoardResult = {
  absent?: AbsentSeats;
  adjourned?: Adjourned;
  adjudicated?: Adjudicated;
  board: Count;
  forfeit?: boolean;
  hall_game_id?: HallGameID;
  history: Array<ResultChange>;
  points?: Array<string>;
  ranks?: Ranks;
  rated?: RatedByHand;
  rated_as?: RatedAs;
  reason?: string;
  recorded?: Recorded;
  /** After a change: the rounds paired from the earlier result that can be deleted and paired anew, because nothing was played in them yet. */
  repairable?: Array<Count>;
  result?: ResultText;
  round: Count;
  /** More may come in later versions. `players` if all sides of the board reported the same result. */
  source?: string;
  venue?: Venue;
};
/** A board of a match has a game on the server. */
export type BoardStartedEvent = {
  data: MatchNotice;
  event: "board.started";
  id: EventID;
};
/** The level of the bot that has the seat; left out for players. A game with a bot is not rated, and has a player too. */
export type BotLevel = number;
/** A knock-out as far as it is known. Before the start it has no rounds. */
export type Bracket = {
  rounds: Array<BracketRound>;
  third_place?: BracketMatch;
  winner?: EntryRef;
};
/** One side of a match: an entry, whose number is its seed; else where it comes from, while that is not known; else `nobody`, for byes and for matches that both forfeited. */
export type BracketEntry = {
  entry?: EntryRef;
  loser_of?: BracketPlace;
  nobody?: boolean;
  winner_of?: BracketPlace;
};
export type BracketMatch = {
  /** Where it is played; left out until its round is published, and where nothing is played. */
  board?: number;
  /** The upper one first, whoever has which seat. */
  entries: Array<BracketEntry>;
  /** Nobody goes on. */
  forfeited_by_both?: boolean;
  /** Nothing is played, because somebody has nobody to meet. */
  free?: boolean;
  /** All games that the server hosted, oldest first. */
  games?: Array<PairingGame>;
  loser?: ID;
  next?: BracketPlace;
  /** The round of the tournament with the last of its legs so far; left out where there is one leg. */
  paired_in?: number;
  /** Within the round, from the top; left out for the match for the third place. */
  place?: number;
  reason?: string;
  result?: ResultText;
  round: Count;
  /** Entry ids in the seats of the last game. */
  seats?: Array<ID>;
  winner?: ID;
};
/** Where a match stands in the bracket. */
export type BracketPlace = {
  /** Within the round, from the top. */
  place: number;
  round: Count;
};
export type BracketRound = {
  matches: Array<BracketMatch>;
  name: string;
  number: Count;
};
/** More may come in later versions. */
export type ByeCode = string;
export type Call = {
  at: Time;
  board: Count;
  id: ID;
  /** `dispute`: the sides have reported different results. */
  kind: "help" | "dispute";
  round: Count;
  seat?: Seat;
  status: "open" | "seen" | "settled";
  team_board?: ReportedBoard;
  /** What the player wrote. */
  word?: string;
};
export type CallAnswer = {
  status: "seen" | "settled";
};
export type Calls = {
  items: Array<Call>;
  next_cursor?: NextCursor;
};
/** The player who files the line-ups of a team over several boards, who need not be a member. Whoever enters the own team is its captain if it is left out; else the first member. */
export type CaptainID = string;
/** For a player who is open to challenges: how many casual games may be under way into which a challenge has seated the player and in which the player has not moved yet. A further challenge is an invitation, which waits for the player to accept. 1 unless the player says otherwise; left out for an account without a player. */
export type ChallengesAtOnce = number;
export type CheckInOpening = {
  /** All entries are to check in again. */
  anew?: boolean;
};
export type ClaimCode = {
  code: Secret;
};
export type ClockAct = {
  add_ms?: number;
  /** Byo-yomi periods, with `set_ms`. */
  periods?: number;
  reason: ActReason;
  seat: Seat;
  /** What the clock shows from now on. */
  set_ms?: number;
};
export type ClubSettings = {
  /** Settings that were given where the service was started. A change to them is stored, and in force once the service is started without. */
  fixed?: Array<"name" | "registration" | "reach">;
  /** Who is responsible for the data, on the page about privacy; left out where nobody is named. */
  imprint?: string;
  /** Of readers who ask for none that is on offer; left out where that is the service's own. */
  language?: string;
  /** On all pages; left out before it was decided. */
  name?: string;
  /** Whether organisers may have passwords set anew of players without any other role. */
  organisers_reset?: boolean;
  reach: Reach;
  registration: Registration;
  /** In which times are shown; UTC if left out. */
  time_zone?: string;
  /** A sentence or two about the club on the first page; left out where that has the service's own. */
  welcome?: string;
};
export type ClubSettingsPatch = {
  /** Who is responsible for the data, on the page about privacy. */
  imprint?: string;
  /** Empty for the service's own. */
  language?: string;
  name?: Name;
  /** Whether organisers may have passwords set anew of players without any other role. */
  organisers_reset?: boolean;
  reach?: Reach;
  registration?: Registration;
  /** Empty for UTC. */
  time_zone?: string;
  /** A sentence or two on the first page; empty for the service's own. */
  welcome?: string;
};
export type Count = number;
export type Credentials = {
  login: string;
  password: string;
};
export type Crosstable = {
  /** In a `team_scheveningen`: the players of both teams, by team and place. */
  players?: Array<CrosstablePlayer>;
  round: Count;
  rows: Array<CrosstableRow>;
};
export type CrosstableCell = {
  bye?: ByeCode;
  forfeit?: boolean;
  /** Entry ids; none in a round without a game. */
  opponents?: Array<ID>;
  points?: string;
  round: Count;
  seat?: Seat;
};
export type CrosstableMeeting = {
  board: number;
  forfeit?: boolean;
  game_id?: ID;
  opponent: PlayerRef;
  points?: string;
  round: Count;
  seat: Seat;
};
export type CrosstablePlayer = {
  entry_id: ID;
  /** Played, without forfeits. */
  games: number;
  meetings: Array<CrosstableMeeting>;
  /** In the team; a substitute has that of the player who was replaced. */
  place: number;
  player: PlayerRef;
  points: string;
};
export type CrosstableRow = {
  cells: Array<CrosstableCell>;
  entry: EntryRef;
  points: string;
  /** Left out for who withdrew too early to be ranked. */
  rank?: number;
};
export type DateProposal = {
  at: Time;
  entry_id: ID;
};
export type Day = string;
export type Decimal = string;
export type DeclineAct = {
  /** The other players read it. */
  reason?: string;
};
/** Players who file line-ups beside the captain. */
export type DeputyIDs = Array<string>;
export type DrawAct = {
  action: "offer" | "accept" | "decline";
  seat?: Seat;
};
/** An address of ASCII letters, digits and signs. As `address` it has been confirmed by the link that was sent there, as `pending` it has not yet, and nothing else is sent there. */
export type EmailAddress = string;
/** `reset`: a link for a forgotten password; `invited`: an invitation to a game; `round`: the board and opponents of a published round; `turn`: it is the player's turn in a game with days for each move; `date`: another captain proposes a date for a match of the player's team; `match`: the line-up of such a match is due within a day. */
export type EmailKind = "reset" | "invited" | "round" | "turn" | "date" | "match";
/** Fields that are left out stay as they are. */
export type EmailPatch = {
  /** Needs `current_password`. A link is sent there, which confirms it; until then the one before is used. Empty: none any more. */
  address?: string;
  off?: Array<EmailKind>;
};
/** E-mail to the account; left out where the service sends none. */
export type EmailSettings = {
  address?: EmailAddress;
  /** Kinds of e-mail that are not sent. */
  off: Array<EmailKind>;
  pending?: EmailAddress;
};
export type EntriesMade = {
  items: Array<Entry>;
};
export type Entry = {
  /** Members who have not agreed yet to be in this team. It takes no part before they have, or the organiser has confirmed it. For its members and those who run the tournament. */
  awaiting?: Array<PlayerRef>;
  /** The level of the bot that plays for the entry; left out for people. */
  bot?: number;
  /** Rounds in which it asked not to be paired. */
  byes?: Array<EntryBye>;
  captain?: PlayerRef;
  club?: PersonName;
  deputies?: Array<PlayerRef>;
  id: ID;
  /** Empty for a bot and for who plays over the board only. */
  members: Array<PlayerRef>;
  name: PersonName;
  /** From the start on. */
  number?: number;
  /** It is checked in. For its members and those who run the tournament. */
  present?: boolean;
  rating?: number;
  status: "registered" | "confirmed" | "withdrawn";
  /** The first round without it. */
  withdrawn_from?: number;
};
export type EntryBye = {
  bye: ByeCode;
  round: number;
};
export type EntryList = {
  items: Array<Entry>;
  next_cursor?: NextCursor;
};
export type EntryPatch = {
  captain?: CaptainID;
  /** Empty for none. */
  club?: string;
  deputies?: DeputyIDs;
  /** Player ids in the order of their seats, in place of the present ones; before the start. While the tournament runs, an entry without players may get them, once: its games are rated from the next published round on. */
  members?: Array<ID>;
  name?: Name;
  rating?: Strength;
};
export type EntryRef = {
  id: ID;
  name: PersonName;
  number?: number;
};
/** The position in the stream, for `Last-Event-ID`. Of several events of one change only the last has it, so that a reader which is cut off between them gets all of them again. */
export type EventID = string;
export type ExplainedChange = {
  against: Array<RatingComparison>;
  change: RatingChange;
  /** After the game; left out in systems without one. */
  deviation?: number;
  /** In the order in which games finished. */
  place: number;
  /** The change was taken back, since a player was marked. */
  refunded?: boolean;
};
export type FieldError = {
  detail: string;
  /** Where the parameter stands; left out without one. */
  in?: string;
  /** The name of a parameter; left out where the body is at fault. */
  parameter?: string;
  /** A JSON pointer into the body; empty for the body as a whole, and where `parameter` says what is at fault. */
  pointer: string;
};
export type FloatExplanation = {
  bracket: string;
  entry: EntryRef;
  text: string;
};
export type ForbiddenGroup = {
  /** Entry ids; no two of them meet. */
  entries: Array<ID>;
  /** From the first on if left out. */
  first_round?: number;
  /** To the last if left out. */
  last_round?: number;
  reason?: Text;
};
export type ForbiddenPairs = {
  items: Array<ForbiddenGroup>;
};
export type ForfeitAct = {
  reason: ActReason;
  seat: Seat;
};
export type Game = {
  /** While the game waits for players to accept: when it is broken off. */
  accept_until?: Time;
  awaited: Array<Seat>;
  chance?: GameChance;
  /** Of a private game that waits for players; only its own players see it. */
  code?: string;
  /** SHA-256 of the seed in hex, where the game has one; with nonces, once it is dealt. */
  commitment?: string;
  created_at: Time;
  draw_offer?: Seat;
  events: Array<GameEvent>;
  finished_at?: Time;
  id: ID;
  /** Legal moves of the asker's own seats that are awaited. */
  legal: { [key: string]: Array<MoveToken> };
  /** The game was created with seats for the first players to come. Left out otherwise. */
  open?: boolean;
  options: Options;
  outcome?: Outcome;
  plies: Count;
  /** The canonical text; left out where it holds secrets. */
  position?: string;
  /** Who sits down needs the code of the game, and it is not in the list of open games. Left out otherwise. */
  private?: boolean;
  rated: boolean;
  /** The awaited seats choose in secret, all for the same turn. */
  sealed: boolean;
  seats: Array<GameSeat>;
  /** The seed in hex, once the game is over. */
  seed?: string;
  server_time: Time;
  started_at?: Time;
  /** While a game of a tournament waits: when its clocks start at the latest. If a seat has `accepted`, they start as soon as all seats have, that is when their players are at the board. */
  starts_at?: Time;
  status: GameStatus;
  takeback_offer?: Seat;
  /** The players may agree to take a move back; left out if not. */
  takebacks?: boolean;
  time_control: TimeControl;
  tournament?: GamePlace;
  turn: Count;
  variant: VariantID;
  venue?: Venue;
  /** Grows with every event. */
  version: number;
  /** What this viewer may see of the position, in a shape of the variant's own. */
  view: { [key: string]: any };
};
/** What the seed is made of, where the seats add to it. */
export type GameChance = {
  /** The seats that have not sent what is due, first commitments, then nonces. */
  awaited: Array<Seat>;
  /** Every nonce that was to come is in. */
  dealt: boolean;
  seats: Array<SeatChance>;
  /** SHA-256 of the server's seed, in hex. */
  server_commitment: string;
  /** Once the game is over. */
  server_seed?: string;
  /** By when it must come, while something is awaited. */
  until?: Time;
};
/** The clocks were started, stopped, set or given time back; a player has accepted, or sent a nonce. */
export type GameClockEvent = {
  data: Game;
  event: "clock";
  id?: EventID;
};
/** A game has ended, or an invitation was declined or withdrawn (`aborted`). */
export type GameEndedEvent = {
  data: Game;
  event: "game_over";
  id?: EventID;
};
export type GameEvent = {
  at: Time;
  elapsed_ms?: Millis;
  /** More may come in later versions. */
  kind: string;
  /** Left out where the viewer may not know it yet. */
  move?: string;
  n: number;
  /** An arbiter's. */
  reason?: string;
  /** On the clock after a move, or as it was changed; left out where the seat has no clock. */
  remaining_ms?: number;
  seat?: Seat;
  /** Why a seat left; the reason of an abort; the length of an outage in ms; a nonce or its commitment, left out where the viewer may not know it yet; ranks, or a cause, or the first move that was taken back, or the ms that a clock was set to or given. */
  text?: string;
  turn?: Count;
};
export type GameList = {
  items: Array<GameSummary>;
  next_cursor?: NextCursor;
};
/** A move, a leaving, an agreed draw or an arbiter's decision was recorded, or moves were taken back. `events` of the game has the new lines alone. */
export type GameMoveEvent = {
  data: Game;
  event: "move";
  id?: EventID;
};
/** A draw was offered or declined, or a takeback requested or declined. */
export type GameOfferEvent = {
  data: Game;
  event: "offer";
  id?: EventID;
};
/** The game has ended; the stream ends after it. */
export type GameOverEvent = {
  data: Game;
  event: "over";
  id: EventID;
};
/** Where in a tournament a game belongs. */
export type GamePlace = {
  board: Count;
  id: ID;
  round: Count;
};
/** What a board is worth; all are sent together. An absence is worth 0 to as much as a loss. */
export type GamePoints = {
  absence?: PointsValue;
  draw: PointsValue;
  loss: PointsValue;
  win: PointsValue;
};
/** A player of the game has come or gone, `connected` of the seats; at most once a second, and never repeated. */
export type GamePresenceEvent = {
  data: Game;
  event: "presence";
};
export type GameRecord = {
  board?: number;
  /** SHA-256 of the seed of a game with chance. */
  commitment?: string;
  /** The day it began, in UTC. */
  date?: string;
  entries: Array<RecordEntry>;
  /** The tournament's name. */
  event?: string;
  finished_at?: Time;
  game_id: ID;
  /** Network delay was credited. */
  lag: boolean;
  /** What the seats added, in their order, once all are in. */
  nonces?: Array<string>;
  options: Options;
  /** The last; left out where it holds secrets. */
  position?: string;
  rated: boolean;
  /** The ranks by seat, `replay` for a void game, `*` for none. */
  result: string;
  round?: number;
  /** In order. */
  seats: Array<RecordSeat>;
  /** Once the game is over. */
  seed?: string;
  /** SHA-256 of the server's seed, where the seats added to it. */
  server_commitment?: string;
  /** Once the game is over. */
  server_seed?: string;
  /** The address of the service where it was played; `?` where that is not known. */
  site?: string;
  started_at?: Time;
  /** Why the game ended; `unfinished` or `aborted` without a result. */
  termination: string;
  variant: VariantID;
};
export type GameSeat = {
  /** While the game waits for players to accept: whether this one has. Left out otherwise. */
  accepted?: boolean;
  bot?: BotLevel;
  /** Until the game is over: the player follows it, or has asked for it or acted in it in the last half minute. What the instance that answers knows of, where there are several. */
  connected?: boolean;
  deadline?: Time;
  last_seen?: Time;
  /** The seat waits for a player to sit down. Left out otherwise. */
  open?: boolean;
  /** Byo-yomi periods left; left out where the time control has none. */
  periods?: number;
  player?: PlayerRef;
  remaining_ms?: Millis;
  running: boolean;
  seat: Seat;
  side: Side;
  time_control?: TimeControl;
};
/** The clocks of a game of the player run. */
export type GameStartedEvent = {
  data: Game;
  event: "game_started";
  id?: EventID;
};
/** The whole game; first, and whenever the reader has missed something. */
export type GameStateEvent = {
  data: Game;
  event: "state";
  id: EventID;
};
export type GameStatus = "waiting" | "running" | "paused" | "finished" | "aborted";
/** An event of the stream of a game. */
export type GameStreamEvent = GameStateEvent | GameMoveEvent | GameClockEvent | GameOfferEvent | GameOverEvent | GamePresenceEvent | PingEvent;
export type GameSummary = {
  awaited: Array<Seat>;
  created_at: Time;
  finished_at?: Time;
  id: ID;
  /** The game was created with seats for the first players to come. Left out otherwise. */
  open?: boolean;
  outcome?: Outcome;
  plies: Count;
  /** Who sits down needs the code of the game. Left out otherwise. */
  private?: boolean;
  rated: boolean;
  seats: Array<SummarySeat>;
  started_at?: Time;
  status: GameStatus;
  time_control: TimeControl;
  tournament?: GamePlace;
  turn: Count;
  variant: VariantID;
  venue?: Venue;
};
export type GivenRating = {
  /** What the player was given before. */
  before?: number;
  deviation?: number;
  line: number;
  list: string;
  name?: string;
  player_id: ID;
  rating: number;
  /** Why it cannot be taken over; then none is. */
  refusal?: "unknown" | "played";
};
/** Ratings to start with, by list id. */
export type GivenRatings = { [key: string]: number };
/** Of a board in the hall with the result of a game that was played: its id, as of a game on the server. `venue` of such a game is `hall`; without a record of its moves it has no position. */
export type HallGameID = string;
export type Health = {
  status: "ok";
  version?: string;
};
export type History = {
  items: Array<HistoryItem>;
  next_cursor?: NextCursor;
  /** The act that can be taken back now, for those who may; left out if there is none. */
  undoable?: number;
};
export type HistoryItem = {
  account?: Arbiter;
  /** Its number; results of the games played here have none. */
  act?: number;
  after?: ResultText;
  at: Time;
  before?: ResultText;
  board?: Count;
  /** `arbiter` stands for all who run the tournament, `players` for those at a board who reported its result. */
  by: "server" | "arbiter" | "player" | "players";
  entry?: EntryRef;
  /** `create`, `settings`, `arbiters`, `open`, `close`, `start`, `finish`, `archive`, `entry_register`, `entry_add`, `entry_correct`, `entry_confirm`, `entry_agree`, `entry_decline`, `entry_withdraw`, `entry_reinstate`, `entry_remove`, `byes`, `forbidden_pairs`, `bonuses`, `reopen`, `prizes`, `round_pair`, `round_draw`, `round_publish`, `round_edit`, `round_delete`, `result`, `adjourn`, `play_again`, `results_set`, `result_delete`, `result_rating`, `venue`, `record`, `undo`, `import`, `entries_add`, `check_in_open`, `check_in_close`, `check_in_cancel`, `entry_present`, `entry_absent`. There may be more. */
  kind: string;
  reason?: string;
  round?: Count;
};
export type ID = string;
export type ImportedPlayers = {
  items: Array<Player>;
};
export type Invitation = {
  code: Secret;
  expires_at: Time;
};
/** An invitation to a game, or to come to the board, that the player has not answered. */
export type InvitedEvent = {
  data: Game;
  event: "invited";
  id?: EventID;
};
/** A program plays, not a person; left out for people. The name ends in `(bot)`. */
export type IsBot = boolean;
export type Judgement = {
  error?: RecordError;
  legal: LegalMoves;
  outcome?: Outcome;
  plies: Count;
  position: string;
};
/** How a `keizer` season counts. Further values may come to be. */
export type KeizerRules = {
  absences?: Count;
  close?: Count;
  gap?: Count;
  meetings?: Count;
  own?: PointsValue;
  silence?: string;
  top?: Count;
};
/** How a `keizer` season counts, and until when players say whether they come. */
export type KeizerSettings = {
  /** How many evenings missed still count a third of the own value; 5 if left out. */
  absences?: number;
  /** How many minutes before `starts_at` players can no longer say themselves whether they come; 0 if left out. */
  close?: number;
  /** How many whole rounds lie between two games of the same players; 3 if left out. */
  gap?: number;
  /** How often the same two play each other in the season; 3 if left out. */
  meetings?: number;
  /** How often the own value counts, with at most one decimal; once if left out. */
  own?: number;
  /** What players are that have not said whether they come: `present` (if left out), `absent`, or `no_notice` for absent without notice. With a check-in, those that are not checked in are never present. */
  silence?: "present" | "absent" | "no_notice";
  /** What a win over the first of the ranking is worth. If 0 or left out, the number of players, or half as much again as one less if that is more. */
  top?: number;
};
export type KeySet = {
  keys: Array<PublicKey>;
};
export type KnownPlayer = {
  /** The player's number in the file. */
  number: number;
  player_id: ID;
};
export type Ladder = {
  accept: LadderDays;
  again: LadderDays;
  id: ID;
  name: Name;
  play: LadderDays;
  rated: boolean;
  reach: number;
  rows: Array<LadderRow>;
  time_control: TimeControl;
  variant: VariantID;
  venue: Venue;
};
export type LadderCase = {
  accept: LadderDays;
  again: LadderDays;
  events: Array<LadderEvent>;
  id: ID;
  play: LadderDays;
  reach: number;
  until: Millis;
};
export type LadderChallenge = {
  accepted: boolean;
  challenger_id: ID;
  deadline: Time;
  game_id?: ID;
  id: ID;
  player_id: ID;
};
export type LadderChallengeList = {
  items: Array<LadderChallenge>;
};
export type LadderDays = number;
export type LadderEnd = "won" | "lost" | "drawn" | "declined" | "no_answer" | "not_played" | "left";
export type LadderEntry = {
  at: Time;
  challenge_id: ID;
  challenger_id: ID;
  end: LadderEnd;
  from: Rank;
  /** All players then, by id. */
  order: Array<ID>;
  player_id: ID;
  to: Rank;
  was?: LadderEnd;
};
export type LadderEvent = {
  at: Millis;
  from?: ID;
  id?: ID;
  made?: boolean;
  player?: ID;
  score?: number;
  to?: ID;
  /** One of challenge, accept, decline, result, no_clock, join and leave. */
  type: string;
  was?: number;
};
export type LadderHoliday = {
  until?: Time;
};
export type LadderList = {
  items: Array<LadderSummary>;
};
export type LadderLog = {
  items: Array<LadderEntry>;
};
export type LadderMember = {
  player_id?: ID;
};
export type LadderPatch = {
  name: Name;
};
export type LadderResult = {
  /** Of the challenger. */
  score: "1" | "0.5" | "0";
};
export type LadderRow = {
  away_until?: Time;
  challenge_id?: ID;
  locked_until?: Time;
  name: Name;
  place: Rank;
  player_id: ID;
};
export type LadderSummary = {
  id: ID;
  name: Name;
};
export type League = {
  id: ID;
  name: Name;
  seasons: Array<{
    confirmed: boolean;
    name: Name;
    number: number;
  }>;
};
export type LeagueDivision = {
  /** The tournament was deleted; to confirm the season again makes a new one. */
  deleted?: boolean;
  members: Array<LeagueMember>;
  number: number;
  status?: TournamentStatus;
  tournament_id?: ID;
};
export type LeagueList = {
  items: Array<LeagueSummary>;
};
export type LeagueMember = {
  because: LeagueReason;
  /** Of the season before; left out for who was not there. */
  from_division?: number;
  from_place?: Rank;
  name: Name;
  player_id?: ID;
  /** In the play-off as the season stands. */
  playoff?: boolean;
  points?: string;
  rank?: Rank;
  then?: LeagueReason;
};
export type LeaguePatch = {
  name: Name;
};
export type LeaguePlayOff = {
  border: number;
  first: LeagueWho;
  lower: LeagueWho;
  upper: LeagueWho;
  winner?: LeagueWho;
};
/** Why a member is in a division, or where the season leads it: `moved_up` fills a division that is short, `moved_down` makes room in one that is too large, `won_up` and `lost_down` come from a play-off, `leaves` is for who withdrew. */
export type LeagueReason = "stays" | "promoted" | "relegated" | "joins" | "moved_up" | "moved_down" | "won_up" | "lost_down" | "leaves";
export type LeagueRule = number;
export type LeagueSeason = {
  /** Why there are no divisions yet, or why nobody can move; left out otherwise. */
  blocked?: string;
  /** False for a draft. */
  confirmed: boolean;
  divisions: Array<LeagueDivision>;
  down: LeagueRule;
  format: ShownFormat;
  joining: Array<LeagueWho>;
  league_id: ID;
  leaving: Array<LeagueWho>;
  name: Name;
  number: number;
  /** All divisions are finished. */
  over: boolean;
  playoff: boolean;
  playoffs: Array<LeaguePlayOff>;
  rated: boolean;
  time_control: TimeControl;
  up: LeagueRule;
  variant: VariantID;
  venue: Venue;
};
export type LeagueSeasonPatch = {
  /** Of the first season, from the top. */
  divisions?: Array<{
    members: Array<LeagueWho>;
  }>;
  down?: LeagueRule;
  joining?: Array<LeagueWho>;
  leaving?: Array<LeagueWho>;
  name?: Name;
  /** Whether the best who is not promoted and the worst who is not relegated play for the higher place. */
  playoff?: boolean;
  /** The play-offs that were won, all of them. */
  playoffs?: Array<{
    /** 1 between the first and the second division. */
    border: number;
    winner: LeagueWho;
  }>;
  tournament?: TournamentPatch;
  up?: LeagueRule;
};
export type LeagueSummary = {
  id: ID;
  name: Name;
};
/** A member of a league: a player by `player_id`; by `name` a team, or in the hall a player without a record. */
export type LeagueWho = {
  name?: Name;
  player_id?: ID;
  /** The players of a team, by id. A team that stays has those of the season before if it is left out. */
  squad?: Array<ID>;
};
/** Legal moves by seat, in byte order. */
export type LegalMoves = { [key: string]: Array<MoveToken> };
export type LineUp = {
  due_at: Time;
  entry_id: ID;
  final: boolean;
  players: Array<BoardPlayer>;
  /** 0 if none was filed: then `players` are those who would play. */
  version: number;
  /** Who would forfeit with it. */
  warning?: string;
};
/** A team has filed its first line-up for a match. For those who run the tournament; it tells nothing of the line-up. */
export type LineUpFiledEvent = {
  data: MatchNotice;
  event: "lineup.filed";
  id: EventID;
};
export type LineUpVersion = {
  /** The account that filed it; for those who run the tournament. */
  by?: string;
  entry_id: ID;
  filed_at: Time;
  final: boolean;
  players: Array<BoardPlayer>;
  version: number;
};
export type ListedEntry = {
  /** That of the player if left out. */
  club?: string;
  /** Player ids in the order of their seats. */
  members?: Array<ID>;
  name?: Name;
  player_id?: ID;
  rating?: Strength;
};
export type ListedResult = {
  absent?: AbsentSeats;
  /** True: decided without playing to the end; it needs a `reason`. */
  adjudicated?: boolean;
  board: number;
  /** The tag of this result, as in `If-Match`; it is refused if it has changed. */
  if_match?: string;
  /** As for one result. */
  only_rating?: boolean;
  ranks?: Ranks;
  /** As for one result. */
  rated?: boolean;
  reason?: Text;
  /** Of a game of two, or of two sides. `1/2-0`, `0-1/2` and `0-0` are of a game of two that was played, and decided by the arbiter so that neither won. */
  result?: "1-0" | "1/2-1/2" | "0-1" | "1/2-0" | "0-1/2" | "0-0" | "+--" | "--+" | "---";
};
export type Login = string;
export type Match = {
  /** Once the line-ups are revealed. In a `team_knockout` the boards of matches that decide a level one follow. */
  boards?: Array<MatchBoard>;
  date?: MatchDate;
  /** In a `team_knockout`: what decides the match, as far as that is known. */
  decision?: string;
  due_at: Time;
  /** Before the line-ups are revealed, for those who run the tournament: which teams have filed one. */
  filed?: Array<boolean>;
  goes_on?: ID;
  /** Where teams meet in two legs, which of them it is. */
  leg?: number;
  /** Every version that was filed, once the line-ups are revealed. */
  line_ups?: Array<LineUpVersion>;
  /** The board number of its pairing. */
  match: number;
  result?: ResultText;
  /** The line-ups are public. */
  revealed: boolean;
  /** Of both teams, once the match is over; before, the game points so far. */
  scores?: Array<TeamScores>;
  /** The teams, that with White first. */
  seats: Array<EntryRef>;
};
export type MatchBoard = {
  board: number;
  game: VariantID;
  game_id?: ID;
  /** By team, that with White first. */
  players: Array<BoardPlayer>;
  /** By team. */
  points?: Array<string>;
  /** The board belongs to this match of those that decide a level one; left out for those of the match itself. */
  repeat?: number;
  result?: ResultText;
  /** Which of the two teams has seat 1 on this board. */
  seat_one: number;
  source?: string;
};
/** When a match is played, where rounds have days for their matches. The team with White is at home. */
export type MatchDate = {
  /** By both captains, or set by an arbiter; else it is the last day. */
  agreed: boolean;
  at: Time;
  last_day: Time;
  /** What captains have proposed that is not agreed; for both teams, and for those who run the tournament. */
  proposals?: Array<DateProposal>;
};
/** A date of a match was agreed or set, where rounds have days for their matches; staff are told of proposals, too. */
export type MatchDatedEvent = {
  data: MatchNotice;
  event: "match.dated";
  id: EventID;
};
/** The last board of a match has a result. */
export type MatchFinishedEvent = {
  data: MatchNotice;
  event: "match.finished";
  id: EventID;
};
/** A match of teams of which something has happened, as everybody may see it. */
export type MatchNotice = {
  /** The board of the match, in events of boards. */
  board?: number;
  entry_id?: ID;
  match: Match;
  round: Count;
};
/** What a match is worth by comparison of the game points; all are sent together. */
export type MatchPoints = {
  draw: PointsValue;
  loss: PointsValue;
  win: PointsValue;
};
/** The line-ups of a match are public. */
export type MatchRevealedEvent = {
  data: MatchNotice;
  event: "match.revealed";
  id: EventID;
};
/** How many entries there may be by players' own registration; 0 or left out for no limit. A further one is refused with tournament-full; organisers may enter more. A team is one entry, and one that withdrew is none. */
export type MaxEntries = number;
export type Me = {
  account_id: ID;
  challenges_at_once?: ChallengesAtOnce;
  /** No one can challenge the player; left out for an account without a player. */
  closed_to_challenges?: boolean;
  created_at: Time;
  email?: EmailSettings;
  login: Login;
  /** The player has accepted casual games beforehand; left out for an account without a player. */
  open_to_challenges?: boolean;
  password_reset?: PasswordResetNotice;
  player?: PlayerRef;
  role: Role;
  /** Those of the token that asks. */
  scopes: Array<ShownScope>;
};
/** A new password with the present one, or `open_to_challenges`, `challenges_at_once` or `closed_to_challenges`, or `password_reset_seen`, or `email`, or several of these. */
export type MePatch = {
  challenges_at_once?: ChallengesAtOnce;
  /** Whether this player takes no challenges at all. */
  closed_to_challenges?: boolean;
  current_password?: string;
  email?: EmailPatch;
  /** Ends the account's API tokens, too. */
  end_tokens?: boolean;
  /** Whether casual games with this player start without a question. */
  open_to_challenges?: boolean;
  password?: Password;
  /** Takes `password_reset` away. Not with an API token. */
  password_reset_seen?: boolean;
};
export type Millis = number;
export type MoveToken = string;
/** The player's commitment or, after those of all seats, nonce is due; it is sent with `POST …/nonce`. Once for each of the two. */
export type MyNonceEvent = {
  data: Game;
  event: "my_nonce";
  id?: EventID;
};
/** The board of the player in it, or the bye; again when it changes. */
export type MyPairingEvent = {
  data: OwnPairing;
  event: "my_pairing";
  id?: EventID;
};
/** The player is to move; once a turn. `legal` has the moves, by seat. */
export type MyTurnEvent = {
  data: Game;
  event: "my_turn";
  id?: EventID;
};
export type Name = string;
export type NewAccount = {
  /** A program plays, not a person: its player is marked everywhere, for good. Its games with people are not rated unless the list takes them, and it takes part in tournaments that admit bots alone. It needs `player_name`. */
  bot?: boolean;
  invitation?: Secret;
  login: Login;
  password: Password;
  player_name?: Name;
};
export type NewArbiters = {
  /** All of them; those left out are arbiters no more. */
  logins: Array<Login>;
};
export type NewBlock = {
  player_id: ID;
};
export type NewCall = {
  /** What it is about. */
  word?: string;
};
export type NewDateProposal = {
  /** What the other team has proposed agrees to it. The own proposal is taken back if left out. */
  at?: string;
};
export type NewEntry = {
  /** The level of the bot that is entered, by an organiser and where `play.bots` allows it: for the missing player of a table, or so that no entry has a bye. It has a name of its own; nothing but a `rating` can be sent with it. */
  bot?: number;
  captain?: CaptainID;
  /** By organisers; that of the player if left out. */
  club?: string;
  deputies?: DeputyIDs;
  /** Many entries at once, by an organiser; nothing else can be sent with them. */
  entries?: Array<ListedEntry>;
  /** Player ids in the order of their seats; none for who plays over the board only. */
  members?: Array<ID>;
  name?: Name;
  player_id?: ID;
  rating?: Strength;
};
export type NewGame = {
  /** Whether thinking times that clients report give credit for lag; false if left out. */
  lag?: boolean;
  /** Every seat adds a nonce to the seed, so that nobody can choose the deal, not even who runs the server. The game waits, and its clocks stand, until all are in. For variants with chance only; false if left out. */
  nonces?: boolean;
  options?: Options;
  /** Who sits down at an open seat must send the code of the game, which its players see; false if left out. */
  private?: boolean;
  /** False if left out. */
  rated?: boolean;
  /** In seat order. */
  seats: Array<NewGameSeat>;
  /** When the clocks start. */
  start?: "now";
  /** The players may agree to take a move back; if left out, they may unless the game is rated. */
  takebacks?: boolean;
  time_control: TimeControl;
  variant: VariantID;
};
/** A seat has a `player_id`, or is `open`, or has a `bot`. */
export type NewGameSeat = {
  bot?: BotLevel;
  /** The first player to sit down takes the seat. */
  open?: boolean;
  player_id?: ID;
  time_control?: TimeControl;
};
export type NewInvitation = {
  /** How long it is good for; 14 if left out. */
  days?: number;
};
export type NewLadder = {
  accept?: LadderDays;
  again?: LadderDays;
  name: Name;
  play?: LadderDays;
  /** Whether the games on the server are rated; true if left out. */
  rated?: boolean;
  /** Places above that may be challenged; 3 if left out. */
  reach?: number;
  time_control: TimeControl;
  variant: VariantID;
  venue?: Venue;
};
export type NewLadderChallenge = {
  challenger_id?: ID;
  player_id: ID;
};
export type NewLeague = {
  name: Name;
  season: LeagueSeasonPatch;
};
export type NewLineUp = {
  /** Ids of members by board, from the first; empty for an empty board. */
  players: Array<string>;
};
/** Either a date, or the last day for one. */
export type NewMatchDate = {
  at?: Time;
  last_day?: Time;
};
export type NewMove = {
  /** How long the player thought, by its own clock. */
  elapsed_ms?: number;
  move: MoveToken;
  seat: Seat;
  /** The number of the last event that the client knows: the events of the answer are those after it. All of them if left out. */
  since?: number;
  /** The turn that the move is for. */
  turn: number;
};
/** One of `commitment` and `nonce`. */
export type NewNonce = {
  /** SHA-256 of the nonce: 64 hexadecimal digits. */
  commitment?: string;
  /** 32 random bytes: 64 hexadecimal digits. */
  nonce?: string;
  seat: Seat;
};
export type NewPlayer = {
  birth_year?: BirthYear;
  club?: Name;
  name: Name;
  rating?: GivenRatings;
};
/** Money, something else, or both. */
export type NewPrize = {
  /** In hundredths; 0 if left out. */
  amount?: number;
  text?: string;
};
/** Limits that are left out exclude nobody. */
export type NewPrizeCategory = {
  /** In years, counted as the year of the start less the year of birth. */
  age_from?: number;
  age_to?: number;
  clubs?: Array<string>;
  name: string;
  /** By place; none of more money than the one before. */
  prizes: Array<NewPrize>;
  /** This and above. */
  rating_from?: number;
  /** This and below. */
  rating_to?: number;
  /** Entries without a rating belong to the band, too; false if left out. */
  unrated?: boolean;
};
export type NewRatingMark = {
  from?: Time;
  player_id: ID;
  reason: string;
  tournament_id?: ID;
  until?: Time;
};
export type NewReport = {
  /** Of a match of teams: each board of `open_boards`, once. */
  boards?: Array<ReportedResult>;
  ranks?: Ranks;
  /** Of a board of two. */
  result?: "1-0" | "1/2-1/2" | "0-1";
  saw: string;
  seat?: Seat;
};
export type NewResult = {
  absent?: AbsentSeats;
  /** True: the game goes on later; `reason` says when and how. */
  adjourned?: boolean;
  /** True with `result` or `ranks`: decided without playing to the end; it needs a `reason`. */
  adjudicated?: boolean;
  /** True: this result counts for the ratings and the report file alone, while standings and pairings keep the one they were made from (C.04.2). It needs a `reason`, and a game of two in the hall whose round has been followed by another one, or the end of the tournament. The result of the board itself removes such a correction. */
  only_rating?: boolean;
  ranks?: Ranks;
  /** Of a board in the hall, whether the game is rated. Left out, it is if the tournament is rated and the game was played to its end, so not if it is adjudicated. A forfeit is never rated, nor is a game that neither won and that was not drawn. */
  rated?: boolean;
  reason?: Text;
  /** Of a game of two, or of two sides. `1/2-0`, `0-1/2` and `0-0` are of a game of two that was played, and decided by the arbiter so that neither won. */
  result?: "1-0" | "1/2-1/2" | "0-1" | "1/2-0" | "0-1/2" | "0-0" | "+--" | "--+" | "---";
};
export type NewResultCodes = {
  /** All boards if it is left out. */
  board?: number;
  /** True: the boards have no codes until they get new ones. */
  revoke: boolean;
  team_board?: ReportedBoard;
};
export type NewResults = {
  results: Array<ListedResult>;
};
export type NewRound = {
  /** False: draw the round up only. */
  publish?: boolean;
};
export type NewSeason = {
  /** How many parts count; 0 for all. */
  best?: number;
  from: Day;
  /** Parts that a player needs for a rank. */
  least?: number;
  name: Name;
  parts?: Array<NewSeasonPart>;
  /** Points by place, in descending order; none for the places behind. */
  table?: Array<Decimal>;
  to: Day;
};
export type NewSeasonPart = {
  id: ID;
  kind: SeasonPartKind;
  /** Of a league, the number of the season that counts. */
  season?: number;
  weight?: Decimal;
};
export type NewSeries = {
  /** How many results count; 0 for all. */
  best?: number;
  events?: Array<SeriesPart>;
  /** Tournaments that a player needs for a rank. */
  least?: number;
  name: Name;
  source?: SeriesSource;
  /** Points by place, in descending order; none for the places behind. */
  table?: Array<Decimal>;
};
export type NewToken = {
  expires_at?: Time;
  name: Name;
  scopes: Array<Scope>;
  tournament_id?: ID;
};
export type NewTournament = {
  /** The next round starts by itself when the last one is complete; false if left out. */
  auto_rounds?: boolean;
  format: TournamentFormat;
  max_entries?: MaxEntries;
  name: Name;
  options?: Options;
  pairing?: PairingSettings;
  play?: PlayRules;
  points?: PointSystem;
  /** False if left out. */
  rated?: boolean;
  /** Needed where the format does not fix it. */
  rounds?: number;
  starts_at?: Time;
  teams?: TeamSettings;
  tie_breaks?: TieBreaks;
  time_control: TimeControl;
  variant: VariantID;
  venue?: Venue;
};
export type NewVenue = {
  reason?: Text;
  venue: Venue;
};
export type NewWebhook = {
  format?: WebhookFormat;
  kinds: Array<NewsKind>;
  name: Name;
  tournament_id?: ID;
  url: WebhookURL;
};
export type NewsKind = "round.published" | "result.changed" | "game.finished" | "standings.changed" | "tournament.finished" | "entry.changed" | "call.made" | "lineup.filed" | "match.revealed" | "match.finished" | "match.dated";
/** For the next page; left out on the last one. */
export type NextCursor = string;
/** Something about the player's entry or its tournament. */
export type Notice = {
  /** More may come in later versions. */
  kind: string;
  tournament: TournamentRef;
};
/** The player has been entered, withdrawn or reinstated, or the tournament has started or finished. */
export type NoticeEvent = {
  data: Notice;
  event: "notice";
  id?: EventID;
};
/** Another seat has offered a draw or requested a takeback, or declined one; see `draw_offer` and `takeback_offer`. */
export type OfferEvent = {
  data: Game;
  event: "offer";
  id?: EventID;
};
/** An opponent is connected again; never repeated. */
export type OpponentBackEvent = {
  data: Game;
  event: "opponent_back";
};
/** An opponent in a running game has lost the connection, `connected` of the seats; never repeated. */
export type OpponentGoneEvent = {
  data: Game;
  event: "opponent_gone";
};
/** The regulations chosen, such as `repetition`, `max_plies` or a rule of the variant. */
export type Options = { [key: string]: string };
export type Outcome = {
  ranks?: Ranks;
  reason: string;
};
export type OwnDeletion = {
  /** The present one. */
  password: string;
};
/** The board, or the bye, of the player's entry in the latest round. */
export type OwnPairing = {
  entry_id: ID;
  /** The other entries at the board. */
  opponents: Array<EntryRef>;
  pairing: Pairing;
  round: number;
  tournament: TournamentRef;
};
export type Pairing = {
  absent?: AbsentSeats;
  adjourned?: Adjourned;
  adjudicated?: Adjudicated;
  board: number;
  /** Of a match of teams, once its line-ups are revealed. */
  boards?: Array<PairingBoard>;
  bye?: ByeCode;
  forfeit?: boolean;
  game_id?: ID;
  /** All games of the pairing that the server hosted, oldest first, once there is more than one: void games that were replaced, and in a knock-out games that were drawn. */
  games?: Array<PairingGame>;
  hall_game_id?: HallGameID;
  /** When it began; in an arena. */
  paired_at?: Time;
  /** By seat, as tables print them. */
  points?: Array<string>;
  ranks?: Ranks;
  rated?: RatedByHand;
  rated_as?: RatedAs;
  reason?: string;
  recorded?: Recorded;
  result?: ResultText;
  /** Entry ids in seat order; one alone has a bye. */
  seats: Array<ID>;
  /** Of a match of teams: the other score, game points where match points rank. */
  second_points?: Array<string>;
  /** More may come in later versions. `players` if all sides of the board reported the same result. */
  source?: string;
  table?: ArenaTable;
  venue?: Venue;
};
export type PairingBoard = {
  board: number;
  game_id?: ID;
  /** Ids by team, that with White first; empty where nobody sits. */
  players: Array<string>;
  result?: ResultText;
};
/** One game of a pairing. `kind` is `game`, `replay` (also of a void game), `tie_break` or `armageddon`; further ones may come to be. */
export type PairingGame = {
  game_id: ID;
  kind: string;
  /** The games of a match are counted from 1; a game that was ordered anew has the number of the one before. */
  number: number;
  reason?: string;
  /** Left out while the game is played, and if it does not count. The last game has the result of the pairing. */
  result?: string;
  /** Entry ids in seat order. */
  seats: Array<ID>;
  time_control: string;
};
/** How rounds are paired, beyond the format. Further values may come to be. */
export type PairingRules = {
  acceleration?: string;
  /** What adjourned games are to the next round. */
  adjourned?: string;
  arena?: ArenaRules;
  decision?: string;
  full_point_byes?: boolean;
  /** How many half-point byes an entry may have. */
  half_point_byes?: number;
  /** As it was drawn, once the tournament has started. */
  initial_colour?: string;
  keizer?: KeizerRules;
  missed_rounds?: string;
  /** Who may see why boards are paired as they are. */
  reasons?: string;
  replays?: Count;
  tables?: TableRules;
  third_place?: boolean;
  tie_break_games?: Count;
  tie_break_time_control?: string;
  /** Numbers are drawn by the Varma tables. */
  varma?: boolean;
};
/** How rounds are paired, beyond the format. */
export type PairingSettings = {
  /** Virtual points in the first rounds of a Swiss, or of one of teams by match points; `baku` is the FIDE's C.04.7. None if left out. */
  acceleration?: "none" | "baku";
  /** Whether the next round waits for adjourned games (`wait`, also if left out), or counts them as draws until they are over, for the pairing alone (`draw`). In Swiss tournaments and round-robins. */
  adjourned?: "wait" | "draw";
  arena?: ArenaSettings;
  /** What gives a match its winner when no game did. `armageddon` (if left out): one more game whose seats are drawn by lot, in which a draw or a void game is a win for seat 2. `lot`: a lot drawn from the tournament's seed. */
  decision?: "armageddon" | "lot";
  /** Full-point byes may be given on request; false if left out. */
  full_point_byes?: boolean;
  /** How many half-point byes an entry may have, asked for or given by hand; 1 if left out. What late entries get for rounds that they missed does not count. */
  half_point_byes?: number;
  /** Who drew lots for the initial colour of a Swiss or a knock-out says it here; else it is drawn at the start. In a knock-out the higher seed has it on the odd boards of round 1. `by_lot` is what holds if it is left out. */
  initial_colour?: "white" | "black" | "by_lot";
  keizer?: KeizerSettings;
  /** What a late entry gets for each round that it missed; ZPB if left out. */
  missed_rounds?: "ZPB" | "HPB";
  /** Who may see why boards are paired as they are, once a round is published; everybody if left out. */
  reasons?: "public" | "staff";
  /** How many games of a knock-out's match follow a drawn or void one at the tournament's time control, with the seats exchanged each time; 2 if left out. */
  replays?: number;
  tables?: TableSettings;
  /** In a knock-out the losers of the semi-finals play for the third place, alongside the final; false if left out. */
  third_place?: boolean;
  /** How many games follow after the replays, at `tie_break_time_control`; 2 if left out. */
  tie_break_games?: number;
  /** The time control of tie-break and armageddon games; the tournament's if left out, or empty. */
  tie_break_time_control?: string;
  /** Numbers of a round-robin are drawn by the Varma tables, so that entries of one club meet in the first rounds and not in the last; false if left out. */
  varma?: boolean;
};
export type Password = string;
export type PasswordReset = {
  code: Secret;
  expires_at: Time;
};
/** That the password was set anew with a code that another account made; left out once it was seen. */
export type PasswordResetNotice = {
  at: Time;
  by: Login;
};
export type PauseAct = {
  /** What the game is paused for, `arbiter` if left out. */
  cause?: string;
  reason: ActReason;
};
export type PersonName = string;
/** The server's time, every 15 seconds, so that both ends notice a dead connection. */
export type Ping = {
  server_time: Time;
};
/** Nothing has happened, and the stream is alive. */
export type PingEvent = {
  data: Ping;
  event: "ping";
};
export type PlaceList = Array<PointsValue>;
/** At tables of three to five, what the places are worth, first place first: one list for each size of table, as long as the table is large. Where there is none, n − rank. Shared places have the mean, rounded down to tenths. If this is the only member that is sent, a bye is worth the mean of a table of the preferred size. */
export type PlaceLists = Array<PlaceList>;
export type PlayAgain = {
  reason: Text;
};
/** Regulations for games on the server's boards. A change holds for games that are opened after it. */
export type PlayRules = {
  /** Bots take part. The organiser may enter those of the service: one, at tables two, so that in every game there is a person; and bots with accounts may be entered as players are. Not for a tournament in the hall. Games with a bot are not rated, and it wins no prizes. False if left out. */
  bots?: boolean;
  /** Spectators see a game without its last moves, so many of them, until it is over. */
  delay_moves?: number;
  /** Spectators see a game as it stood so many milliseconds ago, until it is over. */
  delay_ms?: number;
  /** A player whose own first turn lasts longer than this loses by forfeit, whatever the clock shows; 0 for no such limit. The game is none in the sense of the regulations, and not rated. */
  no_show_ms?: number;
  /** An entry that has lost so many games without having played is withdrawn from the next round on; 0 never. */
  no_shows?: number;
  /** Players may agree to take a move back; false if left out. */
  takebacks?: boolean;
};
export type Player = {
  birth_year?: BirthYear;
  bot?: IsBot;
  /** The player belongs to an account. */
  claimed: boolean;
  club?: PersonName;
  created_at: Time;
  id: ID;
  name: PersonName;
  /** The player has accepted casual games beforehand; left out if not. */
  open_to_challenges?: boolean;
  rating?: GivenRatings;
};
export type PlayerList = {
  items: Array<Player>;
  next_cursor?: NextCursor;
};
export type PlayerMerge = {
  /** Both may have accounts; that of the other player goes on without one. False if left out. */
  both_accounts?: boolean;
  player_id: ID;
};
export type PlayerPatch = {
  birth_year?: BirthYear;
  /** Empty for none. */
  club?: string;
  name?: Name;
};
export type PlayerRatingList = {
  items: Array<RankedPlayer>;
};
export type PlayerRef = {
  bot?: IsBot;
  id: ID;
  name: PersonName;
};
/** What results are worth: 1, 0.5 and 0 where left out. A forfeit win and a bye that are left out are worth a win, a forfeit loss a loss, unless a change leaves them at a value of their own. */
export type PointSystem = {
  bye?: PointsValue;
  draw?: PointsValue;
  forfeit_loss?: PointsValue;
  forfeit_win?: PointsValue;
  loss?: PointsValue;
  places?: PlaceLists;
  win?: PointsValue;
};
/** At most one decimal. */
export type PointsValue = number;
export type Prize = {
  /** In hundredths. */
  amount: number;
  text?: string;
};
export type PrizeCategory = {
  age_from?: number;
  age_to?: number;
  clubs?: Array<string>;
  name: string;
  prizes: Array<Prize>;
  rating_from?: number;
  rating_to?: number;
  unrated?: boolean;
};
export type PrizeSettings = {
  categories: Array<NewPrizeCategory>;
  /** Somebody may win in several categories; false if left out: then the best prize counts, and the others go on. */
  several?: boolean;
  /** What those who are tied get: `equal` those with equal points share the prizes of their places equally; `hort` they get half of the prize of their own place and an equal part of the other halves; `rank` the tie-breaks decide, and only who is level after them shares. `rank` if left out. */
  sharing?: "equal" | "hort" | "rank";
  /** Amounts, and parts of them, are multiples of it, in hundredths; 1 if left out. */
  unit?: number;
};
/** A prize that went on to the next, because each wins one. */
export type PrizeWaiver = {
  category: string;
  entry: EntryRef;
  /** The category in which the entry has its prize. */
  kept: string;
  why: string;
};
export type Prizes = {
  awards: Array<Award>;
  categories: Array<PrizeCategory>;
  /** The tournament is over; before that the awards are what they would be if it ended now. */
  final: boolean;
  /** After which the standings are; left out before the first. */
  round?: number;
  several?: boolean;
  sharing?: string;
  unit?: number;
  waived: Array<PrizeWaiver>;
};
/** A problem document (RFC 9457). */
export type Problem = {
  /** What was wrong and what would be right. */
  detail?: string;
  /** The fields at fault. */
  errors?: Array<FieldError>;
  /** The path of the request. */
  instance?: string;
  /** The legal moves of the seat, with an illegal move. */
  legal?: Array<MoveToken>;
  /** Under this the log knows the request. */
  request_id?: string;
  status: number;
  title: string;
  /** The present turn, with a stale one. */
  turn?: number;
  type: string;
};
export type PublicKey = {
  alg: "EdDSA";
  crv: "Ed25519";
  kid: string;
  kty: "OKP";
  use: "sig";
  x: string;
};
/** When the clocks of the round's games start. Without it they start at once. */
export type Publication = {
  /** After this time; 0 or left out: at once. */
  start_in_ms?: number;
  /** True, with `start_in_ms`: before that as soon as all players of a game are at the board, which they say with `POST /games/{game_id}/accept`. */
  together?: boolean;
};
export type Rank = number;
export type RankedPlayer = {
  games: Count;
  last_at?: Time;
  list: string;
  player: PlayerRef;
  rank: Rank;
  rating: number;
  /** Those of the games that were played in tournaments. */
  tournament_games: number;
};
export type Ranking = {
  items: Array<RankedPlayer>;
  list: string;
  next_cursor?: NextCursor;
};
/** By seat; 1 is best, equal ranks share a place. */
export type Ranks = Array<number>;
/** The result that counts for the ratings and the report file; left out unless it was corrected for these alone. */
export type RatedAs = ResultText;
/** Of a result that was entered by hand, whether the game is rated. */
export type RatedByHand = boolean;
export type RatingChange = {
  after: number;
  at: Time;
  before: number;
  change: number;
  /** Expected score per opposing side, 0 to 1. */
  expected: number;
  game_id: ID;
  /** Rated games in this list, this one included. */
  games: number;
  /** What a full point above expectation was worth. */
  k: number;
  list: string;
  player_id: ID;
  /** Score made per opposing side, 0 to 1. */
  score: number;
  seat: Seat;
  system: string;
};
export type RatingChangeList = {
  items: Array<RatingChange>;
  uncounted?: UncountedGame;
};
export type RatingComparison = {
  deviation?: number;
  expected: number;
  players: Array<ID>;
  /** What the comparison did to the rating; left out where the system does not add comparisons up. */
  points?: number;
  /** 1, 0.5 or 0. */
  score: number;
  /** Mean of their ratings before the game. */
  strength: number;
};
export type RatingExplanation = {
  items: Array<ExplainedChange>;
  list: string;
  rules: string;
  /** The latest games that the rules did not let count; on the first page alone. */
  uncounted?: Array<UncountedGame>;
};
export type RatingHistory = {
  items: Array<RatingChange>;
  next_cursor?: NextCursor;
};
export type RatingImport = {
  items: Array<GivenRating>;
  stored: boolean;
};
export type RatingList = {
  games: Count;
  id: string;
  last_at?: Time;
  players: Count;
};
export type RatingLists = {
  items: Array<RatingList>;
};
export type RatingMark = {
  at: Time;
  from?: Time;
  id: ID;
  lifted_at?: Time;
  player_id: ID;
  reason: string;
  tournament_id?: ID;
  until?: Time;
};
export type RatingMarkList = {
  items: Array<RatingMark>;
  next_cursor?: NextCursor;
};
export type RatingProspect = {
  before?: number;
  draw?: number;
  list: string;
  loss?: number;
  rated: boolean;
  win?: number;
};
export type RatingReview = {
  /** How many of them, and of the ratings that follow from them, were wrong and have been put right. */
  changed: number;
  list: string;
  /** Changes of ratings that the list's games bring. */
  rows: number;
};
/** From where the service can be reached, where the operator has named no address to listen on. */
export type Reach = "local" | "network";
export type Record = {
  /** Tokens, and leavings such as `3:!resignation` or `!agreement`. */
  moves: Array<string>;
  options?: Options;
  seats?: Seat;
  /** 64 hexadecimal digits, for a variant with chance only. */
  seed?: string;
  variant: VariantID;
};
export type RecordEntry = {
  at?: Time;
  claimed_ms?: Millis;
  comment?: string;
  elapsed_ms?: Millis;
  /** More may come in later versions. */
  kind: string;
  length_ms?: Millis;
  remaining_ms?: Millis;
  seat?: Seat;
  /** A move's token, `?` or a colour for what the asker may not know yet; why a seat left. */
  text?: string;
};
export type RecordError = {
  /** The move refused, from 0; -1 for the setup. */
  index: number;
  kind: "setup" | "over" | "notation" | "turn" | "illegal";
  message: string;
};
export type RecordSeat = {
  name?: string;
  time_control: TimeControl;
};
/** True if there is a record of the moves of a game in the hall. */
export type Recorded = boolean;
export type Refresh = {
  refresh_token: Secret;
};
/** Who may open an account: everybody, those with an invitation, or nobody. */
export type Registration = "open" | "invite" | "closed";
export type Reopening = {
  /** Until the line-ups are revealed, but not before the deadline of the round. */
  minutes: number;
};
export type ReportLines = {
  /** The first three characters of the lines, such as `012`; empty for the rest, if there are very many kinds. */
  code: string;
  /** The first of them in the file. */
  first: number;
  /** How many there are. */
  lines: number;
  /** `followed`: it shapes the tournament. `kept`: it has no meaning here and is written back by the export. `counted`: it is computed anew by the export. More may come in later versions. */
  treatment: string;
};
/** A board of the match `board` of two teams; without it, the match, whose boards the captains report together. */
export type ReportedBoard = number;
export type ReportedResult = {
  board: number;
  /** `1-0`: the team with White won. */
  result: "1-0" | "1/2-1/2" | "0-1";
};
export type RequestedBye = {
  /** `CLUB` (plays for the club) and `NOSHOW` (absent without notice) are for `keizer` seasons, where `ZPB` is absent. */
  bye: "HPB" | "FPB" | "ZPB" | "CLUB" | "NOSHOW";
  round: number;
};
export type RequestedByes = {
  items: Array<RequestedBye>;
};
export type ResultChange = {
  after?: ResultText;
  at: Time;
  before?: ResultText;
  /** More may come in later versions. `server`, `arbiter` or `players`. */
  by: string;
  /** True: nothing but the result for the ratings and the report file changed, and `before` and `after` are those. */
  only_rating?: boolean;
  reason?: string;
};
export type ResultCodes = {
  items: Array<BoardCodes>;
  next_cursor?: NextCursor;
};
export type ResultSet = {
  board: Count;
  /** The tag of the result as it is now. */
  etag?: string;
  /** Why the result was not set; left out if it was. */
  refused?: Problem;
  result?: ResultText;
};
/** `1-0`, `1/2-1/2`, `0-1`, `+--`, `--+` or `---` for two, and for the sides of a table whose partners change; for two also `1/2-0`, `0-1/2` and `0-0`, games that were played and decided by an arbiter so that neither won; ranks by seat with commas between for more, `-` for who did not come, `+` for who came to a table that was not played. */
export type ResultText = string;
export type ResultsSet = {
  /** In the order in which they were sent. */
  items: Array<ResultSet>;
  /** Rounds that can be deleted and paired anew because nothing was played in them. */
  repairable?: Array<number>;
  /** How many results are as they were sent. */
  set: Count;
};
export type Role = "player" | "organiser" | "admin";
export type Round = {
  /** Where teams meet in two legs, which of them it is. */
  leg?: number;
  /** Of a round of a knock-out. */
  name?: string;
  number: Count;
  pairings: Array<Pairing>;
  published_at?: Time;
  /** When the clocks start at the latest; left out where they started with the publication. */
  starts_at?: Time;
  status: "paired" | "published" | "complete";
  /** True: the clocks of a game start before that as soon as all its players are at the board. */
  together?: boolean;
  warnings?: Warnings;
};
/** One change. `swap`: the two `entries` change places, with each other or with one that is not paired. `reseat`: the entries of `board` sit as `entries` says, or change seats if it is left out. `unpair`: the entries of `board` are paired no more. `pair`: `entries` in seat order, none of them paired or only with a bye. `move` (at tables of three to five): the one of `entries` leaves its table or bye and takes the last seat of `board`. `bye`: the one of `entries`, which is not paired or has a bye, gets `bye`. */
export type RoundEdit = {
  board?: number;
  bye?: "PAB" | "HPB" | "FPB" | "ZPB" | "CLUB" | "NOSHOW";
  entries?: Array<ID>;
  kind: "swap" | "reseat" | "unpair" | "pair" | "move" | "bye";
};
export type RoundExplanation = {
  boards: Array<BoardExplanation>;
  /** Who was left over in a bracket and went on to the next. */
  floats?: Array<FloatExplanation>;
  /** What the round was drawn up from was not kept: these are the reasons by today's results. */
  reconstructed: boolean;
  round: Count;
};
export type RoundList = {
  items: Array<Round>;
  next_cursor?: NextCursor;
};
/** A round that has been published. */
export type RoundNotice = {
  boards: Count;
  number: number;
  starts_at?: Time;
  tournament: TournamentRef;
};
export type RoundPatch = {
  /** Answer what would come of it, and change nothing. */
  dry_run?: boolean;
  edits: Array<RoundEdit>;
  reason?: Text;
};
/** A round of a tournament of the player has been published. */
export type RoundPublishedEvent = {
  data: RoundNotice;
  event: "round_published";
  id?: EventID;
};
/** The rules of the variant's game as they concern it, in Markdown: headings, paragraphs, lists, bold and code. With figures they stand on the pages below `/rules`. */
export type RulesText = {
  de?: string;
  en: string;
  fr: string;
};
/** An arbiter has paused or resumed a game, set a clock, taken moves back or decided it; see its `events`. */
export type RulingEvent = {
  data: Game;
  event: "ruling";
  id?: EventID;
};
/** `display`, `board` and `helper` are for one tournament, and include seeing it as the public does. They are no part of a session. */
export type Scope = "read" | "play" | "organise" | "admin" | "display" | "board" | "helper";
export type Season = {
  best: Count;
  from: Day;
  id: ID;
  least: Count;
  name: Name;
  parts: Array<SeasonPart>;
  standings: Array<SeasonRow>;
  table: Array<Decimal>;
  to: Day;
};
export type SeasonGame = {
  at: Time;
  /** Left out at tables, and where nobody knows. */
  colour?: string;
  /** Of the tournament or ladder. */
  name: string;
  opponents: Array<SeasonMember>;
  /** 1, 0.5 or 0. */
  score: string;
};
export type SeasonList = {
  items: Array<SeasonSummary>;
};
export type SeasonMember = {
  name: Name;
  player_id?: ID;
};
export type SeasonOpponent = {
  drawn: Count;
  lost: Count;
  opponent: SeasonMember;
  won: Count;
};
export type SeasonPart = {
  id: ID;
  kind: SeasonPartKind;
  name: string;
  /** Nothing changes any more but by corrections; never of a ladder. */
  over: boolean;
  /** The places of the part, by its own ranking. */
  rows: Array<SeasonPartRow>;
  season?: number;
  weight: Decimal;
  winners: Array<SeasonMember>;
};
export type SeasonPartKind = "tournament" | "series" | "ladder" | "league";
export type SeasonPartRow = {
  division?: number;
  players: Array<SeasonMember>;
  rank: Rank;
  /** The part's own number, such as the total of a Keizer season; left out of a ladder. */
  value?: string;
};
export type SeasonPatch = {
  best?: number;
  from?: Day;
  least?: number;
  name?: Name;
  parts?: Array<NewSeasonPart>;
  table?: Array<Decimal>;
  to?: Day;
};
export type SeasonPlayer = {
  black: Count;
  drawn: Count;
  /** The latest first. */
  games: Array<SeasonGame>;
  longest_streak: number;
  lost: Count;
  name: Name;
  opponents: Array<SeasonOpponent>;
  player_id: ID;
  /** Games won in a row up to now. */
  streak: number;
  white: Count;
  won: Count;
};
export type SeasonResult = {
  /** False for a result that is dropped, for there are enough better ones. */
  counted: boolean;
  /** Its index in parts. */
  part: number;
  place: Rank;
  points: string;
  /** How many share the place; each gets the mean of their points. */
  shared: number;
};
export type SeasonRow = {
  name: Name;
  player_id?: ID;
  points: string;
  rank?: Rank;
  /** Best first. */
  results: Array<SeasonResult>;
};
export type SeasonSummary = {
  from: Day;
  id: ID;
  name: Name;
  to: Day;
};
export type Seat = number;
export type SeatAct = {
  seat?: Seat;
};
export type SeatChance = {
  /** SHA-256 of the nonce, once it has come. */
  commitment?: string;
  /** It sent no commitment in time and has no part in the seed. Left out otherwise. */
  lapsed?: boolean;
  /** Once it may be known: to others when every one is in. */
  nonce?: string;
  seat: Seat;
};
export type SeatReport = {
  /** Of a match of teams. */
  boards?: Array<ReportedResult>;
  result?: ResultText;
  /** For the next report of this seat. */
  saw: string;
  seat: Seat;
};
export type Secret = string;
export type Series = {
  best: Count;
  events: Array<SeriesEvent>;
  id: ID;
  least: Count;
  name: Name;
  source: SeriesSource;
  standings: Array<SeriesRow>;
  table: Array<Decimal>;
};
export type SeriesEvent = {
  factor: Decimal;
  name: Name;
  status: TournamentStatus;
  tournament_id: ID;
};
export type SeriesList = {
  items: Array<SeriesSummary>;
};
export type SeriesPart = {
  factor?: Decimal;
  tournament_id: ID;
};
export type SeriesPatch = {
  best?: number;
  events?: Array<SeriesPart>;
  least?: number;
  name?: Name;
  source?: SeriesSource;
  table?: Array<Decimal>;
};
export type SeriesResult = {
  /** False for a result that is dropped, for there are enough better ones. */
  counted: boolean;
  place: Rank;
  points: string;
  /** How many share the place; each gets the mean of their points. */
  shared: number;
  tournament_id: ID;
};
export type SeriesRow = {
  name: Name;
  player_id?: ID;
  points: string;
  rank?: Rank;
  /** Best first. */
  results: Array<SeriesResult>;
};
/** Where the points of a tournament come from: the table of points by `table`, the tournament's own `score`, or the `share` of its best score in hundredths. */
export type SeriesSource = "table" | "score" | "share";
export type SeriesSummary = {
  id: ID;
  name: Name;
};
export type Session = {
  /** It is the one that asks. */
  current: boolean;
  /** What the browser calls itself; left out where that is not known. */
  device?: string;
  id: ID;
  /** It is one of a browser, not of a program. */
  pages: boolean;
  since: Time;
};
export type SessionList = {
  items: Array<Session>;
  next_cursor?: NextCursor;
};
/** More may come in later versions. */
export type ShownFormat = string;
/** More may come in later versions. */
export type ShownScope = string;
export type Side = number;
export type SitAct = {
  /** Of a private game. */
  code?: string;
  seat?: Seat;
};
/** The least and the most members of a team. */
export type SquadLimits = {
  least?: number;
  most?: number;
};
export type Standings = {
  columns: TieBreaks;
  round: Count;
  rows: Array<StandingsRow>;
};
export type StandingsAccount = {
  code: string;
  /** The value is the mean of the terms that count, not their sum. */
  mean?: boolean;
  terms: Array<StandingsTerm>;
  /** The reckoning in one line. */
  text: string;
  /** Whom a direct encounter compares. */
  tied?: Array<EntryRef>;
  /** What the code stands for. */
  title?: string;
  /** As the standings print it. */
  value: string;
};
export type StandingsAccounts = {
  accounts: Array<StandingsAccount>;
  entry: EntryRef;
  round: Count;
};
export type StandingsRow = {
  entry: EntryRef;
  /** Of a team. */
  game_points?: string;
  /** Of a team. */
  match_points?: string;
  /** The round of a knock-out in which the entry lost; left out if it has not. */
  out?: number;
  points: string;
  /** Left out for who withdrew too early to be ranked. */
  rank?: number;
  /** The last of the ranks that the entry shares, 8 for 5 to 8; left out where nobody shares it. */
  rank_to?: number;
  /** One value for each column. */
  tie_breaks: Array<string>;
};
export type StandingsTerm = {
  bye?: ByeCode;
  counted: boolean;
  /** Why it does not count: `lowest`, `voluntary`, `highest`, `early` or `limit`. */
  cut?: string;
  /** The round was not played: it counts as one against a dummy (C.07, 16.4). */
  dummy?: boolean;
  /** `played`, `forfeit_win`, `forfeit_loss`, `bye`, `absent` or `pending`; `own`, with round 0, for the own value of a `keizer` season. */
  kind: string;
  opponent?: EntryRef;
  /** Several at a table, in a `keizer` season. */
  opponents?: Array<EntryRef>;
  /** What the round brought. */
  points: string;
  round: Count;
  /** What the opponent has really scored. */
  scored?: string;
  /** What the round contributes. */
  value: string;
  /** What the opponent counts for; its adjusted score, rating or tie-break, or that of the dummy in its place. */
  worth?: string;
};
/** What an entry is seeded by, set by an organiser; the current rating if left out, 0 if it is not known. */
export type Strength = number;
export type SummarySeat = {
  /** While the game waits for players to accept: whether this one has. Left out otherwise. */
  accepted?: boolean;
  bot?: BotLevel;
  /** The seat waits for a player to sit down. Left out otherwise. */
  open?: boolean;
  player?: PlayerRef;
  seat: Seat;
  side: Side;
};
/** How tables of three to five are drawn. Further values may come to be. */
export type TableRules = {
  clubs?: boolean;
  meetings?: string;
  partners?: string;
  preferred?: number;
  seeding?: string;
  short_tables?: boolean;
  sizes?: TableSizes;
};
/** How tables of three to five are drawn, in a `table_swiss` or `table_round_robin`, or a `keizer` season of such a game. */
export type TableSettings = {
  /** Entries of one club are kept apart; false if left out. */
  clubs?: boolean;
  /** Whether few meetings again count before scores (`first`, also if left out) or after them. */
  meetings?: "first" | "second";
  /** `rotate`: in a variant of two sides with two seats each, players come alone and have a new partner in each round. */
  partners?: "off" | "rotate";
  /** The size of as many tables as can be; 4 if left out or 0, and possible. */
  preferred?: number;
  /** Whether tables of equal scores are balanced by the initial order; `balanced` if left out. */
  seeding?: "balanced" | "off";
  /** A table is played without those who do not come, as long as at least three are there. Without it, or with fewer, the arbiter decides. False if left out. */
  short_tables?: boolean;
  /** Those that the variant usually has if left out or empty. */
  sizes?: Array<number>;
};
export type TableSizes = Array<number>;
export type TakebackAct = {
  /** How many moves; each seat's counts as one. */
  plies?: number;
  reason: ActReason;
  turn: Count;
};
export type TeamBoard = {
  /** The game on this board, between two; that of the tournament if left out. Its options are the usual ones. */
  game?: string;
  /** As the tournament if left out. */
  rated?: boolean;
  /** That of the tournament if left out. */
  time_control?: string;
};
/** The boards of a match, from the first. */
export type TeamBoards = Array<TeamBoard>;
/** Points added to the totals of a team, or taken off. */
export type TeamBonus = {
  /** They count in the table after this round, in the pairing of the next one, and from then on; from the start if left out. */
  after_round?: number;
  entry_id: ID;
  /** Game points, with at most one decimal. */
  gp?: number;
  /** Match points, with at most one decimal. */
  mp?: number;
  reason: Text;
};
/** Penalties and bonuses of teams. */
export type TeamBonuses = {
  items: Array<TeamBonus>;
};
/** A team that the player is to agree to be in, with `POST …/entries/{entry_id}/agree`, or to decline. */
export type TeamInvitation = {
  entry: EntryRef;
  tournament: TournamentRef;
};
/** The player is to agree to be in a team that another member has entered. */
export type TeamInvitedEvent = {
  data: TeamInvitation;
  event: "team_invited";
  id?: EventID;
};
/** The regulations of formats with teams. Further values may come to be. */
export type TeamRules = {
  boards: TeamBoards;
  colours: string;
  /** Of a round, in which the matches have dates; left out if they have none. */
  days?: number;
  deadline_minutes: number;
  game_points: GamePoints;
  gaps: string;
  /** What decides a level match, in this order; in a `team_knockout`. */
  knockout_breaks?: Array<string>;
  /** In which two teams of a `team_knockout` meet. */
  legs?: number;
  match_points: MatchPoints;
  minimum: number;
  order: string;
  pab: TeamScores;
  preference: string;
  primary: string;
  rating_margin: number;
  secondary: string;
  squad: SquadLimits;
  squads_close: number;
  /** Of a second match that decides a level one. */
  tiebreak_clock?: string;
};
/** Match and game points. */
export type TeamScores = {
  gp: PointsValue;
  mp: PointsValue;
};
/** The regulations of formats with teams, which meet in matches over several boards. Of a patch, what is left out stays; in new settings it is the usual. All can change until the first round is paired, but for the number of boards, which is fixed at the start. */
export type TeamSettings = {
  boards?: TeamBoards;
  /** A letter for each board, the first of them `W`: seat 1 is of the team with White where it is `W`. WBWB … if left out. In a `team_scheveningen` the seats follow from its table. */
  colours?: string;
  /** So many days has a round, in which captains agree on the date of each match; without one it is played on the last day. 0 for rounds whose matches are all played at one time. */
  days?: number;
  /** How long before the round line-ups are due. A round without a later start begins so long after it was published. */
  deadline_minutes?: number;
  game_points?: GamePoints;
  /** Where boards of a line-up may be empty: `bottom` or `any`. */
  gaps?: string;
  /** What decides a level match of a `team_knockout`, in this order: `BC` (the lower board count), `TBR` (board 1, then 2 …), `BBE` (without the last board, then without the last two …), `RAPID` (a second match with the seats exchanged, at most twice) and `LOT`, which comes last if it is left out. All of them in this order if empty. */
  knockout_breaks?: Array<string>;
  /** Matches in which two teams of a `team_knockout` meet, each in a round of its own; in the second the colours are exchanged. Match points of both decide, then game points, then `knockout_breaks`. */
  legs?: number;
  match_points?: MatchPoints;
  /** Boards that a team must man, or it forfeits the match. */
  minimum?: number;
  /** The order of the players in a line-up: `free`, `fixed` (that of registration), `rating`, or `game` (that of registration among the boards of one game). */
  order?: string;
  pab?: TeamScores;
  /** Colour preferences of a `team_swiss` (C.04.6, 1.7): `A`, `B` or `none`. */
  preference?: string;
  /** The score that pairs and ranks: `MP` or `GP`. */
  primary?: string;
  /** By how much a player may be rated lower than one below him. */
  rating_margin?: number;
  /** The score that decides which of two teams with equal primary scores is the first: the other one, or `none`. */
  secondary?: string;
  squad?: SquadLimits;
  /** Members can be added until this round is paired; 0 for the start. */
  squads_close?: number;
  /** The time control of such a second match; that of its boards if empty. */
  tiebreak_clock?: string;
};
export type Text = string;
export type TieBreakList = {
  default: TieBreaks;
  items: Array<TieBreakOffer>;
};
export type TieBreakModifier = {
  article?: string;
  /** Follows the tie-break's code after a slash. */
  code: string;
  description: string;
  name: string;
};
export type TieBreakOffer = {
  /** Of C.07. */
  article?: string;
  code: string;
  description: string;
  modifiers: Array<TieBreakModifier>;
  name: string;
};
/** Codes in order of importance (FIDE Handbook C.07). `GET /tie-breaks` lists those of a format. | code | what it is | |---|---| | DE | direct encounter: points from the games among those who are tied | | WIN | rounds that brought a win's points; first places at tables | | 2ND, 3RD | second and third places at tables | | TSH | the own share of the points given at the tables, round by round | | SEAT | the mean number of the own seat at tables, the greater first | | WON | games won at the board | | BPG | games played with the second seat | | BWG | games won with the second seat | | PS | progressive scores: the scores after each round, added up | | REP | rounds without a half- or zero-point bye or a forfeit loss | | STD | one for each round with more points than the opponent, a half for as many | | TPN | pairing number, the first being the best | | BH | Buchholz: the opponents' adjusted scores, added up; at tables their means, round by round | | AOB | mean Buchholz of the opponents | | FB | Fore Buchholz: with the last round's games as draws | | SB | Sonneborn-Berger: adjusted scores times the points against them | | KS | Koya: points against those with at least half of the possible points | | ARO | mean rating of the opponents | | TPR | performance rating | | PTP | perfect performance: the lowest rating that makes the points to be expected | | APRO, APPO | mean TPR, mean PTP of the opponents | | RTNG | the entry's own rating | | KZR | the total of a `keizer` season, by which it is ranked | | VAL | what a win over the player is worth in a `keizer` season | | LOT | drawing of lots from the tournament's seed | Modifiers follow after a slash, such as `BH/C1`: C1, C2 without the one or two least values (PS: without the first rounds); M1, M2 without as many of the greatest, too; P forfeits count as games; F the last round's games count as draws; L+1, L-1 move the limit of KS by draws, L60 sets it to 60 per cent. Formats with teams have codes of their own (C.07, 11 to 13): MPvGP, MP, GP, BH, SB, EMMSB, EMGSB, EGMSB, EGGSB, SSSC, BC, TBR, BBE, DE, EDE, EDEBT, EDEBB, EDET, EDEB, WIN, WON, TPN and LOT; `:MP` or `:GP` after BH and DE names the score. */
export type TieBreaks = Array<string>;
export type Time = string;
export type TimeControl = string;
export type Token = {
  created_at: Time;
  expires_at?: Time;
  id: ID;
  name: Name;
  scopes: Array<ShownScope>;
  tournament?: TokenTournament;
  /** When it was last used, to a few minutes; left out before. */
  used_at?: Time;
};
export type TokenCreated = {
  created_at: Time;
  expires_at?: Time;
  id: ID;
  name: Name;
  scopes: Array<ShownScope>;
  token: Secret;
  tournament?: TokenTournament;
};
export type TokenList = {
  items: Array<Token>;
};
/** The only tournament that the token is for; left out for any other token. */
export type TokenTournament = {
  id: ID;
  /** Left out where the account may not see it any more. */
  name?: Name;
};
export type Tokens = {
  access_token: Secret;
  /** Seconds that the access token is good for. */
  expires_in: number;
  refresh_token: Secret;
  token_type: "Bearer";
};
export type Tournament = {
  auto_rounds: boolean;
  /** Left out if there is none. */
  check_in?: "open" | "closed";
  created_at: Time;
  /** How many, those that withdrew included. */
  entries: number;
  finished_at?: Time;
  format: ShownFormat;
  id: ID;
  /** With the answer to an import alone. What becomes of the lines of the file, by kind. */
  lines?: Array<ReportLines>;
  /** From this every drawing of lots can be repeated; shown once the tournament is over. */
  lot_seed?: string;
  max_entries?: MaxEntries;
  name: PersonName;
  /** With the answer to an import alone. How many players it makes. */
  new_players?: Count;
  /** With the answer to an import alone. What the organiser should know of it, such as what was assumed, games without a result, and rounds that are not as the rules pair them. */
  notes?: Array<string>;
  options: Options;
  pairing?: PairingRules;
  play?: PlayRules;
  points: PointSystem;
  rated: boolean;
  /** Rounds planned; left out while that is not known. */
  rounds?: number;
  rounds_paired: Count;
  started_at?: Time;
  starts_at?: Time;
  status: TournamentStatus;
  teams?: TeamRules;
  tie_breaks: TieBreaks;
  time_control: TimeControl;
  variant: VariantID;
  venue: Venue;
  warnings?: Warnings;
};
/** Everything that is public of a tournament. */
export type TournamentExport = {
  entries: Array<Entry>;
  rounds: Array<Round>;
  standings: Standings;
  tournament: Tournament;
};
export type TournamentFormat = "swiss" | "round_robin" | "double_round_robin" | "knockout" | "table_swiss" | "table_round_robin" | "keizer" | "arena" | "team_swiss" | "team_round_robin" | "team_double_round_robin" | "team_knockout" | "team_scheveningen";
export type TournamentImport = {
  auto_rounds?: boolean;
  /** Store nothing, and answer 200 with the tournament as it would be. */
  check?: boolean;
  format?: TournamentFormat;
  name?: Name;
  /** Make no players; everything is played over the board. */
  names_only?: boolean;
  options?: Options;
  /** Players who are here already. */
  players?: Array<KnownPlayer>;
  /** Whether the games still to come are rated; false if left out. */
  rated?: boolean;
  /** The report file. */
  report: string;
  rounds?: number;
  tie_breaks?: TieBreaks;
  time_control?: TimeControl;
  variant: VariantID;
};
export type TournamentList = {
  items: Array<TournamentSummary>;
  next_cursor?: NextCursor;
};
/** The latest round, after each change of its pairings or results. */
export type TournamentPairingsEvent = {
  data: Round;
  event: "pairings";
  id: EventID;
};
export type TournamentPatch = {
  auto_rounds?: boolean;
  format?: TournamentFormat;
  max_entries?: MaxEntries;
  name?: Name;
  options?: Options;
  pairing?: PairingSettings;
  play?: PlayRules;
  points?: PointSystem;
  rated?: boolean;
  /** 0 for none that has been set. */
  rounds?: number;
  /** A time; empty for none. In a `keizer` season that of the next evening, which can change while it runs. */
  starts_at?: string;
  teams?: TeamSettings;
  tie_breaks?: TieBreaks;
  time_control?: TimeControl;
  variant?: VariantID;
  venue?: Venue;
};
export type TournamentRef = {
  id: ID;
  name: PersonName;
};
/** The standings, after each change. */
export type TournamentStandingsEvent = {
  data: Standings;
  event: "standings";
  id: EventID;
};
/** The whole tournament; first, and after each change of the tournament itself. */
export type TournamentStateEvent = {
  data: Tournament;
  event: "state";
  id: EventID;
};
export type TournamentStatus = "draft" | "open" | "closed" | "running" | "finished" | "archived";
/** An event of the stream of a tournament. */
export type TournamentStreamEvent = TournamentStateEvent | TournamentPairingsEvent | TournamentStandingsEvent | LineUpFiledEvent | MatchRevealedEvent | BoardStartedEvent | BoardFinishedEvent | MatchFinishedEvent | MatchDatedEvent | PingEvent;
export type TournamentSummary = {
  created_at: Time;
  entries: Count;
  finished_at?: Time;
  format: ShownFormat;
  id: ID;
  name: PersonName;
  rounds?: number;
  rounds_paired: Count;
  started_at?: Time;
  starts_at?: Time;
  status: TournamentStatus;
  time_control: TimeControl;
  variant: VariantID;
};
/** A finished game that was to be rated and is not, and why: `few_moves` (a casual game that ended by resignation or agreement before each seat had made `moves` moves), or `pair_limit` (two of the players had `games` rated games in the `period` before; with `casual`, outside tournaments). */
export type UncountedGame = {
  at: Time;
  casual?: boolean;
  game_id: ID;
  games?: number;
  moves?: number;
  /** By the calendar in UTC. */
  period?: "day" | "month" | "quarter" | "year";
  reason: "few_moves" | "pair_limit";
};
export type Undo = {
  act: number;
};
export type Variant = {
  family: string;
  /** Players know things that others may not see. */
  hidden: boolean;
  id: VariantID;
  options: Array<VariantOption>;
  rules: RulesText;
  /** Allowed numbers of seats. */
  seats: Array<Seat>;
  /** 0 where every seat is a side of its own. */
  sides: number;
  summary: string;
};
export type VariantID = string;
export type VariantList = {
  items: Array<Variant>;
};
export type VariantOption = {
  default: string;
  key: string;
  /** What may be chosen; for numbers the default alone. */
  values: Array<string>;
};
/** Where games are played: on the `server`, which opens them and runs their clocks, or on boards in the `hall`, where no game is opened, nobody can lose on time, and results are entered by hand. */
export type Venue = "server" | "hall";
/** Something that a round breaks, or that an organiser should think of; nothing is refused because of it. */
export type Warning = {
  /** Of the FIDE Handbook. */
  article?: string;
  board?: number;
  /** In a round `met_before`, `forbidden`, `colour`, `scores`, `second_bye`, `not_present` or `unpaired`; before the start `rounds`, `unconfirmed` or `waiting`. There may be more. */
  code: string;
  entries?: Array<ID>;
  text: string;
};
export type Warnings = Array<Warning>;
export type Webhook = {
  created_at: Time;
  /** Nothing is sent until it is enabled again. */
  disabled: boolean;
  disabled_at?: Time;
  disabled_because?: string;
  /** The first failure since the last success; left out where there is none. */
  failing_since?: Time;
  format: WebhookFormat;
  id: ID;
  kinds: Array<NewsKind>;
  name: Name;
  /** While it fails. */
  next_attempt_at?: Time;
  tournament?: TokenTournament;
  url: WebhookURL;
};
export type WebhookDelivery = {
  /** When it happened. */
  at: Time;
  attempts: Count;
  error?: string;
  id: ID;
  /** A `NewsKind`, or `webhook.test`. There may be more. */
  kind: string;
  /** `failed` was given up after 24 hours; `dropped` could not be seen any more, or its owner no longer ran the tournament, when it was to be sent. */
  state: "waiting" | "sent" | "failed" | "dropped";
  /** Of the last answer. */
  status?: number;
  took_ms?: Millis;
  tournament_id?: ID;
  tried_at?: Time;
  /** The header `webhook-id` of all attempts. */
  webhook_id: string;
};
export type WebhookDeliveryList = {
  items: Array<WebhookDelivery>;
};
/** `standard` is a document as Standard Webhooks has it; the others are one line of text in the form that a chat takes: `matrix` for hookshot, `discord` and `slack` for their incoming webhooks. */
export type WebhookFormat = "standard" | "matrix" | "discord" | "slack";
export type WebhookList = {
  items: Array<Webhook>;
};
export type WebhookSecret = {
  secret: string;
  webhook: Webhook;
};
export type WebhookURL = string;
