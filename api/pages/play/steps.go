package play

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine/table"
)

// GameLook is the look of a game's page: its language, the turn of the board, and the position that the page has
// stepped to.
type GameLook struct {
	In   *message.Printer
	Flip int             // how often the visitor has turned the board on
	now  *table.Snapshot // the current game for the visitor; nil if the page shows that
	ply  int             // the position shown of now
	part bool            // only the parts that depend on the position, for a page that has the rest
	who  kit.People      // the players, if they are known already
}

// id returns the prefix of the board's ids, which are unique on a page that shows two positions.
func (l GameLook) id() string {
	if l.part {
		return "past"
	}
	return "board"
}

// plyBody is the position that a page has stepped to; nil for the current position.
type plyBody struct {
	At, Plies int
}

// Previous and Next return the neighbouring plies.
func (b plyBody) Previous() int { return max(0, b.At-1) }

// Next returns the following ply.
func (b plyBody) Next() int { return min(b.Plies, b.At+1) }

// stepped returns the game after ?ply=N, or its present state.
func (p *Pages) stepped(c echo.Context, s *table.Snapshot) (*table.Snapshot, GameLook, error) {
	look := GameLook{In: p.Reader(c), Flip: FlipOf(c, s.Game.Seats)}
	text := c.QueryParam("ply")
	if text == "" {
		return s, look, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > s.Game.Plies || s.Unrecorded() {
		return nil, look, kit.ErrMissing
	}
	look.now, look.ply = s, n
	past, err := s.AtPly(n)
	return past, look, err
}

// FlipOf returns how often the visitor has turned the board on: ?flip=N.
func FlipOf(c echo.Context, seats int) int {
	n, err := strconv.Atoi(c.QueryParam("flip"))
	if err != nil || n < 0 || n >= Flips(seats) {
		return 0
	}
	return n
}

// Flips is the number of different turns of a board: round the table with four seats, half round otherwise.
func Flips(seats int) int {
	if seats == 4 {
		return 4
	}
	return 2
}

// turnedOn returns the number of quarter turns of a board as a seat sees it, after the visitor turned it on flip times.
func turnedOn(seats int, own int8, flip int) int {
	return (turned(seats, own) + flip*4/Flips(seats)) % 4
}

// steps adds the position that the page has stepped to.
func (g *GameBody) steps(look GameLook) {
	g.Flip = look.Flip
	if look.now != nil {
		g.Ply = &plyBody{look.ply, look.now.Game.Plies}
	}
}

// mark marks the move in the list that led to the position shown.
func (g *GameBody) mark() {
	for _, row := range g.Moves {
		for i := range row.Cells {
			row.Cells[i].Latest = row.Cells[i].Ply > 0 && row.Cells[i].Ply == g.Shown()
		}
	}
}

// Shown returns the number of moves that led to the position shown.
func (g GameBody) Shown() int {
	if g.Ply != nil {
		return g.Ply.At
	}
	return g.Plies
}

// BeforeLast returns the ply before the last.
func (g GameBody) BeforeLast() int { return max(0, g.Plies-1) }

// Last returns the number of moves made.
func (g GameBody) Last() int {
	if g.Ply != nil {
		return g.Ply.Plies
	}
	return g.Plies
}

// Goes reports whether the game goes on while the page shows an earlier position of it.
func (g GameBody) Goes() bool { return g.goes }

// Live is the address of the page's stream, from the version that the page shows.
func (g GameBody) Live() string { return g.stream(g.Version) }

// LiveNow is the address of the stream of the current game, from the version that the visitor has.
func (g GameBody) LiveNow() string { return g.stream(g.present) }

func (g GameBody) stream(version int64) string {
	address := "/games/" + g.ID + "/live?version=" + strconv.FormatInt(version, 10)
	if g.Flip > 0 {
		address += "&flip=" + strconv.Itoa(g.Flip)
	}
	return address
}

// Page is the address of the page as the board lies now.
func (g GameBody) Page() string { return GameAddress(g.ID, -1, g.Flip) }

// To is the address of the page at a ply, with the board turned as now.
func (g GameBody) To(ply int) string { return GameAddress(g.ID, ply, g.Flip) }

// Turned is the address of the page with the board turned on.
func (g GameBody) Turned() string {
	ply := -1
	if g.Ply != nil {
		ply = g.Ply.At
	}
	return GameAddress(g.ID, ply, (g.Flip+1)%Flips(len(g.Seats)))
}

// analysis is the address for analysing the position shown.
func (g GameBody) analysis() string {
	path, query, found := strings.Cut(g.Page(), "?")
	if g.Ply != nil {
		path, query, found = strings.Cut(g.To(g.Ply.At), "?")
	}
	if found {
		query = "?" + query
	}
	return path + "/analysis" + query
}

// Canonical is the path of the position, for sharing, relative to the installation's address.
func (g GameBody) Canonical() string {
	if g.Ply != nil {
		return GameAddress(g.ID, g.Ply.At, 0)
	}
	return GameAddress(g.ID, -1, 0)
}

// GameAddress is the address of a game's page; with a ply below 0, of the current position.
func GameAddress(id string, ply, flip int) string {
	query := url.Values{}
	if ply >= 0 {
		query.Set("ply", strconv.Itoa(ply))
	}
	if flip > 0 {
		query.Set("flip", strconv.Itoa(flip))
	}
	if len(query) == 0 {
		return "/games/" + id
	}
	return "/games/" + id + "?" + query.Encode()
}

// neighbours are the boards beside a game in its round, and the other games of its match.
type neighbours struct {
	Round          int
	Tables         bool       // several sit at a table
	Previous, Next *boardLink // nil at the first and the last board
	Match          []matchLink
}

// boardLink leads to the game at a board.
type boardLink struct {
	ID    string
	Board int
}

// matchLink leads to a game of a match of several.
type matchLink struct {
	ID     string
	Number int
	Here   bool // it is the page's own
}

// neighboursOf returns the boards next to a game as far as the visitor may see them; nil for a casual game, or without
// any.
func (p *Pages) neighboursOf(c echo.Context, g table.Game) (*neighbours, error) {
	if g.Tournament == nil {
		return nil, nil
	}
	who := auth.Session(c)
	t, _, err := access.Tournament(c.Request().Context(), p.Tournaments, g.Tournament.ID, who)
	if err != nil {
		return nil, err
	}
	t = access.View(who, t)
	if g.Tournament.Round < 1 || g.Tournament.Round > len(t.Rounds) {
		return nil, nil
	}
	n := &neighbours{Round: g.Tournament.Round, Tables: t.AtTables()}
	for _, pair := range t.Rounds[n.Round-1].Pairings {
		link := boardLink{pair.ShownGame(), pair.Board}
		switch {
		case pair.Board == g.Tournament.Board:
			for i, one := range t.GamesOf(pair) {
				n.Match = append(n.Match, matchLink{one.ID, i + 1, one.ID == g.ID})
			}
		case link.ID == "":
		case pair.Board < g.Tournament.Board && (n.Previous == nil || n.Previous.Board < pair.Board):
			n.Previous = &link
		case pair.Board > g.Tournament.Board && (n.Next == nil || n.Next.Board > pair.Board):
			n.Next = &link
		}
	}
	if len(n.Match) < 2 {
		n.Match = nil
	}
	if n.Previous == nil && n.Next == nil && n.Match == nil {
		return nil, nil
	}
	return n, nil
}

// PlyChunk is the number of positions in a batch for a page that steps through a game.
const PlyChunk = 24

// pliesBody is a run of positions of a game.
type pliesBody struct {
	Plies int
	Items []plyItem
}

// plyItem is a position, and the move that led to it.
type plyItem struct {
	GameBody
	Move  string
	Spent int64 // ms that the move took
}

// plies serves the positions of a game from ?from=N on, for stepping without reloading; each visitor gets the same as
// by ?ply=N.
func (p *Pages) plies(c echo.Context) error {
	ctx := c.Request().Context()
	s, err := p.Seen(c)
	if err != nil {
		return err
	}
	from, err := strconv.Atoi(c.QueryParam("from"))
	if err != nil || from < 0 || from > s.Game.Plies || s.Unrecorded() {
		return kit.ErrMissing
	}
	look := GameLook{In: p.Reader(c), Flip: FlipOf(c, s.Game.Seats), now: s, part: true}
	if look.who, err = p.Look(ctx, s.Game.Players...); err != nil {
		return err
	}
	v := s.Viewer(auth.Session(c).PlayerID)
	moves := standing(s.Log(v))
	body := pliesBody{Plies: s.Game.Plies}
	err = s.Plies(from, min(from+PlyChunk-1, s.Game.Plies), func(past *table.Snapshot) error {
		look.ply = past.Game.Plies
		g, err := p.gameBody(ctx, look, past, v)
		item := plyItem{GameBody: g}
		if look.ply > 0 {
			item.Move, item.Spent = moves[look.ply-1].Text, moves[look.ply-1].Elapsed
		}
		body.Items = append(body.Items, item)
		return err
	})
	if err != nil {
		return err
	}
	html, err := p.Render(look.In, "game", "plies", body)
	if err != nil {
		return err
	}
	return p.Send(c, http.StatusOK, html, kit.Policy, kit.ReaderOf(auth.Session(c)))
}

// standing returns the moves of a log that were not taken back.
func standing(lines []table.Line) (moves []table.Line) {
	for _, l := range lines {
		switch l.Kind {
		case table.LineMove:
			moves = append(moves, l)
		case table.LineTakeback:
			if first, err := l.First(); err == nil {
				moves = moves[:max(0, min(first-1, len(moves)))]
			}
		}
	}
	return moves
}

// Bare is the address of the game's page without view parameters.
func (g GameBody) Bare() string { return GameAddress(g.ID, -1, 0) }
