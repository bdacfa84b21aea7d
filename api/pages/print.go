package pages

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// mountPaper adds what is printed, and what stands elsewhere.
func (p *Pages) mountPaper(e *echo.Echo) {
	p.get(e, "/tournaments/:id/picture.png", p.picture)
	p.get(e, "/embed/tournaments/:id", p.embed)
	p.get(e, "/robots.txt", p.robots)
	for _, kind := range printable {
		p.get(e, "/tournaments/:id/print/"+kind, p.sheet(kind))
		p.get(e, "/tournaments/:id/print/"+kind+"/head.css", p.runningHead(kind))
	}
}

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
		paper, err := p.paper(c, kind)
		if err != nil {
			return err
		}
		if err := p.fillPrint(c.Request().Context(), &paper); err != nil {
			return err
		}
		return p.bare(c, "print", bareFrame{Kind: "sheet sheet-" + kind, Body: paper})
	}
}

// paper returns what a page for paper is about, without its lists.
func (p *Pages) paper(c echo.Context, kind string) (paper sheetBody, err error) {
	body, err := p.outlined(c)
	if err != nil {
		return paper, err
	}
	body.in = p.reader(c)
	if kind != "prizes" && !body.prints(kind) { // a sheet without prizes says what to do
		return paper, errMissing
	}
	body.AsOf = asOfRound(body.Tournament, min(body.Shown, body.PublishedRounds()))
	paper = sheetBody{tournamentBody: body, Kind: kind, Site: p.Club(c.Request().Context()).Name, Made: p.Now().UnixMilli()}
	if kind == "entries" || kind == "checkin" {
		paper.Players = playerLines(body.Tournament)
	}
	return paper, nil
}

// runningHead returns the handler of the style sheet that sets what stands above every page but the first: browsers
// take such words from nowhere else.
func (p *Pages) runningHead(kind string) echo.HandlerFunc {
	return func(c echo.Context) error {
		paper, err := p.paper(c, kind)
		if err != nil {
			return err
		}
		in := p.reader(c)
		what, err := p.render(in, "print", "sheet-what", paper)
		if err != nil {
			return err
		}
		left := shortened(paper.Name) + " · " + strings.Join(strings.Fields(html.UnescapeString(string(what))), " ")
		right := in.Date(p.at(paper.Made))
		if paper.Site != "" {
			right = shortened(paper.Site) + " · " + right
		}
		header := c.Response().Header()
		header.Set(echo.HeaderCacheControl, "private, no-store")
		header.Add(echo.HeaderVary, "Accept-Language, Cookie")
		const style = "; font: 9pt sans-serif; color: #000; }"
		text := "@page { @top-left { content: " + cssString(left) + style + " @top-right { content: " + cssString(right) + style + " }\n" +
			"@page :first { @top-left { content: none; } @top-right { content: none; } }\n"
		return c.Blob(http.StatusOK, "text/css; charset=utf-8", []byte(text))
	}
}

// maxHead is how many characters of a name stand above a page.
const maxHead = 60

func shortened(name string) string {
	if letters := []rune(name); len(letters) > maxHead {
		return string(letters[:maxHead-1]) + "…"
	}
	return name
}

// cssString returns a text as a string of a style sheet: all but letters, digits and spaces is written by its number.
func cssString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\%06x", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// fillPrint adds what the page for paper shows.
func (p *Pages) fillPrint(ctx context.Context, b *sheetBody) (err error) {
	if b.Shown > 0 {
		b.Unpublished = b.Rounds[b.Shown-1].Status == tournament.Paired
		b.Done, b.Boards = progress(b.Rounds[b.Shown-1])
	}
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
	case "checkin":
		sortByName(b.in, b.Players, func(l playerLine) string { return l.Name })
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
