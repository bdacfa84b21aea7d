package tournament

import (
	"cmp"
	"slices"
)

// PublishedRounds returns the number of rounds with games open or over, that is without a draft round.
func (t *Tournament) PublishedRounds() int {
	n := len(t.Rounds)
	if n > 0 && t.Rounds[n-1].Status == Paired {
		n--
	}
	return n
}

// CanPair returns an error if the next round cannot be paired now.
func (t *Tournament) CanPair() error {
	n := len(t.Rounds)
	switch {
	case t.Status != Running:
		return NotNow("rounds can be paired only while a tournament is running, and this one is %s", t.Status)
	case n >= t.LastRound():
		return NotNow("all %d rounds have been paired", t.LastRound())
	case t.over():
		return NotNow("no entry has won in round %d; the tournament can be finished", n)
	case n > 0:
		if err := t.Rounds[n-1].awaited(!t.Rules.AdjournedDraw); err != nil {
			return err
		}
	}
	return t.checkedIn()
}

// missing returns an error that names a board without a result; nil if the round is complete.
func (r Round) missing() error { return r.awaited(true) }

// awaited returns an error that names a board that delays the next round; adjourned games do if adjourned is set.
func (r Round) awaited(adjourned bool) error {
	if r.Status == Paired {
		return NotNow("round %d is paired but not published; publish or delete it first", r.Number)
	}
	for _, p := range r.Pairings {
		switch {
		case p.Result == nil && p.Adjourned != "" && !adjourned:
		case p.Result == nil && p.Adjourned != "":
			return NotNow("round %d is not complete: board %d is adjourned (%s); a provisional result can be corrected later",
				r.Number, p.Board, p.Adjourned)
		case p.Result == nil:
			return NotNow("round %d is not complete: board %d has no result", r.Number, p.Board)
		}
	}
	return nil
}

// stage returns the status of a round as its results make it. That of an arena is open until the arena is finished.
func (t *Tournament) stage(r Round) RoundStatus {
	if t.Format.Continuous() {
		return r.Status
	}
	return r.Stage()
}

// Stage returns the status of a round, computed from its results.
func (r Round) Stage() RoundStatus {
	if r.Status == Paired {
		return Paired
	}
	if r.missing() == nil {
		return Complete
	}
	return Published
}

// AddRound appends the next round with the pairings of a pairing system. Byes get their points here. Errors wrap
// ErrState if the round is not due, and ErrInvalid if the pairings are not a round: boards out of order, an entry
// unknown or twice.
func (t *Tournament) AddRound(pairings []Pairing) (*Revision, error) {
	if err := t.CanPair(); err != nil {
		return nil, err
	}
	if err := t.checkPairings(pairings); err != nil {
		return nil, err
	}
	r := Round{Number: len(t.Rounds) + 1, Status: Paired, Pairings: slices.Clone(pairings)}
	scores := t.scores(len(t.Rounds))
	for i := range r.Pairings {
		p := &r.Pairings[i]
		p.Scores = make([]Points, len(p.Seats))
		for seat, id := range p.Seats {
			p.Scores[seat] = scores[id]
		}
		if p.Bye != NoBye {
			p.Result = t.ByeResult(p.Bye)
		}
	}
	next := *t
	next.Rounds = append(slices.Clone(t.Rounds), r)
	return next.Wrote(Delta{Rounds: []Round{r}})
}

// ByeResult returns the result of a bye.
func (t *Tournament) ByeResult(b Bye) *Result {
	return t.withSecond(&Result{Points: []Points{t.Points.ForBye(b)}, Source: ByServer, Reason: "bye"},
		func(s PointSystem) []Points { return []Points{s.ForBye(b)} })
}

// withSecond adds the other score to the result of teams that no board was played for.
func (t *Tournament) withSecond(r *Result, of func(PointSystem) []Points) *Result {
	if t.Teams != nil {
		r.Second = of(t.Teams.points(t.Teams.Rank().Other()))
	}
	return r
}

// scores returns the points of all entries after the first rounds, by entry id, as the pairing uses them: an adjourned
// game may count as a draw.
func (t *Tournament) scores(rounds int) map[string]Points {
	out := make(map[string]Points, len(t.Entries))
	for _, r := range t.Rounds[:rounds] {
		for _, p := range r.Pairings {
			for seat, id := range p.Seats {
				switch {
				case p.Result != nil:
					out[id] += p.Result.Points[seat]
				case p.Adjourned != "" && t.Rules.AdjournedDraw:
					out[id] += t.Points.Draw
				}
			}
		}
	}
	for _, b := range t.Bonuses {
		if b.After <= rounds {
			out[b.Entry] += b.Totals().Of(t.Teams.Rank())
		}
	}
	return out
}

func (t *Tournament) checkPairings(pairings []Pairing) error {
	if len(pairings) == 0 {
		return NotValid("a round needs at least one pairing")
	}
	entries := make(map[string]Entry, len(t.Entries))
	for _, e := range t.Entries {
		entries[e.ID] = e
	}
	seen := make(map[string]bool)
	for i, p := range pairings {
		if p.Board != i+1 {
			return NotValid("board %d is in place %d of the list; boards must be numbered from 1 in order", p.Board, i+1)
		}
		if (p.Bye != NoBye) != (len(p.Seats) == 1) || len(p.Seats) == 0 {
			return NotValid("board %d has %d entries; a bye needs one, a game at least two", p.Board, len(p.Seats))
		}
		for _, id := range p.Seats {
			e, ok := entries[id]
			if !ok || e.Number == 0 {
				return NotValid("entry %q on board %d does not take part", id, p.Board)
			}
			if seen[id] {
				return NotValid("%s is paired twice in one round", e.Name)
			}
			seen[id] = true
		}
	}
	return nil
}

// Publish opens the last round for play. Pairings with a withdrawn entry are forfeited; for the others newGame returns
// the id of the game that the server will open, or of one in the hall, unless an entry has no members and so plays over
// the board.
func (t *Tournament) Publish(newGame func() string, at int64) (*Revision, error) {
	return t.PublishStarting(newGame, at, Start{})
}

// PublishStarting is Publish with a start of the clocks of the server's games that may be later.
func (t *Tournament) PublishStarting(newGame func() string, at int64, start Start) (*Revision, error) {
	if err := start.check(at); err != nil {
		return nil, err
	}
	if t.Dated() && start != (Start{}) {
		return nil, Fault("start_in_ms", "each match has its own date here (teams.days)")
	}
	n := len(t.Rounds)
	if t.Status != Running || n == 0 || t.Rounds[n-1].Status != Paired {
		return nil, NotNow("there is no round to publish; pair the next one first")
	}
	r := t.Rounds[n-1]
	if left := t.unpaired(r); len(left) > 0 {
		return nil, NotNow("%s has neither a game nor a bye in round %d; pair it, or give it a bye", left[0].Name, n)
	}
	if err := t.checkTables(r); err != nil {
		return nil, err
	}
	r.Status = Published
	r.PublishedAt = at
	r.Start = start
	switch {
	case t.Format.FilesLineUps():
		r.LineUpsDue = t.Teams.dueAt(at, start)
	case t.Teams != nil:
		r.LineUpsDue = at // they follow from the table
	}
	r.Pairings = slices.Clone(r.Pairings)
	for i := range r.Pairings {
		if p := &r.Pairings[i]; p.Result == nil {
			t.OpenPairing(p, r.Number, newGame)
		}
	}
	r.Status = r.Stage()
	next := *t
	next.Rounds = slices.Clone(t.Rounds)
	next.Rounds[n-1] = r
	return next.Wrote(Delta{Rounds: []Round{r}})
}

// OpenPairing forfeits a pairing with a withdrawn entry, or names its game.
func (t *Tournament) OpenPairing(p *Pairing, round int, newGame func() string) {
	p.Result = t.forfeited(*p, round)
	if p.Result == nil || cmp.Or(p.Venue, t.Venue) == InHall {
		t.openGame(p, newGame)
	}
}

// forfeited returns the result of a pairing with a withdrawn entry, or nil. A table of more than two cannot be
// published with a withdrawn entry; see checkTables.
func (t *Tournament) forfeited(p Pairing, round int) *Result {
	gone := make([]bool, len(p.Seats))
	for i, id := range p.Seats {
		e, _ := t.Entry(id)
		gone[i] = e.WithdrawnFrom > 0 && e.WithdrawnFrom <= round
	}
	v := Verdict{Forfeit: true}
	switch {
	case !slices.Contains(gone, true) || len(gone) > 2:
		return nil
	case !gone[0]:
		v.Ranks = []int{1, 2}
	case !gone[1]:
		v.Ranks = []int{2, 1}
	}
	return t.withSecond(t.Score(len(p.Seats), v, ByServer, "withdrawn"),
		func(s PointSystem) []Points { return s.ForForfeit(len(p.Seats), v.Ranks) })
}

// Hosted reports whether the server has players for every seat.
func (t *Tournament) Hosted(p Pairing) bool {
	for _, id := range p.Seats {
		if e, _ := t.Entry(id); len(e.Members) == 0 {
			return false
		}
	}
	return true
}

// DropRound deletes the latest round while nothing has been played in it; begun returns an error for a game with moves.
func (t *Tournament) DropRound(round int, begun func(gameID string) error) (*Revision, error) {
	if err := t.changeable(round); err != nil {
		return nil, err
	}
	n := len(t.Rounds)
	if err := t.Rounds[n-1].untouched(begun); err != nil {
		return nil, err
	}
	next := *t
	next.Rounds = slices.Clone(t.Rounds[:n-1])
	return next.Wrote(Delta{RemovedRounds: []int{n}})
}

// untouched returns an error if something has been played in a round. Forfeits of entries that had withdrawn before it
// was published do not count.
func (r Round) untouched(begun func(gameID string) error) error {
	if r.Status == Paired {
		return nil
	}
	for _, p := range r.Pairings {
		switch {
		case p.Bye != NoBye:
		case p.Result != nil && (!p.Result.Forfeit || p.Result.Source != ByServer || p.GameID != ""):
			return NotNow("board %d of round %d has a result", p.Board, r.Number)
		case p.HasDraw():
			return NotNow("a game has been played at board %d of round %d", p.Board, r.Number)
		}
		for game, result := range p.GameResults() {
			if result != nil && !result.Forfeit {
				return NotNow("a game of match %d of round %d is over", p.Board, r.Number)
			}
			if result == nil {
				if err := begun(game); err != nil {
					return Refuse(err, "board %d of round %d", p.Board, r.Number)
				}
			}
		}
	}
	return nil
}

// Repairable returns the rounds after the given one that can be paired again because nothing has been played in them:
// the latest, or none. It returns none in formats with pairings that do not depend on results.
func (t *Tournament) Repairable(after int, begun func(gameID string) error) []int {
	n := len(t.Rounds)
	if after >= n || t.Format.Fixed() || t.changeable(n) != nil || t.Rounds[n-1].untouched(begun) != nil {
		return nil
	}
	return []int{n}
}

// Pairing returns a board of a round, or an error that wraps ErrNotFound.
func (t *Tournament) Pairing(round, board int) (Pairing, error) {
	if round < 1 || round > len(t.Rounds) {
		return Pairing{}, Refuse(ErrNotFound, "round %d; the rounds are 1 to %d", round, len(t.Rounds))
	}
	r := t.Rounds[round-1]
	if board < 1 || board > len(r.Pairings) {
		return Pairing{}, Refuse(ErrNotFound, "board %d in round %d; the boards are 1 to %d", board, round, len(r.Pairings))
	}
	return r.Pairings[board-1], nil
}

// Players returns the player ids of a pairing in the order of the game's seats: each entry's first member, then each
// one's second, so that partners sit opposite each other (seats 1 and 3 against 2 and 4).
func (t *Tournament) Players(p Pairing) []string {
	var out []string
	for m := 0; ; m++ {
		before := len(out)
		for _, id := range p.Seats {
			if e, _ := t.Entry(id); m < len(e.Members) {
				out = append(out, e.Members[m])
			}
		}
		if len(out) == before {
			return out
		}
	}
}
