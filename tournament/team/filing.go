package team

import (
	"slices"
	"time"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Filing returns the side of a match, 0 for White, that the player files line-ups for, or an error that wraps
// tournament.ErrNotFound. Only captains and deputies file, whatever rights they have in the tournament.
func Filing(t *tournament.Tournament, p tournament.Pairing, player string) (int, error) {
	for side, id := range p.Seats {
		if e, _ := t.Entry(id); e.Leads(player) {
			return side, nil
		}
	}
	return 0, tournament.Refuse(tournament.ErrNotFound, "line-up of yours in match %d", p.Board)
}

// Open returns an error if no line-up can be filed any more for a match.
func Open(t *tournament.Tournament, round int, p tournament.Pairing, at int64) error {
	due := LineUpsDue(t, round, p)
	switch {
	case t.Status != tournament.Running:
		return tournament.NotNow("the tournament is %s", t.Status)
	case t.Format == tournament.TeamScheveningen:
		return tournament.NotNow("in a %s line-ups follow from the table; an arbiter can put in a substitute", t.Format)
	case !t.Sealed(p) || at >= due:
		return tournament.NotNow("line-ups of round %d were due at %s, or when both captains were done; an arbiter can "+
			"still put in a substitute", round, time.UnixMilli(due).UTC().Format(time.RFC3339))
	}
	return nil
}

// Replace puts a member of the squad that is not in the line-up on a board, before the first move there; begun returns
// an error for a game with moves. Where the order demands it, players below move up, see [Settings.Substitute]. Games
// with other players get new ids. The names stay in the history.
func Replace(
	t *tournament.Tournament, round, match, board int, entry string, squad Squad, player string, how tournament.Editing,
) (*tournament.Revision, error) {
	p, _, err := at(t, round, match, board)
	if err != nil {
		return nil, err
	}
	s, side := Of(t), slices.Index(p.Seats, entry)
	switch {
	case side < 0:
		err = tournament.NotValid("the team does not play in match %d", match)
	case t.Status != tournament.Running || round < len(t.Rounds):
		err = tournament.NotNow("round %d is over; its line-ups stay", round)
	case s.Ruling(p) != NoRuling:
		err = tournament.NotNow("match %d is forfeited; its line-ups stay", match)
	case len(p.Boards) > len(s.Boards):
		err = tournament.NotNow("match %d is played again to decide it, with the same line-ups", match)
	}
	if err != nil {
		return nil, err
	}
	was := make(LineUp, len(p.Boards))
	for i, b := range p.Boards {
		was[i] = b.Players[side]
	}
	var fault error
	l, err := s.Substitute(squad, was, board, player, func(board int) bool {
		b := p.Boards[board-1]
		if begun(b) {
			return true
		}
		if b.Result == nil && b.GameID != "" {
			fault = how.Begun(b.GameID)
		}
		return fault != nil
	})
	if err != nil {
		return nil, err
	}
	for i := range p.Boards {
		if b := &p.Boards[i]; b.Players[side] != l[i] {
			b.Players[side] = l[i]
			b.GameID = ""
			b.HallGame = ""
			b.Result = s.unmanned(*b, NoRuling)
			if b.Result == nil {
				openBoard(t, p, b, how.NewGame)
			}
		}
	}
	return s.with(t, round, p, how, sentence.New("board %d: %s in place of %s", board, squad.NameOf(player),
		squad.NameOf(was[board-1])))
}

// Reopen seals the line-ups of a match until a later time, so that captains can file others; nothing may have been
// played in it. The caller aborts its games.
func Reopen(t *tournament.Tournament, round, match int, until int64, how tournament.Editing) (*tournament.Revision, error) {
	p, err := Match(t, round, match)
	switch {
	case err != nil:
	case t.Format == tournament.TeamScheveningen:
		err = tournament.NotNow("in a %s line-ups follow from the table, and stay", t.Format)
	case t.Status != tournament.Running || round < len(t.Rounds):
		err = tournament.NotNow("round %d is over; its line-ups stay", round)
	case p.Boards == nil && p.Result != nil:
		err = tournament.NotNow("match %d is forfeited; its line-ups stay", match)
	case p.Boards == nil && until <= LineUpsDue(t, round, p):
		err = tournament.NotNow("the line-ups of match %d are open longer than that", match)
	}
	for i, b := range p.Boards {
		switch {
		case err != nil:
		case begun(b):
			err = tournament.NotNow("board %d of match %d has a result, so the line-ups stay", i+1, match)
		case b.GameID != "" && b.Result == nil:
			err = how.Begun(b.GameID)
			if err != nil {
				err = tournament.Refuse(err, "board %d", i+1)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	p.Boards = nil
	p.Result = nil
	p.LineUpsDue = max(until, LineUpsDue(t, round, p))
	return Of(t).with(t, round, p, how, sentence.Fixed("line-ups opened again"))
}

// Used returns the line-up that a team used last before a round; nil for none.
func Used(t *tournament.Tournament, entry string, round int) LineUp {
	for n := round - 1; n > 0; n-- {
		for _, p := range t.Rounds[n-1].Pairings {
			side := slices.Index(p.Seats, entry)
			if side < 0 || p.Boards == nil {
				continue
			}
			own, _ := t.Teams.Split(p.Boards)
			l := make(LineUp, len(own))
			e, _ := t.Entry(entry)
			for i, b := range own {
				l[PlaceOf(t, n, e.Number, i)] = b.Players[side]
			}
			return l
		}
	}
	return nil
}

// Since returns the line-ups of a round that were filed since it was published. Earlier line-ups belong to a round that
// was deleted or taken back and has been paired again; they do not count, and captains file again.
func Since(t *tournament.Tournament, round int, filed []tournament.LineUp) []tournament.LineUp {
	published := t.Rounds[round-1].PublishedAt
	return slices.DeleteFunc(slices.Clone(filed), func(l tournament.LineUp) bool { return l.At < published })
}

// Last returns the last version that a side filed for a match; false for none. A line-up filed against another opponent
// does not count.
func Last(filed []tournament.LineUp, p tournament.Pairing, side int) (last tournament.LineUp, ok bool) {
	for _, l := range filed {
		if l.Entry == p.Seats[side] && l.Opponent == p.Seats[1-side] && l.N > last.N {
			last, ok = l, true
		}
	}
	return last, ok
}

// DueOf returns the line-ups that count for both sides at the reveal.
func (s Settings) DueOf(
	t *tournament.Tournament, round int, p tournament.Pairing, filed []tournament.LineUp,
) (lineUps [2]LineUp) {
	for side := range p.Seats {
		lineUps[side] = s.Due(t, round, p, side, filed)
	}
	return lineUps
}

// Due returns the line-up that counts for a side at the reveal.
func (s Settings) Due(
	t *tournament.Tournament, round int, p tournament.Pairing, side int, filed []tournament.LineUp,
) LineUp {
	if t.Format == tournament.TeamScheveningen {
		e, _ := t.Entry(p.Seats[side])
		return s.byPlace(t, round, e)
	}
	if last, ok := Last(filed, p, side); ok {
		return last.Players
	}
	e, _ := t.Entry(p.Seats[side])
	return s.Standing(SquadOf(e, nil, nil), Used(t, e.ID, round))
}

// Short returns a warning if a team, of that name, would forfeit with the line-up; nothing otherwise.
func (s Settings) Short(name string, l LineUp) sentence.Sentence {
	if l.Manned() >= s.Minimum {
		return sentence.Sentence{}
	}
	return sentence.New("%s forfeits the match with fewer than %d boards manned, and this line-up mans %d", name, s.Minimum,
		l.Manned())
}
