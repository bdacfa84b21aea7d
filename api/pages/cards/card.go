// Package cards serves the pages of an entry in a tournament: its card, and how its tie-breaks came about.
package cards

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/ratings"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// Pages are the pages of entries.
type Pages struct {
	*kit.Kit
	ratings *ratings.Pages
}

// New returns the pages of entries.
func New(k *kit.Kit, lists *ratings.Pages) *Pages {
	return &Pages{k, lists}
}

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{"/tournaments/:id/standings/:number": p.account})
	p.Get(e, "/tournaments/:id/players/:number", p.card)
	p.Live("/tournaments/:id/players/:number", kit.Later, func(c echo.Context) []string {
		return []string{kit.TournamentTopic(c)}
	})
}

// CardBody holds the data of a player's card in a tournament.
type CardBody struct {
	*tournament.Tournament
	Entry       tournament.Entry
	Number      int          // pairing number, before the start the place in the list
	Members     []kit.Person // with pages of their own
	Rank        int          // 0 before the first round, and for an entry without a rank
	Points      tournament.Points
	AsOf        results.AsOf
	Performance string // "" where it cannot be computed
	Opposition  string // mean rating of the opponents, likewise
	TieBreaks   []cardTieBreak
	Rounds      []CardRound
	Next        *CardRound // in the round that is going on, nil without an open game there
	Follows     bool

	brought map[int]tournament.Points // by boards of an arena, doubling included
}

// cardTieBreak is a value of the standings.
type cardTieBreak struct{ Code, Title, Value string }

// CardRound is a round of an entry.
type CardRound struct {
	Number    int
	Board     int
	Seat      int // 1 has the first move; 0 without a game
	Duel      bool
	Opponents []cardOpponent
	Bye       tournament.Bye
	Absent    bool
	Result    string // as score sheets have it, from this entry's side; "" while it is open
	Points    tournament.Points
	Sum       tournament.Points // points after the round
	GameID    string
	Match     string // path of the page of a match of teams; "" for others
	Adjourned string
	Changes   []cardChange
	Would     []ratings.Prospect // possible rating changes of a rated game; for the next game only
}

// Open reports whether the round has a game without a result.
func (r CardRound) Open() bool { return len(r.Opponents) > 0 && r.Result == "" }

// cardOpponent is an opponent.
type cardOpponent struct {
	Number int
	Name   string
	Rating float64 // 0 if unknown
}

// cardChange is a game's change of a member's rating.
type cardChange struct {
	Name          string // "" in an entry of a single player
	Change, After float64
}

func (p *Pages) card(c echo.Context) error {
	t, _, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Param("number"))
	if err != nil {
		return kit.ErrMissing
	}
	body, err := p.CardOf(c.Request().Context(), t, number)
	if err != nil {
		return err
	}
	in := p.Reader(c)
	for i, column := range body.TieBreaks {
		body.TieBreaks[i].Title = results.TieBreakTitle(in, t.Format, column.Code)
	}
	if !body.Follows {
		kit.Final(c)
	}
	return p.Show(c, "card", "tournaments", body)
}

// CardOf returns the card of an entry as far as the rounds are published.
func (p *Pages) CardOf(ctx context.Context, t *tournament.Tournament, number int) (CardBody, error) {
	entry, ok := results.EntryAt(t, number)
	if !ok {
		return CardBody{}, kit.ErrMissing
	}
	last := t.PublishedRounds()
	b := CardBody{Tournament: t, Entry: entry, Number: number, AsOf: results.AsOfRound(t, last)}
	b.Follows = t.Status == tournament.Open || t.Status == tournament.Closed || t.Status == tournament.Running
	who, err := p.Look(ctx, entry.Members...)
	if err != nil {
		return b, err
	}
	for _, id := range entry.Members {
		b.Members = append(b.Members, who.Person(id))
	}
	if last == 0 || entry.Number == 0 {
		return b, nil
	}
	if err := b.fillStandings(last); err != nil {
		return b, err
	}
	entries := t.Numbered()
	for i, cell := range t.Cards(last)[entry.Number-1].Cells {
		if t.Format.Continuous() && cell.Board == 0 {
			break // others have played more games
		}
		if points, counted := b.brought[cell.Board]; counted {
			cell.Points = points
		}
		round, err := p.cardRound(ctx, t, entry, i+1, cell, entries, who)
		if err != nil {
			return b, err
		}
		b.Points += cell.Points
		round.Sum = b.Points
		b.Rounds = append(b.Rounds, round)
	}
	if t.Format.Continuous() {
		return b, nil
	}
	if round := &b.Rounds[last-1]; round.Open() && t.Status == tournament.Running {
		b.Next = round
		if t.Teams != nil {
			return b, nil // boards are rated, not the match
		}
		if round.Would, err = p.ratings.Prospects(ctx, t, entry, round.Number, round.Board); err != nil {
			return b, err
		}
	}
	return b, nil
}

// fillStandings adds the rank, the tie-breaks and the performance.
func (b *CardBody) fillStandings(last int) error {
	table, err := standings.After(b.Tournament, last)
	if err != nil {
		return err
	}
	for _, row := range table.Rows {
		if row.Entry.ID != b.Entry.ID {
			continue
		}
		b.Rank = row.Rank
		if row.Arena != nil {
			b.brought = map[int]tournament.Points{}
			for _, s := range row.Arena.Scores {
				b.brought[s.Board] = tournament.Points(s.Points)
			}
		}
		for i, value := range row.TieBreaks {
			if i == 0 && row.Total != "" {
				value = kit.Halves(value)
			}
			b.TieBreaks = append(b.TieBreaks, cardTieBreak{Code: table.Columns[i], Value: value})
		}
	}
	if standings.Check(b.Format, "TPR") != nil || standings.Check(b.Format, "ARO") != nil {
		return nil
	}
	field := standings.FieldOf(b.Tournament, last)
	field.TieBreaks = []string{"TPR", "ARO"}
	if table, err = standings.Rank(field); err != nil {
		return err
	}
	for _, row := range table.Rows {
		if row.Entry.ID == b.Entry.ID && row.TieBreaks[0] != standings.Undefined {
			b.Performance, b.Opposition = row.TieBreaks[0], row.TieBreaks[1]
		}
	}
	return nil
}

// cardRound returns a round of an entry.
func (p *Pages) cardRound(
	ctx context.Context, t *tournament.Tournament, entry tournament.Entry, number int, cell tournament.Cell,
	entries []tournament.Entry, members kit.People,
) (CardRound, error) {
	r := CardRound{
		Number: number, Board: cell.Board, Seat: cell.Seat, Duel: len(cell.Opponents) == 1, Bye: cell.Bye,
		Absent: cell.Kind == tournament.Absent, Points: cell.Points,
	}
	for _, n := range cell.Opponents {
		e := entries[n-1]
		r.Opponents = append(r.Opponents, cardOpponent{n, e.Name, e.Rating})
	}
	if cell.Kind != tournament.Pending && len(cell.Opponents) > 0 {
		r.Result = kit.Halves(cell.Points.String())
		switch cell.Kind {
		case tournament.ForfeitWin:
			r.Result = "+"
		case tournament.ForfeitLoss:
			r.Result = "−"
		default:
		}
	}
	if cell.Board == 0 {
		return r, nil
	}
	if t.Format.Continuous() {
		number = 1 // its games are boards of the same round
	}
	pair, err := t.Pairing(number, cell.Board)
	if err != nil {
		return r, err
	}
	r.GameID, r.Adjourned = pair.ShownGame(), pair.Adjourned
	if t.Teams != nil && len(cell.Opponents) > 0 {
		r.Match = results.MatchPath(t.ID, number, cell.Board)
		if pair.Result != nil {
			r.Result = results.MatchScoreOf(t, pair, cell.Seat-1)
		}
	}
	if pair.Result == nil || r.GameID == "" {
		return r, nil
	}
	rows, err := p.Ratings.Changes(ctx, r.GameID)
	if err != nil {
		return r, err
	}
	for _, row := range rows {
		if _, own := members[row.PlayerID]; !own {
			continue
		}
		change := cardChange{Change: row.Change, After: row.After}
		if len(entry.Members) > 1 {
			change.Name = members.Person(row.PlayerID).Name
		}
		r.Changes = append(r.Changes, change)
	}
	return r, nil
}
