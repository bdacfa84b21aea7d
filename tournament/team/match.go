package team

import (
	"cmp"
	"maps"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/scoring"
)

// SquadOf returns the squad of an entry. ratings are by list, then by player; names by player.
func SquadOf(e tournament.Entry, ratings map[string]map[string]float64, names map[string]string) Squad {
	q := Squad{Name: e.Name, Members: make([]Member, len(e.Members))}
	for i, id := range e.Members {
		m := Member{Player: id, Name: cmp.Or(names[id], id), Ratings: map[string]float64{}}
		for list, of := range ratings {
			if r, rated := of[id]; rated {
				m.Ratings[list] = r
			}
		}
		q.Members[i] = m
	}
	return q
}

// Match returns a match of a published round, or an error that wraps tournament.ErrNotFound.
func Match(t *tournament.Tournament, round, match int) (tournament.Pairing, error) {
	none := tournament.Refuse(tournament.ErrNotFound, "match %d in round %d", match, round)
	if t.Teams == nil || round < 1 || round > t.PublishedRounds() {
		return tournament.Pairing{}, none
	}
	p, err := t.Pairing(round, match)
	if err != nil || p.Bye != tournament.NoBye {
		return p, none
	}
	return p, nil
}

// marks returns the marks of a side on boards.
func marks(boards []tournament.MatchBoard, side int) []Mark {
	out := make([]Mark, len(boards))
	for i, b := range boards {
		out[i] = MarkOf(b, side)
	}
	return out
}

// Split returns the boards of a match, and those of each match that was played to decide it.
func (s Settings) Split(p tournament.Pairing) (own []tournament.MatchBoard, repeats [][]tournament.MatchBoard) {
	return tournament.TeamRules(s).Split(p.Boards)
}

// MarkOf returns the mark of a side on a board.
func MarkOf(b tournament.MatchBoard, side int) Mark {
	switch r := b.Result; {
	case b.Players[side] == "":
		return Empty
	case r == nil:
		return Unfinished
	case r.Forfeit && r.Ranks != nil && r.Ranks[side] == 1:
		return ForfeitWon
	case r.Forfeit:
		return ForfeitLost
	case r.Ranks[0] == 1 && r.Ranks[1] == 1:
		return Drawn
	case r.Ranks[side] == 1:
		return Won
	}
	return Lost
}

// Ruling returns the ruling on a match from White's view: by the boards that both manned or, if no line-up was
// revealed, by the match's result.
func (s Settings) Ruling(p tournament.Pairing) Ruling {
	if p.Boards != nil {
		var manned [2]int
		own, _ := s.Split(p)
		for _, b := range own {
			for side, player := range b.Players {
				if player != "" {
					manned[side]++
				}
			}
		}
		return s.Forfeited(manned[0], manned[1])
	}
	switch r := p.Result; {
	case r == nil:
		return NoRuling
	case r.Ranks == nil:
		return GoesToNone
	case r.Ranks[0] == 1:
		return GoesTo
	}
	return GoesAway
}

// Outcome returns a side's outcome of a match in a published round, without its opponent.
func (s Settings) Outcome(p tournament.Pairing, side int) Outcome {
	if p.Boards == nil && p.Result == nil {
		return Outcome{Kind: Underway}
	}
	r := s.Ruling(p)
	if side == 1 {
		r = r.Other()
	}
	own, _ := s.Split(p)
	out := s.Scoring().Judge(marks(own, side), marks(own, 1-side), r)
	out.Colour = tournament.White
	if side == 1 {
		out.Colour = tournament.Black
	}
	return out
}

// Result returns the result of a match that follows from its boards; nil while a board is open, or another match must
// be played to decide it.
func (s Settings) Result(t *tournament.Tournament, round int, p tournament.Pairing) *tournament.Result {
	o := [2]Outcome{s.Outcome(p, 0), s.Outcome(p, 1)}
	d := s.Decision(t, round, p)
	if o[0].Kind == Underway || d.Next != "" {
		return nil
	}
	by, other := s.Primary, s.Primary.Other()
	r := &tournament.Result{
		Points: []tournament.Points{o[0].Of(by), o[1].Of(by)}, Second: []tournament.Points{o[0].Of(other), o[1].Of(other)},
		Forfeit: o[0].Kind != Played, Source: tournament.ByServer, Reason: "boards",
	}
	switch _, leg := t.LegOf(round); {
	case leg < s.Legs:
		r.GoesOn = tournament.NoneYet
	case d.By != "" || s.Legs > 1 && d.Winner >= 0:
		r.GoesOn, r.DecidedBy = d.Winner+1, d.By
	}
	for _, b := range p.Boards {
		if b.Result != nil && b.Result.Source == tournament.ByArbiter {
			r.Source = tournament.ByArbiter
		}
	}
	switch {
	case r.Forfeit && o[0].Kind == ForfeitWin:
		r.Ranks = []int{1, 2}
	case r.Forfeit && o[1].Kind == ForfeitWin:
		r.Ranks = []int{2, 1}
	case r.Forfeit:
	case o[0].GP > o[1].GP:
		r.Ranks = []int{1, 2}
	case o[0].GP < o[1].GP:
		r.Ranks = []int{2, 1}
	default:
		r.Ranks = []int{1, 1}
	}
	return r
}

// boardResult returns the result of a board by side.
func (s Settings) boardResult(b tournament.MatchBoard, v tournament.Verdict, source tournament.Source, why string,
) *tournament.Result {
	r := &tournament.Result{
		Ranks: slices.Clone(v.Ranks), Forfeit: v.Forfeit, Adjudicated: v.Adjudicated, Source: source, Reason: why,
	}
	b.Result = r
	for side := range b.Players {
		r.Points = append(r.Points, MarkOf(b, side).Points(*s.GamePoints))
	}
	return r
}

// unmanned returns the result of a board that lacks a player of either side, or belongs to a forfeited match; nil for a
// board to be played.
func (s Settings) unmanned(b tournament.MatchBoard, r Ruling) *tournament.Result {
	v := tournament.Verdict{Forfeit: true}
	white := b.Players[0] != "" && r != GoesAway && r != GoesToNone
	black := b.Players[1] != "" && r != GoesTo && r != GoesToNone
	switch {
	case white && black:
		return nil
	case white:
		v.Ranks = []int{1, 2}
	case black:
		v.Ranks = []int{2, 1}
	}
	return s.boardResult(b, v, tournament.ByServer, "forfeit")
}

// Reveal puts the players of both line-ups, White's first, on the boards of a match; newGame returns ids of games. A
// match that is revealed already is not changed.
func Reveal(t *tournament.Tournament, round, match int, lineUps [2]LineUp, newGame func() string, at int64) (*tournament.Revision, error) {
	p, err := Match(t, round, match)
	if err != nil || !t.Sealed(p) || t.Status != tournament.Running {
		return &tournament.Revision{Tournament: t}, err
	}
	s := Of(t)
	p.Boards = make([]tournament.MatchBoard, len(s.Boards))
	for i := range p.Boards {
		for side, l := range lineUps {
			if i < len(l) {
				p.Boards[i].Players[side] = l[i]
			}
		}
	}
	s.turn(t, round, p.Boards)
	r := s.Ruling(p)
	for i := range p.Boards {
		b := &p.Boards[i]
		b.Result = s.unmanned(*b, r)
		if b.Result == nil {
			openBoard(t, p, b, newGame)
		}
	}
	return s.with(t, round, p, byServer(at, newGame), sentence.Fixed("line-ups revealed"))
}

func byServer(at int64, newGame func() string) tournament.Editing {
	return tournament.Editing{NewGame: newGame, By: tournament.ServerAccount, At: at}
}

// openBoard assigns the id of a board's game.
func openBoard(t *tournament.Tournament, p tournament.Pairing, b *tournament.MatchBoard, newGame func() string) {
	if cmp.Or(p.Venue, t.Venue) == tournament.InHall {
		b.HallGame = newGame()
		return
	}
	b.GameID, b.Games = newGame(), b.Games+1
}

// with returns t with a match in another state, and with the result that follows. said goes into the history.
func (s Settings) with(
	t *tournament.Tournament, round int, p tournament.Pairing, how tournament.Editing, said sentence.Sentence,
) (*tournament.Revision, error) {
	old, _ := t.Pairing(round, p.Board)
	p.Boards = s.repeated(t, round, p, how.NewGame)
	p.Result = s.Result(t, round, p)
	if err := t.KeepsWinner(round, old, p); err != nil {
		return nil, err
	}
	c := tournament.Change{Round: round, Board: p.Board, Before: old.Result, After: p.Result, By: how.By, At: how.At}.
		Because(sentence.Join("; ", said, s.news(t, round, old, p)))
	next, err := t.WithPairing(round, p.Board, &c, func(q *tournament.Pairing) { *q = p })
	if err != nil {
		return nil, err
	}
	return next.Then(s.followed(next.Tournament, round, p, how))
}

// followed returns t after a change of a match, with the consequences for its second leg.
func (s Settings) followed(
	t *tournament.Tournament, round int, p tournament.Pairing, how tournament.Editing,
) (*tournament.Revision, error) {
	old, ok := SecondLeg(t, round, p)
	if !ok || old.Boards == nil {
		return t.Unchanged()
	}
	is := old
	is.Boards = s.repeated(t, round+1, is, how.NewGame)
	is.Result = s.Result(t, round+1, is)
	if len(is.Boards) == len(old.Boards) && sameWinner(is.Result, old.Result) {
		return t.Unchanged()
	}
	if err := t.KeepsWinner(round+1, old, is); err != nil {
		return nil, err
	}
	c := tournament.Change{Round: round + 1, Board: is.Board, Before: old.Result, After: is.Result, By: how.By, At: how.At}.
		Because(sentence.Join("; ", sentence.New("the first leg was corrected"), s.decidedNow(t, round+1, is)))
	return t.WithPairing(round+1, is.Board, &c, func(q *tournament.Pairing) { *q = is })
}

// sameWinner reports whether two results of a match have the same team go on for the same reason.
func sameWinner(a, b *tournament.Result) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.GoesOn == b.GoesOn && a.DecidedBy == b.DecidedBy
}

// at returns a match with revealed line-ups, and a board of it; its boards may be modified.
func at(t *tournament.Tournament, round, match, board int) (tournament.Pairing, *tournament.MatchBoard, error) {
	p, err := Match(t, round, match)
	switch {
	case err != nil:
		return p, nil, err
	case t.Status != tournament.Running && t.Status != tournament.Finished:
		return p, nil, tournament.NotNow("the tournament is %s; results cannot be entered", t.Status)
	case t.Sealed(p):
		return p, nil, tournament.NotNow("the line-ups of match %d are not revealed yet", match)
	case board < 1 || board > len(p.Boards):
		return p, nil, tournament.Refuse(tournament.ErrNotFound, "board %d of match %d", board, match)
	}
	p.Boards = slices.Clone(p.Boards)
	return p, &p.Boards[board-1], nil
}

// SetBoard sets the result of a board by hand, by side: White's first. The history keeps an earlier result.
func SetBoard(
	t *tournament.Tournament, round, match, board int, v tournament.Verdict, why string, how tournament.Editing,
) (*tournament.Revision, error) {
	return setBoard(t, round, match, board, v, why, how, tournament.ByArbiter)
}

// Reported sets the results of boards, by side, that both players or both captains have reported.
func Reported(
	t *tournament.Tournament, round, match int, results map[int]tournament.Verdict, how tournament.Editing,
) (next *tournament.Revision, err error) {
	next = &tournament.Revision{Tournament: t}
	for _, board := range slices.Sorted(maps.Keys(results)) {
		_, b, err := at(t, round, match, board)
		switch {
		case err != nil:
			return nil, err
		case b.Result != nil || b.GameID != "":
			return nil, tournament.NotNow("board %d has a result; only an arbiter can correct it", board)
		}
		next, err = next.Then(setBoard(next.Tournament, round, match, board, results[board], "", how, tournament.ByPlayers))
		if err != nil {
			return nil, err
		}
	}
	return next, nil
}

func setBoard(
	t *tournament.Tournament, round, match, board int, v tournament.Verdict, why string, how tournament.Editing,
	source tournament.Source,
) (*tournament.Revision, error) {
	p, b, err := at(t, round, match, board)
	if err != nil {
		return nil, err
	}
	s := Of(t)
	switch {
	case v.Rated != nil || v.Missing != nil:
		err = tournament.NotValid("the result of a board of a match is 1-0, 1/2-1/2, 0-1, +--, --+ or ---")
	case v.Adjudicated && why == "":
		err = tournament.Fault("reason", "an adjudicated result needs a reason")
	case b.Players[0] == "" || b.Players[1] == "" || s.Ruling(p) != NoRuling:
		err = tournament.NotNow("board %d is not manned by both teams, so nothing is played there", board)
	default:
		err = v.Check(2)
	}
	if err != nil {
		return nil, err
	}
	old := b.Result
	b.Result = s.boardResult(*b, v, source, why)
	b.Result.Rated = b.HallGame != "" && t.Rated && !s.unrated(board) && !v.Forfeit && !v.Adjudicated
	if old != nil && slices.Equal(old.Ranks, b.Result.Ranks) && old.Forfeit == v.Forfeit && old.Source == b.Result.Source &&
		old.Reason == why && old.Adjudicated == v.Adjudicated {
		return t.Unchanged()
	}
	return s.with(t, round, p, how, boardNews(board, old, b.Result))
}

func (s Settings) unrated(board int) bool {
	on, _ := tournament.TeamRules(s).Place(board)
	return s.Boards[on-1].Unrated
}

// boardNews returns the history's text for the result of a board.
func boardNews(board int, before, after *tournament.Result) sentence.Sentence {
	if before != nil {
		return sentence.New("board %d: %s, before %s", board, after.Text(), before.Text())
	}
	return sentence.New("board %d: %s", board, after.Text())
}

// GameOver records the end of a server's game of a board: ranks are by seat, nil for a void game, which is played again
// with a new id up to [tournament.MaxGames] times and is a draw then. An aborted game leaves the board open.
func GameOver(t *tournament.Tournament, round, match int, end End, newGame func() string) (*tournament.Revision, error) {
	p, err := Match(t, round, match)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(p.Boards, func(b tournament.MatchBoard) bool { return b.GameID == end.Game })
	if i < 0 {
		return t.Unchanged()
	}
	p, b, err := at(t, round, match, i+1)
	if err != nil {
		return nil, err
	}
	s := Of(t)
	switch {
	case end.Aborted:
		note := sentence.New("board %d: the game was broken off; an arbiter enters the result", i+1)
		return s.with(t, round, p, byServer(end.At, newGame), note)
	case end.Ranks == nil && b.Games < tournament.MaxGames:
		b.GameID, b.Games = newGame(), b.Games+1
		note := sentence.New("board %d: the game was void and is played again", i+1)
		return s.with(t, round, p, byServer(end.At, newGame), note)
	}
	v := tournament.Verdict{Ranks: []int{1, 1}}
	if len(end.Ranks) == 2 {
		v = scoring.GameVerdict(end.Ranks, end.Plies, end.Reason)
		if t.Teams.SeatOne(i+1, *b) == 1 {
			slices.Reverse(v.Ranks)
		}
	}
	b.Result = s.boardResult(*b, v, tournament.ByServer, end.Reason)
	return s.with(t, round, p, byServer(end.At, newGame), boardNews(i+1, nil, b.Result))
}

// End is the end of a server's game.
type End struct {
	Game    string
	Ranks   []int
	Aborted bool
	Plies   int
	Reason  string
	At      int64
}

// LineUpsDue returns the latest time of the reveal of line-ups, for a match of a published round.
func LineUpsDue(t *tournament.Tournament, round int, p tournament.Pairing) int64 {
	return cmp.Or(p.LineUpsDue, t.Rounds[round-1].LineUpsDue)
}
