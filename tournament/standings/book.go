package standings

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/keizer"
)

// book holds a field as standings use it, with a page for each entry.
type book struct {
	points   tournament.PointSystem
	seed     string
	fixed    bool // pairings known beforehand (article 15.2): forfeits are regular games
	rounds   int  // rounds that count
	final    int  // index of the tournament's last round, −1 while it is still to come
	pages    []page
	max      tournament.Points // the greatest possible score so far
	table    tournament.Points // points given at a table of the preferred size; 0 in formats without tables
	rotate   bool              // partners change
	unrated  bool              // some entry has no rating
	lots     []int
	outlooks [2]*outlook        // without and with fore
	known    map[string][]int64 // keys of tie-breaks that others build on, by page
	terms    []term             // of the value being computed
	season   []keizer.Standing  // by page; nil in other formats than Keizer seasons
	inGroup  []int              // place of a page in the group at hand, from 1; direct encounter's
}

// page is an entry with its rounds.
type page struct {
	entry    tournament.Entry
	rounds   []round // those that do not count are blank
	score    tournament.Points
	annulled bool
}

// round is a cell of a page.
type round struct {
	kind      tournament.Kind
	bye       tournament.Bye
	seat      int
	opponent  int   // index of the page; −1 without an opponent, and at tables of more than two
	opponents []int // indices of all at the table
	points    tournament.Points
}

// black is the second seat of a duel.
const black = 2

// bookOf is openBook with the ranking of a Keizer season. The error wraps tournament.ErrInvalid for a season too large to
// be ranked.
func bookOf(f Field) (*book, error) {
	b := openBook(f)
	if f.Format.Traits().Ranking != tournament.ByValue {
		return b, nil
	}
	return b, b.rankSeason(f)
}

func openBook(f Field) *book {
	b := &book{
		points: f.Points, seed: f.Seed, fixed: f.Format.Fixed(),
		table: f.Points.TableTotal(f.Tables), rotate: f.Tables.Rotate,
		pages: make([]page, len(f.Cards)), known: make(map[string][]int64), inGroup: make([]int, len(f.Cards)),
	}
	index := make(map[int]int, len(f.Cards))
	for i, card := range f.Cards {
		index[card.Entry.Number] = i
		b.rounds = max(b.rounds, len(card.Cells))
		b.unrated = b.unrated || card.Entry.Rating <= 0
	}
	b.final = b.rounds - 1
	if f.Rounds > b.rounds {
		b.final = -1
	}
	for i, card := range f.Cards {
		b.pages[i] = newPage(card, f.Annulled, index)
	}
	b.max = b.possible()
	return b
}

func newPage(card tournament.Card, annulled map[int]bool, index map[int]int) page {
	p := page{entry: card.Entry, rounds: make([]round, len(card.Cells)), annulled: annulled[card.Entry.Number]}
	opponents := make([]int, 0, len(card.Cells))
	for i, c := range card.Cells {
		p.rounds[i] = round{opponent: -1}
		if !p.annulled && slices.ContainsFunc(c.Opponents, func(n int) bool { return annulled[n] }) {
			continue
		}
		from := len(opponents)
		for _, n := range c.Opponents {
			if other, ok := index[n]; ok {
				opponents = append(opponents, other)
			}
		}
		r := round{
			kind: c.Kind, bye: c.Bye, seat: c.Seat, opponent: -1, points: c.Points,
			opponents: opponents[from:len(opponents):len(opponents)],
		}
		if len(r.opponents) == 1 {
			r.opponent = r.opponents[0]
		}
		p.rounds[i] = r
		p.score += c.Points
	}
	return p
}

// decided reports whether the round was a pairing of two with a result, at the board or by forfeit.
func (r *round) decided() bool { return r.opponent >= 0 && r.kind != tournament.Pending }

// played reports whether the round was a game of two at the board.
func (r *round) played() bool { return r.opponent >= 0 && r.kind == tournament.Played }

// requested reports whether the entry missed the round by its own wish: half- and zero-point byes, absence (16.2.5).
func (r *round) requested() bool {
	return r.kind == tournament.Absent ||
		r.kind == tournament.Unpaired && (r.bye == tournament.HalfPoint || r.bye == tournament.ZeroPoint)
}

// voluntary reports whether the round is a VUR (16.2).
func (r *round) voluntary() bool { return r.requested() || r.kind == tournament.ForfeitLoss }

// possible returns the greatest score that an entry could have made so far: a win in every round that can be
// scored in. In a round-robin these are the rounds with an opponent that counts.
func (b *book) possible() tournament.Points {
	rounds := 0
	for _, p := range b.pages {
		n := len(p.rounds)
		if b.fixed {
			n = 0
			for i := range p.rounds {
				if len(p.rounds[i].opponents) > 0 {
					n++
				}
			}
		}
		if !p.annulled {
			rounds = max(rounds, n)
		}
	}
	return tournament.Points(rounds) * b.points.Win
}
