package director

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/team"
)

// byStrength returns a tournament of teams rated by their strengths, and the numbers by strength.
func (d *Director) byStrength(
	ctx context.Context, t *tournament.Tournament,
) (*tournament.Tournament, map[string]int, error) {
	squads, err := d.squads(ctx, t, t.Taking(), 0)
	if err != nil {
		return nil, nil, err
	}
	next, s := *t, team.Of(t)
	next.Entries = slices.Clone(t.Entries)
	for i := range next.Entries {
		if squad, takes := squads[next.Entries[i].ID]; takes {
			next.Entries[i].Rating = float64(s.Strength(squad).Mean)
		}
	}
	return &next, s.Numbers(squads), nil
}

// squads returns the squads of teams by entry id, with ratings as they were before a time, 0 for today's.
func (d *Director) squads(
	ctx context.Context, t *tournament.Tournament, entries []tournament.Entry, before int64,
) (map[string]team.Squad, error) {
	out := make(map[string]team.Squad, len(entries))
	for _, e := range entries {
		squad, err := d.squadBefore(ctx, t, e, before)
		if err != nil {
			return nil, err
		}
		out[e.ID] = squad
	}
	return out, nil
}

// squad returns the squad of a team with names, and with ratings from before a round's publication, so that later games
// do not change the legal line-ups; round 0 takes today's ratings.
func (d *Director) squad(
	ctx context.Context, t *tournament.Tournament, e tournament.Entry, round int,
) (team.Squad, error) {
	var before int64
	if round > 0 && round <= len(t.Rounds) {
		before = t.Rounds[round-1].PublishedAt
	}
	return d.squadBefore(ctx, t, e, before)
}

// squadBefore returns the squad of a team with names, and with ratings as they were before a time, 0 for today's.
func (d *Director) squadBefore(
	ctx context.Context, t *tournament.Tournament, e tournament.Entry, before int64,
) (team.Squad, error) {
	ratings := make(map[string]map[string]float64)
	var lists []string
	for i, b := range t.Teams.Boards {
		game, control := t.TeamGame(i+1), cmp.Or(b.TimeControl, t.TimeControl)
		list := game
		if d.List != nil {
			list = d.List(game, control)
		}
		lists = append(lists, list)
		if ratings[list] != nil || d.Ratings == nil {
			continue
		}
		of, err := d.Ratings(ctx, game, control, e.Members, before)
		if err != nil {
			return team.Squad{}, err
		}
		ratings[list] = of
	}
	names, err := d.Names(ctx, e.Members)
	if err != nil {
		return team.Squad{}, err
	}
	squad := team.SquadOf(e, ratings, names)
	squad.Lists = lists
	return squad, nil
}

// Filing is a line-up that a captain files.
type Filing struct {
	Round, Match int
	Player       string   // the captain that files it
	Players      []string // by board, "" for an empty board; nil to confirm the last version
	Final        bool     // the captain waits no longer; two final line-ups reveal the match
	Seen         *int     // the version that it replaces, 0 for none; nil for any
}

// FileLineUp files a version of a line-up, which stays sealed until the match is revealed. It is no act, and not in the
// history of the tournament.
func (d *Director) FileLineUp(ctx context.Context, id string, f Filing, o Order) (*tournament.Tournament, error) {
	op := func(t *tournament.Tournament) (*tournament.Revision, error) { return d.file(ctx, t, f, o) }
	return d.apply(ctx, id, o, op, nil)
}

func (d *Director) file(
	ctx context.Context, t *tournament.Tournament, f Filing, o Order,
) (*tournament.Revision, error) {
	p, side, all, err := d.filing(ctx, t, f.Round, f.Match, f.Player)
	if err == nil {
		err = team.Open(t, f.Round, p, d.now())
	}
	if err != nil {
		return nil, err
	}
	filed := team.Since(t, f.Round, all)
	last, _ := team.Last(filed, p, side)
	highest, _ := team.Last(all, p, side)
	e, _ := t.Entry(p.Seats[side])
	squad, err := d.squad(ctx, t, e, f.Round)
	if err != nil {
		return nil, err
	}
	s := team.Of(t)
	players := f.Players
	if players == nil {
		players = s.Due(t, f.Round, p, side, filed)
	}
	if err := d.misplaced(ctx, t, e, players); err != nil {
		return nil, err
	}
	players, err = s.LineUp(squad, players)
	switch {
	case f.Seen != nil && *f.Seen != last.N:
		return nil, tournament.Refuse(tournament.ErrStale, "version %d of the line-up is filed", last.N)
	case err != nil:
		return nil, err
	case last.N > 0 && slices.Equal(players, last.Players) && f.Final == last.Final:
		return t.Unchanged()
	}
	version := tournament.LineUp{
		Round: f.Round, Entry: e.ID, Opponent: p.Seats[1-side], N: highest.N + 1, Players: players, Final: f.Final, By: o.By,
		At: max(d.now(), t.Rounds[f.Round-1].PublishedAt), // the publishing instance's clock may be ahead
	}
	same := *t
	next := &tournament.Revision{Tournament: &same, Delta: tournament.Delta{
		LineUps: []tournament.LineUp{version}, Filed: map[int]int{f.Round: len(all)},
	}}
	if other, ok := team.Last(filed, p, 1-side); !f.Final || !ok || !other.Final {
		next.Delta.Unseen = last.N > 0
		return next, nil
	}
	return next.Then(d.reveal(next.Tournament, f.Round, p, append(filed, version)))
}

// misplaced refuses a line-up with a member of another team, and names both teams.
func (d *Director) misplaced(ctx context.Context, t *tournament.Tournament, own tournament.Entry, players []string) error {
	for i, player := range players {
		if player == "" || slices.Contains(own.Members, player) {
			continue
		}
		for _, e := range t.Entries {
			if !slices.Contains(e.Members, player) {
				continue
			}
			squad, err := d.squad(ctx, t, e, 0)
			if err != nil {
				return err
			}
			return tournament.NotValid("board %d: %s is in the squad of %s, and not in that of %s", i+1, squad.NameOf(player),
				e.Name, own.Name)
		}
	}
	return nil
}

// filing returns a match, the side of the captain that files, and all line-ups ever filed in its round.
func (d *Director) filing(ctx context.Context, t *tournament.Tournament, round, match int, player string) (
	p tournament.Pairing, side int, all []tournament.LineUp, err error,
) {
	p, err = team.Match(t, round, match)
	if err != nil {
		return p, 0, nil, err
	}
	side, err = team.Filing(t, p, player)
	if err != nil {
		return p, 0, nil, err
	}
	all, err = d.Store.LineUps(ctx, t.ID, round)
	return p, side, all, err
}

// filed returns the line-ups that count in a round.
func (d *Director) filed(ctx context.Context, t *tournament.Tournament, round int) ([]tournament.LineUp, error) {
	list, _, err := d.filedOf(ctx, t, round)
	return list, err
}

// filedOf returns the line-ups that count in a round, and the guard of a change that builds on them.
func (d *Director) filedOf(
	ctx context.Context, t *tournament.Tournament, round int,
) ([]tournament.LineUp, tournament.Delta, error) {
	all, err := d.Store.LineUps(ctx, t.ID, round)
	return team.Since(t, round, all), tournament.Delta{Filed: map[int]int{round: len(all)}}, err
}

// LineUpHeld is a captain's view of the line-up of a match.
type LineUpHeld struct {
	Side    int
	N       int // of the version that was filed last; 0 for none
	Players []string
	Final   bool
	Squad   team.Squad
}

// OwnLineUp returns the line-up that a captain has filed for a match, or else the line-up that would count by default.
func (d *Director) OwnLineUp(
	ctx context.Context, t *tournament.Tournament, round, match int, player string,
) (own LineUpHeld, err error) {
	p, side, all, err := d.filing(ctx, t, round, match, player)
	if err != nil {
		return own, err
	}
	filed := team.Since(t, round, all)
	e, _ := t.Entry(p.Seats[side])
	own.Squad, err = d.squad(ctx, t, e, round)
	if err != nil {
		return own, err
	}
	last, _ := team.Last(filed, p, side)
	own.Side = side
	own.N = last.N
	own.Final = last.Final
	own.Players = team.Of(t).Due(t, round, p, side, filed)
	return own, nil
}

// Filed returns which sides of a match have filed a line-up, for staff.
func (d *Director) Filed(ctx context.Context, t *tournament.Tournament, round, match int) (filed [2]bool, err error) {
	p, err := team.Match(t, round, match)
	if err != nil {
		return filed, err
	}
	list, err := d.filed(ctx, t, round)
	for side := range filed {
		_, filed[side] = team.Last(list, p, side)
	}
	return filed, err
}

// LineUpHistory returns all versions that were filed for a match; none before it is revealed.
func (d *Director) LineUpHistory(
	ctx context.Context, t *tournament.Tournament, round, match int,
) ([]tournament.LineUp, error) {
	p, err := team.Match(t, round, match)
	if err != nil || p.Boards == nil {
		return nil, err
	}
	list, err := d.filed(ctx, t, round)
	return slices.DeleteFunc(list, func(l tournament.LineUp) bool {
		return !slices.Contains(p.Seats, l.Entry) || !slices.Contains(p.Seats, l.Opponent)
	}), err
}

// reveal puts the line-ups of a match on its boards.
func (d *Director) reveal(
	t *tournament.Tournament, round int, p tournament.Pairing, filed []tournament.LineUp,
) (*tournament.Revision, error) {
	next, err := team.Reveal(t, round, p.Board, team.Of(t).DueOf(t, round, p, filed), d.NewID, d.now())
	if err == nil && next.Tournament != t {
		next.Delta.Acts = []tournament.Act{{
			Kind: tournament.ActReveal, By: tournament.ServerAccount, At: d.now(), Round: round, Board: p.Board,
		}}
	}
	return next, err
}

// RevealDue reveals the line-ups that are due. With several instances the first does it, and the others find them
// revealed.
func (d *Director) RevealDue(ctx context.Context) error {
	ids, err := d.Store.DueLineUps(ctx, d.now())
	errs := []error{err}
	for _, id := range ids {
		op := func(t *tournament.Tournament) (*tournament.Revision, error) { return d.revealAll(ctx, t) }
		_, err := d.apply(ctx, id, Order{By: tournament.ServerAccount}, op, nil)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// revealAll reveals all matches of a tournament that are due.
func (d *Director) revealAll(ctx context.Context, t *tournament.Tournament) (next *tournament.Revision, err error) {
	next = &tournament.Revision{Tournament: t}
	for _, r := range t.Rounds[:t.PublishedRounds()] {
		due := func(p tournament.Pairing) bool { return t.Sealed(p) && team.LineUpsDue(t, r.Number, p) <= d.now() }
		if r.LineUpsDue == 0 || !slices.ContainsFunc(r.Pairings, due) {
			continue
		}
		filed, guard, err := d.filedOf(ctx, t, r.Number)
		if err != nil {
			return nil, err
		}
		next.Delta = next.Delta.Then(guard)
		for _, p := range r.Pairings {
			if !due(p) {
				continue
			}
			next, err = next.Then(d.reveal(next.Tournament, r.Number, p, filed))
			if err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

// MatchBoard names a board of a match, with the reason of an act.
type MatchBoard struct {
	Round, Match, Board int
	Why                 string
}

// SetBoard sets the result of a board of a match by hand, White's side first. It first aborts the games of a deciding
// match that is no longer needed.
func SetBoard(b MatchBoard, v tournament.Verdict) Act {
	act := tournament.Act{Kind: tournament.ActBoard, Round: b.Round, Board: b.Match, Why: b.Why}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		next, err := team.SetBoard(t, b.Round, b.Match, b.Board, v, b.Why, do.editing())
		return do.abort(t, next, err, takenBack)
	}}
}

// Substitute puts a member on a board of a match, in the place of an absent player. Games with other players than
// before are aborted first; if a crash comes between the two, a second order repairs it.
func Substitute(b MatchBoard, entry, player string) Act {
	act := tournament.Act{Kind: tournament.ActSubstitute, Round: b.Round, Board: b.Match, Entry: entry, Why: b.Why}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		e, ok := t.Entry(entry)
		if !ok || t.Teams == nil {
			return nil, tournament.Refuse(tournament.ErrNotFound, "entry %q", entry)
		}
		squad, err := do.squad(do.ctx, t, e, b.Round)
		if err != nil {
			return nil, err
		}
		next, err := team.Replace(t, b.Round, b.Match, b.Board, entry, squad, player, do.editing())
		return do.abort(t, next, err, takenBack)
	}}
}

// Reopen lets the captains of a match file other line-ups for some minutes, before anything was played in it. Neither
// line-up is final then. Games are aborted first; if a crash comes between the two, a second order repairs it.
func Reopen(round, match, minutes int) Act {
	act := tournament.Act{Kind: tournament.ActReopen, Round: round, Board: match}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		now := do.now()
		next, err := team.Reopen(t, round, match, now+int64(minutes)*60_000, do.editing())
		if err != nil {
			return nil, err
		}
		filed, guard, err := do.filedOf(do.ctx, t, round)
		if err != nil {
			return nil, err
		}
		next.Delta = next.Delta.Then(guard)
		p, _ := next.Pairing(round, match)
		for side := range p.Seats {
			last, ok := team.Last(filed, p, side)
			if !ok || !last.Final {
				continue
			}
			last.N++
			last.Final = false
			last.By = do.By
			last.At = now
			next.Delta.LineUps = append(next.Delta.LineUps, last)
		}
		return do.abort(t, next, nil, takenBack)
	}}
}

// Dating is a date of a match, ms UTC, or its last day.
type Dating struct {
	Round, Match int
	Player       string // the captain that proposes it; "" for an arbiter, whose date counts
	At, Until    int64
}

// DateMatch records a captain's proposal of a date, or sets the arbiter's date.
func DateMatch(in Dating) Act {
	act := tournament.Act{Kind: tournament.ActDate, Round: in.Round, Board: in.Match}
	return Act{act, func(do doing, t *tournament.Tournament) (next *tournament.Revision, err error) {
		p, err := team.Match(t, in.Round, in.Match)
		if err != nil {
			return nil, err
		}
		var said sentence.Sentence
		if in.Player == "" {
			next, said, err = team.Date(t, in.Round, p, in.At, in.Until, do.now())
		} else if side, none := team.Filing(t, p, in.Player); none != nil {
			return nil, none
		} else {
			next, said, err = team.Propose(t, in.Round, p, side, in.At, do.now())
		}
		*do.entry = do.entry.Because(said)
		return next, err
	}}
}

// SetBonuses replaces the penalties and bonuses of teams.
func SetBonuses(list []tournament.Bonus) Act {
	act := tournament.Act{Kind: tournament.ActBonuses}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		next, err := team.SetBonuses(t, list)
		if err == nil {
			*do.entry = do.entry.Because(team.BonusNews(t, next.Tournament))
		}
		return next, err
	}}
}
