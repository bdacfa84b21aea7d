package pages

import (
	"cmp"
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// printable are the pages that are made for paper. Slips and cards for the boards are made elsewhere.
var printable = []string{"pairings", "names", "standings", "crosstable", "entries", "checkin", "prizes", "bracket"}

// sheetBody is what a page for paper shows.
type sheetBody struct {
	tournamentBody
	Kind   string
	Site   string
	Made   int64 // when it was made, ms UTC
	Names  []nameLine
	Prizes prizesBody
}

// nameLine is one entry in the pairings by name.
type nameLine struct {
	Name   string
	Number int
	Board  int
	Seat   int
	Duel   bool
	Bye    tournament.Bye
	Others []string
}

// Prints lists the pages for paper that have something to print.
func (b tournamentBody) Prints() (list []string) {
	for _, kind := range printable {
		if b.prints(kind) {
			list = append(list, kind)
		}
	}
	return list
}

// prints reports whether there is something to print.
func (b tournamentBody) prints(kind string) bool {
	switch kind {
	case "pairings", "names", "standings", "crosstable":
		return b.Latest > 0
	case "prizes":
		return len(b.Tournament.Prizes.Categories) > 0
	case "bracket":
		return b.Knockout()
	}
	return true
}

// sheet returns the handler of a page for paper.
func (p *Pages) sheet(kind string) echo.HandlerFunc {
	return func(c echo.Context) error {
		body, err := p.outlined(c)
		if err != nil {
			return err
		}
		body.in = p.reader(c)
		if !body.prints(kind) {
			return errMissing
		}
		ctx := c.Request().Context()
		paper := sheetBody{tournamentBody: body, Kind: kind, Site: p.Club(ctx).Name, Made: p.Now().UnixMilli()}
		if err := p.fillPrint(ctx, &paper); err != nil {
			return err
		}
		return p.bare(c, "print", bareFrame{Kind: "sheet sheet-" + kind, Body: paper})
	}
}

// fillPrint adds what the page for paper shows.
func (p *Pages) fillPrint(ctx context.Context, b *sheetBody) (err error) {
	if b.Shown > 0 {
		b.Unpublished = b.Rounds[b.Shown-1].Status == tournament.Paired
		b.Done, b.Boards = progress(b.Rounds[b.Shown-1])
	}
	b.AsOf = asOfRound(b.Tournament, min(b.Shown, b.PublishedRounds()))
	switch b.Kind {
	case "pairings":
		return p.fillPairings(ctx, &b.tournamentBody)
	case "names":
		err = p.fillPairings(ctx, &b.tournamentBody)
		b.Names = namesOf(b.in, b.Pairings)
	case "standings":
		return b.fillStandings()
	case "crosstable":
		return b.fillCrosstable()
	case "entries", "checkin":
		b.Players = playerLines(b.Tournament)
		if b.Kind == "checkin" {
			sortByName(b.in, b.Players, func(l playerLine) string { return l.Name })
		}
	case "prizes":
		b.Prizes, err = p.prizesOf(ctx, b.Tournament, b.in)
	case "bracket":
		b.Bracket, err = newBracket(b.in, b.Tournament)
	}
	return err
}

// namesOf lists those who are paired, by name: where to go, and against whom.
func namesOf(in *message.Printer, pairings []pairingLine) (list []nameLine) {
	for _, pair := range pairings {
		for i, seat := range pair.Seats {
			line := nameLine{
				Name: seat.Name, Number: seat.Number, Board: pair.Board, Seat: i + 1, Duel: len(pair.Seats) == 2, Bye: pair.Bye,
			}
			for j, other := range pair.Seats {
				if j != i {
					line.Others = append(line.Others, other.Name)
				}
			}
			list = append(list, line)
		}
	}
	sortByName(in, list, func(l nameLine) string { return l.Name })
	return list
}

// sortByName sorts as the readers' language does.
func sortByName[T any](in *message.Printer, list []T, name func(T) string) {
	compare := in.Collate()
	slices.SortStableFunc(list, func(a, b T) int {
		return cmp.Or(compare(name(a), name(b)), cmp.Compare(name(a), name(b)))
	})
}
