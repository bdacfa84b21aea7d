package play

import (
	"context"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/contract"
	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// gamesBody holds the data of the list of games.
type gamesBody struct {
	Status string   // the filter, "" for all
	Game   string   // likewise
	Games  []string // that the filter offers
	Lines  []BoardLine
	Next   string // address of the next page
	File   string // as a file, "" for visitors without an account
}

// Link returns the address of the list with a state and a game.
func (b gamesBody) Link(status, game string) string { return "/games" + gamesQuery(status, game, "") }

// gamesQuery returns the parameters of a list.
func gamesQuery(status, game, cursor string) string {
	q := url.Values{}
	for key, value := range map[string]string{"status": status, "game": game, "cursor": cursor} {
		if value != "" {
			q.Set(key, value)
		}
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// gameStatuses are the filters that the list offers.
var gameStatuses = []table.Status{table.Running, table.Finished}

func (p *Pages) games(c echo.Context) error {
	ctx := c.Request().Context()
	body := gamesBody{Status: c.QueryParam("status"), Game: c.QueryParam("game"), Games: catalog.Games()}
	var f table.Filter
	if body.Status != "" {
		if !slices.Contains(gameStatuses, table.Status(body.Status)) {
			return kit.ErrMissing
		}
		f.Status, f.Delayed = []table.Status{table.Status(body.Status)}, true
	}
	if body.Game != "" {
		if !slices.Contains(body.Games, body.Game) {
			return kit.ErrMissing
		}
		f.Variants = slices.DeleteFunc(catalog.IDs(), func(id string) bool { return message.Family(id) != body.Game })
	}
	rows, next, err := p.GameList.List(ctx, f, kit.PageLength, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	if next != "" {
		body.Next = gamesQuery(body.Status, body.Game, next)
	}
	lines, err := p.GameLines(ctx, rows)
	if err != nil {
		return err
	}
	if body.Status != "" { // a delayed game has the status that it is shown with
		lines = slices.DeleteFunc(lines, func(g GameLine) bool { return string(g.Status) != body.Status })
	}
	if err := p.nameEvents(ctx, lines); err != nil {
		return err
	}
	if body.Lines, err = p.thumbnails(c, lines); err != nil {
		return err
	}
	if body.Game == "" { // the export has no filter of a whole game
		q := url.Values{}
		if body.Status != "" {
			q.Set("status", body.Status)
		}
		body.File = GamesFile(c, q)
	}
	return p.Show(c, "games", "games", body)
}

// GamesFile returns the address of games as a file; "" for visitors without an account, since files need an account.
func GamesFile(c echo.Context, filter url.Values) string {
	if auth.Session(c).Anonymous() {
		return ""
	}
	filter.Set("format", "csv")
	return contract.BasePath + "/games/export?" + filter.Encode()
}

// nameEvents adds the names of the tournaments.
func (p *Pages) nameEvents(ctx context.Context, lines []GameLine) error {
	names := map[string]string{}
	for i := range lines {
		if lines[i].Place == nil {
			continue
		}
		id := lines[i].Place.ID
		if _, known := names[id]; !known {
			t, err := p.Tournaments.Tournament(ctx, id)
			if err != nil {
				return err
			}
			names[id] = t.Name
		}
		lines[i].Event = names[id]
	}
	return nil
}

// thumbnails draws the games in play as spectators see them. Finished games have none: each would be read from the
// database and replayed.
func (p *Pages) thumbnails(c echo.Context, lines []GameLine) ([]BoardLine, error) {
	ctx, in := c.Request().Context(), p.Reader(c)
	boards := make([]BoardLine, len(lines))
	for i, line := range lines {
		boards[i].GameLine = line
		if line.Status != table.Running && line.Status != table.Paused {
			continue
		}
		var err error
		if boards[i], _, err = p.Thumbnail(ctx, in, line); err != nil {
			return nil, err
		}
	}
	return boards, nil
}

// BoardLine is a running game as a small board.
type BoardLine struct {
	GameLine
	Board template.HTML
}

// Thumbnail draws a game as spectators see it, and returns when they will see more of it without a further move.
func (p *Pages) Thumbnail(ctx context.Context, in *message.Printer, line GameLine) (BoardLine, int64, error) {
	s, next, err := p.spectated(ctx, line.ID)
	if err != nil {
		return BoardLine{}, 0, err
	}
	return thumbnail(in, line, s), next, nil
}

// ThumbnailOf is Thumbnail of the game with an id; nil if it is not in play, or is being opened.
func (p *Pages) ThumbnailOf(ctx context.Context, in *message.Printer, id string) (*BoardLine, int64, error) {
	now, err := p.GameIfAny(ctx, id)
	if now == nil {
		return nil, 0, err
	}
	s, next, err := now.Spectated(p.Games.Time().UnixMilli())
	if err != nil || s.Game.Status != table.Running {
		return nil, next, err
	}
	lines, err := p.GameLines(ctx, []table.Game{s.Game})
	if err != nil {
		return nil, 0, err
	}
	return new(thumbnail(in, lines[0], s)), next, nil
}

func thumbnail(in *message.Printer, line GameLine, s *table.Snapshot) BoardLine {
	picture := board.Picture{ID: "g" + line.ID, Title: line.Title(), In: in}
	return BoardLine{line, board.Draw(position(s, engine.Viewer{}), picture)}
}

// spectated returns a game as spectators see it, and when they will see more of it without a further move.
func (p *Pages) spectated(ctx context.Context, id string) (seen *table.Snapshot, next int64, err error) {
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	return s.Spectated(p.Games.Time().UnixMilli())
}

// homeMine is the number of the visitor's games on the first page.
const homeMine = 12

// MineLine is a game of the visitor's, in play.
type MineLine struct {
	GameLine
	Mine  bool      // it waits for the visitor
	Turn  int       // in this turn
	Clock ClockBody // the visitor's
}

// Mine lists the running games of a player, first those that wait for the player's move.
func (p *Pages) Mine(ctx context.Context, player string) ([]MineLine, error) {
	if player == "" {
		return nil, nil
	}
	rows, _, err := p.GameList.List(
		ctx, table.Filter{Player: player, Status: []table.Status{table.Running, table.Paused}}, homeMine, "",
	)
	if err != nil {
		return nil, err
	}
	lines, err := p.GameLines(ctx, rows)
	if err != nil {
		return nil, err
	}
	list := make([]MineLine, 0, len(rows))
	for i := range rows {
		s, err := p.Games.Snapshot(ctx, rows[i].ID)
		if err != nil {
			return nil, err
		}
		line, err := LineOf(s.Game, nil)
		if err != nil {
			return nil, err
		}
		line.Sides = lines[i].Sides
		if err := p.NameEvent(ctx, &line); err != nil {
			return nil, err
		}
		list = append(list, p.mineLine(line, s, player))
	}
	slices.SortStableFunc(list, func(a, b MineLine) int {
		switch {
		case a.Mine == b.Mine:
			return 0
		case a.Mine:
			return -1
		}
		return 1
	})
	return list, nil
}

func (p *Pages) mineLine(line GameLine, s *table.Snapshot, player string) MineLine {
	outline := s.Outline(s.Viewer(player))
	own := MineLine{GameLine: line, Turn: outline.Turn, Clock: ClockBody{None: true}}
	pending := outline.Pending
	now := p.Games.Time().UnixMilli()
	for i, seat := range s.SeatsOf(player) {
		own.Mine = own.Mine || pending.Awaits(seat) && s.Game.Status == table.Running
		if i == 0 {
			own.Clock = ClockOf(s.Clock(int8(seat), now), s.Game.Controls[seat-engine.Seat(1)], now)
		}
	}
	return own
}

// sideLine is a side of a game in a list.
type sideLine struct {
	People []kit.Person
	Rank   int // 0 = none yet
	Won    bool
}

// GameLine is a game in a list.
type GameLine struct {
	ID      string
	Variant string
	Status  table.Status
	Sides   []sideLine
	Void    bool
	Reason  engine.Reason // "" while the game is not finished
	Control string
	Plies   int
	At      int64 // when it ended, started or was made, ms UTC
	Place   *table.Place
	Event   string // the tournament's name, where the page knows it
	Tables  bool   // in that tournament several sit at a table
	Kind    string // its part in a match of several games, "" for an ordinary game
}

// Drawn reports whether two sides shared the first place.
func (g GameLine) Drawn() bool {
	return len(g.Sides) == 2 && g.Sides[0].Rank == 1 && g.Sides[1].Rank == 1
}

// Title names the sides, for titles and links.
func (g GameLine) Title() string {
	sides := make([]string, len(g.Sides))
	for i, side := range g.Sides {
		names := make([]string, len(side.People))
		for j, who := range side.People {
			names[j] = who.Name
			if who.ID == "" {
				names[j] = "…"
			}
		}
		sides[i] = strings.Join(names, " & ")
	}
	if len(sides) == 2 {
		return message.Opponents(sides...)
	}
	return strings.Join(sides, ", ")
}

// GameLines makes lines of rows; the players' names are fetched together.
func (p *Pages) GameLines(ctx context.Context, rows []table.Game) ([]GameLine, error) {
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.Players...)
	}
	who, err := p.Look(ctx, ids...)
	if err != nil {
		return nil, err
	}
	lines := make([]GameLine, len(rows))
	for i, row := range rows {
		if row.Delayed() { // lists are the same for all
			s, _, err := p.spectated(ctx, row.ID)
			if err != nil {
				return nil, err
			}
			row = s.Game
		}
		if lines[i], err = LineOf(row, who); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// LineOf returns a game as a line of a list.
func LineOf(row table.Game, who kit.People) (GameLine, error) {
	rules, err := catalog.Find(row.Variant)
	if err != nil {
		return GameLine{}, err
	}
	info := rules.Info()
	g := GameLine{
		ID: row.ID, Variant: row.Variant, Status: row.Status, Plies: row.Plies, Place: row.Tournament,
		At:    max(row.CreatedAt, row.StartedAt, row.FinishedAt),
		Sides: make([]sideLine, info.SidesAt(row.Seats)),
	}
	if len(row.Controls) > 0 {
		g.Control = row.Controls[0]
	}
	for i, id := range row.Players {
		side := &g.Sides[info.SideOf(engine.Seat(i+1))-1]
		if id == "" {
			side.People = append(side.People, kit.Person{})
		} else {
			side.People = append(side.People, who.Person(id))
		}
	}
	g.judge(row.Outcome, info)
	return g, nil
}

// judge enters an outcome.
func (g *GameLine) judge(outcome *engine.Outcome, info engine.Info) {
	if outcome == nil {
		return
	}
	g.Reason, g.Void = outcome.Reason, outcome.Void()
	for i, rank := range outcome.Ranks {
		side := &g.Sides[info.SideOf(engine.Seat(i+1))-1]
		side.Rank = rank
	}
	for i := range g.Sides {
		g.Sides[i].Won = g.Sides[i].Rank == 1 && !g.shared()
	}
}

// shared reports whether the first place is shared.
func (g *GameLine) shared() bool {
	first := 0
	for _, side := range g.Sides {
		if side.Rank == 1 {
			first++
		}
	}
	return first > 1
}
