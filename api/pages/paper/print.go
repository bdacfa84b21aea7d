package paper

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/labstack/echo/v4"
	"quatuor/api/pages/awards"
	"quatuor/api/pages/bracket"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/results"
	"quatuor/api/stream"
	"quatuor/tournament"
	"quatuor/tournament/standings"
	"quatuor/tournament/standings/teams"
)

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Get(e, "/tournaments/:id/picture.png", p.picture)
	p.Get(e, "/embed/tournaments/:id", p.embed)
	p.Live("/embed/tournaments/:id", kit.Later, func(c echo.Context) []string {
		return []string{stream.OfTournament(c.Param("id"), false)}
	})
	p.Get(e, "/robots.txt", p.robots)
	for _, kind := range results.Printable {
		p.Get(e, "/tournaments/:id/print/"+kind, p.sheet(kind))
		p.Get(e, "/tournaments/:id/print/"+kind+"/head.css", p.runningHead(kind))
	}
}

// sheetBody is the body of a print page.
type sheetBody struct {
	results.Body
	Kind   string
	Site   string
	Made   int64 // when it was made, ms UTC
	Names  []nameLine
	Prizes awards.Body
	Anew   bool      // the pairings differ from those that this browser of the staff opened before
	Labels [][]label // badges or player cards, by sheet of paper

	Matches []results.TeamMatch
	Best    [][]bestLine // members of teams, by the board where they played
}

// bestLine is a member of a team in the table of a board.
type bestLine struct {
	teams.BoardRow
	Name, Team string
}

// nameLine is an entry in the pairings by name.
type nameLine struct {
	Name   string
	Number int
	Board  int
	Seat   int
	Duel   bool
	Bye    tournament.Bye
	Others []string
}

// sheet returns the handler of a print page.
func (p *Pages) sheet(kind string) echo.HandlerFunc {
	return func(c echo.Context) error {
		paper, err := p.paper(c, kind)
		if err != nil {
			return err
		}
		if kind == "crosstable" {
			return p.crosstable(c, paper)
		}
		if err := p.fillPrint(c.Request().Context(), &paper); err != nil {
			return err
		}
		if paper.Labels != nil {
			return p.Show(c, "print-"+kind, "tournaments", paper)
		}
		if (kind == "pairings" || kind == "names") && paper.Staff && paper.Shown == len(paper.Rounds) {
			paper.Anew = results.Printed(c, paper.Tournament, paper.Shown)
		}
		return p.Bare(c, "print", kit.BareFrame{Kind: "sheet sheet-" + kind, Body: paper})
	}
}

// sheetKey is the cache key of a sheet: the tournament in a version of the public or of the staff, the round and the day
// that the sheet has, ms UTC.
type sheetKey struct {
	id               string
	created, version int64
	staff            bool
	round            int
	day              int64
}

func sheetKeyOf(b results.Body, day int64) sheetKey {
	return sheetKey{b.ID, b.CreatedAt, b.Version, b.Staff, b.Shown, day}
}

// crosstableKey returns the cache key of the crosstable on paper. It has the date, so that it is computed once a day.
// Its content is the same for the public and for members of the teams, whose views have the public's version.
func (p *Pages) crosstableKey(paper sheetBody) sheetKey {
	year, month, day := p.At(paper.Made).Date()
	return sheetKeyOf(paper.Body, time.Date(year, month, day, 0, 0, 0, 0, time.UTC).UnixMilli())
}

// crosstable serves the crosstable on paper. Its first rendering caches how it fits, too.
func (p *Pages) crosstable(c echo.Context, paper sheetBody) error {
	key := p.crosstableKey(paper)
	return p.Bare(c, "print", kit.BareFrame{Kind: "sheet sheet-crosstable", Body: paper, Kept: &kit.Kept{
		Key: key, Body: func() (any, error) {
			epoch, of := p.fits.Epoch(), fitKey{key, p.Commands.Names.Epoch()}
			if err := p.fillPrint(c.Request().Context(), &paper); err != nil {
				return nil, err
			}
			p.fits.Keep(epoch, of, fitCrosstable(paper.Body), p.Now().Add(kit.RenderedLife))
			return paper, nil
		},
	}})
}

// crosstableFit returns how the crosstable on paper fits, from the cache or computed.
func (p *Pages) crosstableFit(ctx context.Context, paper sheetBody) (fit, error) {
	return p.fits.Load(fitKey{p.crosstableKey(paper), p.Commands.Names.Epoch()}, func() (fit, error) {
		if err := paper.FillCrosstable(ctx, p.Kit); err != nil {
			return fit{}, err
		}
		return fitCrosstable(paper.Body), nil
	})
}

// paper returns the body of a print page without its lists.
func (p *Pages) paper(c echo.Context, kind string) (paper sheetBody, err error) {
	body, err := results.Requested(c, p.Kit)
	if err != nil {
		return paper, err
	}
	body.In = p.Reader(c)
	if kind != "prizes" && !body.CanPrint(kind) { // a sheet without prizes has instructions
		return paper, kit.ErrMissing
	}
	paper = sheetBody{
		Body: body, Kind: kind, Site: p.Club(c.Request().Context()).Name, Made: p.Now().UnixMilli(),
	}
	if kind == "entries" || kind == "checkin" {
		paper.Players = results.PlayerLines(body.Tournament)
	}
	return paper, nil
}

// runningHead returns the handler of the style sheet with the running head of every page but the first: browsers print
// heads from CSS only.
func (p *Pages) runningHead(kind string) echo.HandlerFunc {
	return func(c echo.Context) error {
		paper, err := p.paper(c, kind)
		if err != nil {
			return err
		}
		in := p.Reader(c)
		what, err := p.Render(in, "print", "sheet-what", paper)
		if err != nil {
			return err
		}
		left := shortened(paper.Name) + " · " + strings.Join(strings.Fields(html.UnescapeString(string(what))), " ")
		right := in.Date(p.At(paper.Made))
		if paper.Site != "" {
			right = shortened(paper.Site) + " · " + right
		}
		header := c.Response().Header()
		header.Set(echo.HeaderCacheControl, "private, no-store")
		header.Add(echo.HeaderVary, "Accept-Language, Cookie")
		const style = "; font: 9pt sans-serif; color: #000; }"
		text := "@page { @top-left { content: " + cssString(left) + style +
			" @top-right { content: " + cssString(right) + style + " }\n" +
			"@page :first { @top-left { content: none; } @top-right { content: none; } }\n"
		switch kind {
		case "crosstable":
			fits, err := p.crosstableFit(c.Request().Context(), paper)
			if err != nil {
				return err
			}
			text += fits.css()
		case "bracket":
			text += "@page { size: landscape; }\n"
		}
		return c.Blob(http.StatusOK, "text/css; charset=utf-8", []byte(text))
	}
}

// maxHead is the maximum number of characters of a name in the running head.
const maxHead = 60

func shortened(name string) string {
	if letters := []rune(name); len(letters) > maxHead {
		return string(letters[:maxHead-1]) + "…"
	}
	return name
}

// cssString quotes a text for CSS; all but letters, digits and spaces is escaped.
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

// fillPrint adds the lists of the print page.
func (p *Pages) fillPrint(ctx context.Context, b *sheetBody) (err error) {
	switch b.Kind {
	case "pairings":
		return b.FillPairings(ctx, p.Kit)
	case "names":
		err = b.FillPairings(ctx, p.Kit)
		b.Names = namesOf(b.In, b.Pairings)
	case "standings":
		return b.FillStandings()
	case "crosstable":
		return b.FillCrosstable(ctx, p.Kit)
	case "checkin":
		sortByName(b.In, b.Players, func(l results.PlayerLine) string { return l.Name })
	case "badges":
		b.Labels = labels(b.Tournament, badgesOnSheet)
	case "scorecards":
		b.Labels = scorecards(b.Tournament)
	case "prizes":
		b.Prizes, err = p.awards.Of(ctx, b.Tournament, b.In)
	case "matches":
		b.Matches, err = results.MatchCards(ctx, p.Kit, b.Tournament, b.Shown)
	case "boards":
		err = p.fillBoards(ctx, b)
	case "bracket":
		b.Bracket = bracket.New(b.In, b.Tournament)
	}
	return err
}

// fillBoards adds the tables by board.
func (p *Pages) fillBoards(ctx context.Context, b *sheetBody) error {
	rows, entries := teams.Boards(b.Tournament, b.AsOf.Round), b.Numbered()
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.Player
	}
	people, err := p.Look(ctx, ids...)
	b.Best = make([][]bestLine, len(b.Teams.Boards))
	for _, row := range rows {
		line := bestLine{row, people.Person(row.Player).Name, entries[row.Team-1].Name}
		b.Best[row.Board-1] = append(b.Best[row.Board-1], line)
	}
	return err
}

// namesOf lists the paired players by name, with board and opponent.
func namesOf(in *message.Printer, pairings []results.PairingLine) (list []nameLine) {
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

// label is the badge or the player card of an entry.
type label struct {
	tournament.Entry
	Rounds []scoreLine // of a player card
}

// scoreLine is a round on a player card, filled in as far as it is known.
type scoreLine struct {
	tournament.Cell
	Round  int
	Result string            // "" while it is open
	Sum    tournament.Points // after the round
}

// Labels on a sheet of paper.
const (
	badgesOnSheet = 8
	cardsOnSheet  = 4
	longOnSheet   = 2 // player cards with more rounds than a quarter of a sheet has room for
	shortCard     = 9 // rounds
	unknownRounds = 7 // lines, before the number of rounds is known
)

// Long reports whether a name takes smaller type on a badge.
func (l label) Long() bool { return len(l.Name) > 18 }

// labels lists the entries that take part, by sheet.
func labels(t *tournament.Tournament, onSheet int) [][]label {
	list := make([]label, 0, len(t.Entries))
	for _, line := range results.PlayerLines(t) {
		if line.Status != tournament.Withdrawn {
			list = append(list, label{Entry: line.Entry})
		}
	}
	return append([][]label{}, slices.Collect(slices.Chunk(list, onSheet))...)
}

// scorecards lists the player cards of the entries that take part, by sheet.
func scorecards(t *tournament.Tournament) [][]label {
	last := t.PublishedRounds()
	rounds, onSheet := max(cmp.Or(t.RoundCount, unknownRounds), last), cardsOnSheet
	if rounds > shortCard {
		onSheet = longOnSheet
	}
	cards, sheets := t.Cards(last), labels(t, onSheet)
	for _, sheet := range sheets {
		for i := range sheet {
			lines := make([]scoreLine, rounds)
			sum := tournament.Points(0)
			for r := range lines {
				lines[r].Round = r + 1
				if n := sheet[i].Number; n > 0 && r < last {
					cell := cards[n-1].Cells[r]
					sum += cell.Points
					lines[r].Cell, lines[r].Sum = cell, sum
					lines[r].Result = kit.Halves(strings.NewReplacer("*", "", "-", "−").Replace(standings.Mark(cell)))
				}
			}
			sheet[i].Rounds = lines
		}
	}
	return sheets
}
