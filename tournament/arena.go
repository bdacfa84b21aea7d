package tournament

// An arena is one open-ended round: it is published when the tournament starts, free players are appended to it as
// pairings for as long as the arena lasts, and it is complete when the tournament is finished. So its boards are its
// games in the order of their pairing, and an entry may be at several, one after the other.

// ArenaRules are the regulations of an arena.
type ArenaRules struct {
	Length       int  `json:"length,omitempty"`   // minutes
	Tick         int  `json:"tick,omitempty"`     // between two pairings; seconds
	Patience     int  `json:"patience,omitempty"` // after which waiting players are paired, however many; seconds
	Grace        int  `json:"grace,omitempty"`    // for games to end after the end of the arena; seconds, 0 for the default
	Berserk      bool `json:"berserk,omitempty"`  // players may halve their time for another point
	BerserkMoves int  `json:"berserk_moves,omitempty"`
	Boards       int  `json:"boards,omitempty"` // in the hall, or tables; 0 for enough
}

// ArenaGame holds the data of an arena's game beside its result. Times are ms UTC.
type ArenaGame struct {
	PairedAt int64 `json:"paired_at"`
	EndedAt  int64 `json:"ended_at,omitempty"` // 0 while it is open; corrections do not change it
	Moves    []int `json:"moves,omitempty"`    // by seat, of a game that the server saw to its end
	Berserk  []int `json:"berserk,omitempty"`  // seats, from 1
	Table    int   `json:"table,omitempty"`    // in the hall: where it is played, from 1
}

// ArenaState is the time that an arena was given back for outages, ms. Its fields are stored as those of the tournament.
type ArenaState struct {
	Given     int64 `json:",omitempty"` // before its end
	GivenAt   int64 `json:",omitempty"` // the last time, ms UTC
	GivenLate int64 `json:",omitempty"` // within its grace: no more games begin, but those that run have it
}

// ArenaPresence is an entry's presence in an arena.
type ArenaPresence struct {
	// Waiting is the time since which the entry wants an opponent: it joined or came back, or its last game ended. 0
	// while it is away; ms UTC.
	Waiting int64 `json:",omitempty"`
}

// Limits of arenas.
const (
	maxArenaMinutes = 24 * 60
	maxTick         = 60
	maxPatience     = 600
	maxGrace        = 24 * 3600
	maxBerserkMoves = 100
	maxHallBoards   = 1000
)

// DefaultArenaRules returns the default rules of an arena; none for other formats.
func DefaultArenaRules(f Format) ArenaRules {
	if !f.Continuous() {
		return ArenaRules{}
	}
	return ArenaRules{Length: 60, Tick: 5, Patience: 15, Berserk: true, BerserkMoves: 5}
}

// bound returns the rules that cannot change after the start.
func (r ArenaRules) bound() ArenaRules {
	return ArenaRules{Grace: r.Grace, BerserkMoves: r.BerserkMoves}
}

// check reports rules out of bounds, or that the format does not have.
func (r ArenaRules) check(s Settings, c Checks, faults *FieldErrors) {
	if !s.Format.Continuous() {
		if r != (ArenaRules{}) {
			faults.Add("pairing/arena", "only an %s has a length and ticks, and this is a %s", Arena, s.Format)
		}
		return
	}
	faults.InRange("pairing/arena/length", r.Length, 1, maxArenaMinutes)
	faults.InRange("pairing/arena/tick", r.Tick, 1, maxTick)
	faults.InRange("pairing/arena/patience", r.Patience, 0, maxPatience)
	faults.InRange("pairing/arena/grace", r.Grace, 0, maxGrace)
	faults.InRange("pairing/arena/berserk_moves", r.BerserkMoves, 0, maxBerserkMoves)
	faults.InRange("pairing/arena/boards", r.Boards, 0, maxHallBoards)
	if s.RoundCount > 1 {
		faults.Add("rounds", "an %s has no rounds; it ends after its length", Arena)
	}
	if s.AutoRounds {
		faults.Add("auto_rounds", "an %s pairs free players by itself", Arena)
	}
	if c.Base != nil && s.Venue != InHall {
		if _, timed := c.Base(s.TimeControl); !timed {
			faults.Add("time_control", "an %s needs clocks with a time for the game, such as 180+2", Arena)
		}
	}
}

// Void reports whether a pairing of an arena does not count: its game was broken off, or was not over in time, or its
// table was not played.
func (r *Result) Void() bool { return r != nil && r.Forfeit && len(r.Ranks) != 2 }

// RefuseNextGame returns the refusal to stop or to repeat games of an arena, whose players are at the next already.
func RefuseNextGame() error {
	return NotNow("in an %s the players are on to the next game; correct the result instead", Arena)
}

// In the hall an arena calls its players to tables: boards for two, or tables of three to five. The first free table is
// taken first, so that players stay near the desk.

// Place returns the number under which people find a board: in an arena in the hall that of its table.
func (p Pairing) Place() int {
	if p.Arena != nil && p.Arena.Table > 0 {
		return p.Arena.Table
	}
	return p.Board
}

// OneGameEach returns an error for a round in which an entry, or a table in the hall, has two open games.
func (r Round) OneGameEach() error {
	entries, tables := map[string]bool{}, map[int]bool{}
	for _, p := range r.Pairings {
		if p.Result != nil {
			continue
		}
		for _, id := range p.Seats {
			if entries[id] {
				return RefuseNextGame()
			}
			entries[id] = true
		}
		if p.Arena == nil || p.Arena.Table == 0 {
			continue
		}
		if tables[p.Arena.Table] {
			return RefuseNextGame()
		}
		tables[p.Arena.Table] = true
	}
	return nil
}
