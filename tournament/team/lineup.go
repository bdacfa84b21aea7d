package team

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"quatuor/tournament"
)

// Squad is a team with its members in the order of registration.
type Squad struct {
	Name    string
	Members []Member
	Lists   []string // the rating lists of the boards, from the first; nil for those of their games
}

// Member is a player of a squad.
type Member struct {
	Player    string             `json:"player"` // id
	Name      string             `json:"name"`
	Ratings   map[string]float64 `json:"ratings,omitempty"` // by list, at the start of the round; unrated without an entry
	Games     []string           `json:"games,omitempty"`   // registered for, where the order is by game; nil for all
	Withdrawn bool               `json:"withdrawn,omitempty"`
}

// LineUp is the players on the boards, from the first; "" is an empty board.
type LineUp []string

// Manned returns the number of boards with a player.
func (l LineUp) Manned() (n int) {
	for _, player := range l {
		if player != "" {
			n++
		}
	}
	return n
}

// LineUp returns a captain's line-up in full: with as many places as boards, and players below an empty board moved up
// where gaps are at the bottom only. Errors wrap tournament.ErrInvalid; the error for a breach of the order names both
// players, the rule and their ratings.
func (s Settings) LineUp(squad Squad, filed LineUp) (LineUp, error) {
	if len(filed) > len(s.Boards) {
		return nil, tournament.NotValid("the line-up has %d places, and there are %d boards", len(filed), len(s.Boards))
	}
	l := s.closed(filed)
	for i, player := range l {
		if player == "" {
			continue
		}
		at := squad.index(player)
		if at < 0 {
			return nil, tournament.NotValid("board %d: %s is not in the squad of %s", i+1, player, squad.Name)
		}
		if first := slices.Index(l[:i], player); first >= 0 {
			return nil, tournament.NotValid("%s is on board %d and on board %d", squad.Members[at].Name, first+1, i+1)
		}
		if squad.Members[at].Withdrawn {
			return nil, tournament.NotValid("board %d: %s has withdrawn", i+1, squad.Members[at].Name)
		}
	}
	return l, s.checkOrder(squad, l)
}

// closed returns a line-up with a place for each board, without gaps where they are not allowed.
func (s Settings) closed(filed LineUp) LineUp {
	l := slices.Clone(filed)
	if s.Gaps != GapsAny {
		l = slices.DeleteFunc(l, func(player string) bool { return player == "" })
	}
	for len(l) < len(s.Boards) {
		l = append(l, "")
	}
	return l
}

func (q Squad) index(player string) int {
	return slices.IndexFunc(q.Members, func(m Member) bool { return m.Player == player })
}

// checkOrder refuses a line-up that breaks the rule of the order.
func (s Settings) checkOrder(squad Squad, l LineUp) error {
	for k, lower := range l {
		if lower == "" {
			continue
		}
		b := &squad.Members[squad.index(lower)]
		if s.Order == GameOrder && b.Games != nil && !slices.Contains(b.Games, s.Boards[k].Game) {
			return tournament.NotValid("board %d: %s is not registered for %s", k+1, b.Name, s.Boards[k].Game)
		}
		for i, upper := range l[:k] {
			if upper == "" {
				continue
			}
			if err := s.checkPair(squad, i, k, &squad.Members[squad.index(upper)], b); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPair refuses two players if b sits below a against the rule of the order; boards are from 0.
func (s Settings) checkPair(squad Squad, i, k int, a, b *Member) error {
	registered := squad.index(a.Player) < squad.index(b.Player)
	switch s.Order {
	case FixedOrder:
		if !registered {
			return tournament.NotValid("order fixed: %s (board %d) is registered after %s (board %d), and players sit in "+
				"the order of registration; their ratings are %s and %s", a.Name, i+1, b.Name, k+1,
				a.ratingText(s.ListOf(squad, i+1)), b.ratingText(s.ListOf(squad, k+1)))
		}
	case GameOrder:
		if !registered && s.Boards[i].Game == s.Boards[k].Game {
			return tournament.NotValid("order game: %s (board %d) is registered after %s (board %d) for %s; their ratings "+
				"are %s and %s", a.Name, i+1, b.Name, k+1, s.Boards[k].Game, a.ratingText(s.ListOf(squad, i+1)),
				b.ratingText(s.ListOf(squad, k+1)))
		}
	case RatingOrder:
		above, rated := a.Ratings[s.ListOf(squad, i+1)]
		below, alsoRated := b.Ratings[s.ListOf(squad, k+1)]
		if rated && alsoRated && below-above > float64(*s.RatingMargin) {
			return tournament.NotValid("order rating: %s (board %d) has %s and sits above %s (board %d) with %s, and %d is "+
				"the most by which a player above may be lower", a.Name, i+1, a.ratingText(s.ListOf(squad, i+1)), b.Name, k+1,
				b.ratingText(s.ListOf(squad, k+1)), *s.RatingMargin)
		}
	}
	return nil
}

// ratingText returns a rating as it is shown; "–" for none.
func (m *Member) ratingText(list string) string {
	r, rated := m.Ratings[list]
	if !rated {
		return "–"
	}
	return tournament.Points(10 * int(math.Floor(r+0.5))).String()
}

// Standing returns the line-up of a team that filed none: the last line-up that it used, else the order of
// registration; withdrawn members are left out.
func (s Settings) Standing(squad Squad, last LineUp) LineUp {
	if last == nil {
		for _, m := range squad.Members {
			if !m.Withdrawn && len(last) < len(s.Boards) {
				last = append(last, m.Player)
			}
		}
		return s.closed(last)
	}
	out := slices.Clone(last)
	for i, player := range out {
		if at := squad.index(player); at < 0 || squad.Members[at].Withdrawn {
			out[i] = ""
		}
	}
	return s.closed(out)
}

// Substitute returns a line-up with another member in place of the player on a board (from 1). Where the order demands
// it, the players below move up and the substitute sits further down. started reports whether a move was made on a
// board, which cannot change then. Errors wrap tournament.ErrInvalid, or tournament.ErrState for a board that has
// started.
func (s Settings) Substitute(
	squad Squad, l LineUp, board int, player string, started func(board int) bool,
) (LineUp, error) {
	if board < 1 || board > len(l) {
		return nil, tournament.NotValid("there is no board %d; choose 1 to %d", board, len(l))
	}
	if at := slices.Index(l, player); at >= 0 {
		return nil, tournament.NotValid("the substitute sits on board %d already", at+1)
	}
	rest := slices.Delete(slices.Clone(l), board-1, board)
	var first error
	for place := board - 1; place < len(l); place++ {
		out, err := s.LineUp(squad, slices.Insert(slices.Clone(rest), place, player))
		if first == nil {
			first = err
		}
		if err != nil {
			if s.Order != FixedOrder && s.Order != RatingOrder {
				break
			}
			continue
		}
		for i := range out {
			if out[i] != l[i] && started(i+1) {
				return nil, tournament.NotNow("a move was made on board %d, so its player stays", i+1)
			}
		}
		return out, nil
	}
	return nil, first
}

// Forfeited returns the ruling on a match for the first of two teams, by the number of boards that each manned: a team
// below the minimum forfeits.
func (s Settings) Forfeited(first, second int) Ruling {
	switch a, b := first < s.Minimum, second < s.Minimum; {
	case a && b:
		return GoesToNone
	case a:
		return GoesAway
	case b:
		return GoesTo
	}
	return NoRuling
}

// Strength orders teams initially: by the mean rating of the best members, then by the next member's rating.
type Strength struct {
	Mean int // rounded half up
	Next float64
}

// unrated is the rating of an unrated member in the strength of a team.
const unrated = 1400

// ListOf returns the rating list of a board, from 1, that has the squad's ratings. Two speeds of a game have two lists.
func (s Settings) ListOf(squad Squad, board int) string {
	if board <= len(squad.Lists) {
		return squad.Lists[board-1]
	}
	return s.Boards[board-1].Game
}

// Strength returns a team's strength: for each list as many of its best members as there are boards of it.
func (s Settings) Strength(squad Squad) Strength {
	boards := make(map[string]int)
	var lists []string
	for i := range s.Boards {
		list := s.ListOf(squad, i+1)
		boards[list]++
		if boards[list] == 1 {
			lists = append(lists, list)
		}
	}
	sum, next := 0.0, 0.0
	for i, list := range lists {
		ratings := squad.ratings(list)
		for len(ratings) <= boards[list] {
			ratings = append(ratings, 0) // a missing member is worth nothing
		}
		for _, r := range ratings[:boards[list]] {
			sum += r
		}
		if i == 0 {
			next = ratings[boards[list]]
		}
	}
	return Strength{int(math.Floor(sum/float64(len(s.Boards)) + 0.5)), next}
}

// ratings returns the ratings of the members, the highest first.
func (q Squad) ratings(list string) []float64 {
	var out []float64
	for _, m := range q.Members {
		r, rated := m.Ratings[list]
		if !rated {
			r = unrated
		}
		if !m.Withdrawn {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}

// compare orders squads initially: by strength, the next member's rating, then the name.
func (s Settings) compare(a, b Squad) int {
	x, y := s.Strength(a), s.Strength(b)
	return cmp.Or(cmp.Compare(y.Mean, x.Mean), cmp.Compare(y.Next, x.Next), strings.Compare(a.Name, b.Name))
}

// NameOf returns the name of a member; a dash for others.
func (q Squad) NameOf(player string) string {
	if at := q.index(player); at >= 0 {
		return q.Members[at].Name
	}
	return "–"
}

// Numbers returns the pairing numbers of squads by entry id in their initial order.
func (s Settings) Numbers(squads map[string]Squad) map[string]int {
	ids := make([]string, 0, len(squads))
	for id := range squads {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	slices.SortStableFunc(ids, func(a, b string) int { return s.compare(squads[a], squads[b]) })
	out := make(map[string]int, len(ids))
	for i, id := range ids {
		out[id] = i + 1
	}
	return out
}
