package play

import (
	"cmp"
	"context"
	"encoding/hex"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/face"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
)

// Mount adds the pages of games.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/games":               p.games,
		"/games/:id":           p.game,
		"/games/:id/live":      p.gameLive,
		"/games/:id/plies":     p.plies,
		"/games/:id/board.svg": p.boardFile,
		"/games/:id/board.png": p.boardPicture,
	})
}

// GameBody holds the data of a game's page.
type GameBody struct {
	GameLine
	Version     int64
	Hall        bool // played on a board in the hall
	Unrecorded  bool // so that there is no position to show
	Board       template.HTML
	View        engine.View   // for the notes beside the board
	Notes       template.HTML // beside the board, where the game has any
	Awaited     []SeatBody    // seats to act
	Sealed      bool
	Offer       *SeatBody     // the seat that offers a draw
	Asks        *SeatBody     // the seat that requests a takeback
	Call        *gameCallPart // for a player with the right to call the arbiter
	takebackBy  int8
	Rematch     *rematchBody
	Waiting     []kit.Person // invited, not accepted yet
	Asked       bool         // the visitor is among them
	AcceptUntil int64        // ms UTC
	StartsAt    int64        // while the game waits for its time, ms UTC: when its clocks start at the latest
	Lost        []SeatBody
	Seats       []SeatBody
	Deeds       []deedLine // the latest acts, oldest first
	Play        playBody
	Grid        gridBody
	Ply         *plyBody // the position stepped to
	Flip        int      // how often the board was turned on
	goes        bool     // while an earlier position is shown
	present     int64    // the game's current version
	Address     string   // of the installation
	Pictured    bool     // pictures of this position exist
	Boards      *neighbours
	Analysis    string // the address of the analysis of this position, "" if there is none
	Turn        int
	Moves       []moveRow
	Position    string
	Options     map[string]string
	Seed        string        // SHA-256 of the seed while the game runs
	SeedShown   string        // the seed itself afterwards
	Chance      *table.Chance // nil where the seats add nothing to the seed
	Rated       bool
	Uncounted   *ledger.OmittedGame // why it is not rated though it was to be; nil if that is not so
	CreatedAt   int64
	StartedAt   int64
	EndedAt     int64
	Ruling      *rulingPart       // the visitor's forms as an arbiter, nil for none
	Rendered    template.HTML     // all that a stream sends again
	Why         sentence.Sentence // the reason given where a game was broken off, or decided by the arbiter
	paused      int               // causes of the pause, while the log is read
}

// Running reports whether the page has anything to wait for.
func (g GameBody) Running() bool { return !g.Status.Over() && g.Ply == nil }

// Dealt reports whether the game has a position.
func (g GameBody) Dealt() bool { return g.Chance == nil || g.Chance.Dealt }

// Bound reports whether every seat that has a part in the shuffle is bound to its number.
func (g GameBody) Bound() bool {
	for i, commitment := range g.Chance.Commitments {
		if commitment == "" && !g.Chance.Lapsed[i] {
			return false
		}
	}
	return true
}

// Ranking lists the seats by rank, those of equal rank in their order at the board.
func (g GameBody) Ranking() []SeatBody {
	return slices.SortedStableFunc(slices.Values(g.Seats), func(a, b SeatBody) int { return cmp.Compare(a.Rank, b.Rank) })
}

// SeatBody is a seat at the board.
type SeatBody struct {
	Variant string
	Of      int // number of seats
	Seat    int
	Side    int
	Mark    string // of its side, for example "x", else ""
	Who     kit.Person
	Own     bool         // the visitor sits there
	With    []kit.Person // partners
	Next    bool         // comes after the seat on turn, in a game of three and more
	On      bool         // is awaited
	Chosen  bool         // has made its secret choice for this turn
	Out     bool         // has left the game
	Due     bool         // has to send its nonce
	Rank    int
	Won     bool
	Clock   ClockBody
	Here    bool  // its player is connected
	Seen    int64 // when it last was, 0 if that is not known
	Rating  *ratingBody
}

// ratingBody is a seat's rating before the game, and its change.
type ratingBody struct {
	Before, After, Change float64
	Why                   string // address of the page that explains it
	Final                 bool   // After and Change hold
}

// ClockBody is a clock for a page: its readings, and the data for the script that lets it tick. Times are milliseconds.
type ClockBody struct {
	None     bool
	Left     int64 // main time left
	Until    int64 // until the flag falls, -1 if it does not
	Periods  int
	Period   int64 // length of a byo-yomi period
	Running  bool
	Overtime bool // within the periods
	Shown    int64
}

func (p *Pages) game(c echo.Context) error {
	return p.ShowGameWith(c, http.StatusOK, func(*GameBody) {})
}

// ShowGameWith serves the page of a game, after a change of it.
func (p *Pages) ShowGameWith(c echo.Context, status int, change func(*GameBody)) error {
	s, err := p.Seen(c)
	if err != nil {
		return err
	}
	ruling, err := p.rulingFor(c, s)
	if err != nil {
		return err
	}
	v := s.Viewer(auth.Session(c).PlayerID)
	analysable, pictures := p.Analysable(s, v), pictured(s)
	s, look, err := p.stepped(c, s)
	if err != nil {
		return err
	}
	body, err := p.gameBody(c.Request().Context(), look, s, v)
	if err != nil {
		return err
	}
	body.Address, body.Pictured = p.Address(c), pictures
	if analysable {
		body.Analysis = body.analysis()
	}
	if body.Boards, err = p.neighboursOf(c, s.Game); err != nil {
		return err
	}
	if asked := c.QueryParam("ask"); slices.Contains(confirmed, asked) {
		body.Play.Ask = asked
	}
	body.Ruling = ruling
	if body.Call, err = p.gameCallPart(c, s.Game); err != nil {
		return err
	}
	change(&body)
	return p.Answer(c, status, "game", kit.Frame{Section: "games", Body: body})
}

// Seen returns the game that a request names as the visitor sees it: spectators behind its delay.
func (p *Pages) Seen(c echo.Context) (*table.Snapshot, error) {
	s, err := p.Games.Snapshot(c.Request().Context(), c.Param("id"))
	if err != nil {
		return nil, err
	}
	p.Hub.Seen(s, auth.Session(c).PlayerID)
	behind, err := access.Delayed(c.Request().Context(), p.Tournaments, s.Game)
	if err == nil && behind {
		s, _, err = s.Spectated(p.Games.Time().UnixMilli())
	}
	return s, err
}

// gameLive is the page's own stream: the same parts of the page again whenever the game has changed.
func (p *Pages) gameLive(c echo.Context) error {
	r, last := c.Request(), kit.SeenVersion(c)
	s, err := p.Games.Snapshot(r.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	behind, err := access.Delayed(r.Context(), p.Tournaments, s.Game)
	if err != nil {
		return err
	}
	feed := p.gameFeeds[p.Reader(c).Tag][FlipOf(c, s.Game.Seats)]
	if behind {
		return feed.ServeBehind(r.Context(), c.Response(), s.Game.ID, stream.Reader{LastID: last})
	}
	return feed.Serve(r.Context(), c.Response(), c.Param("id"), stream.Reader{
		Player: auth.Session(c).PlayerID, LastID: last, May: access.Lasting(r.Context(), p.Tournaments, s.Game),
	})
}

// gameBody builds the page from the viewer's projection.
func (p *Pages) gameBody(ctx context.Context, look GameLook, s *table.Snapshot, v engine.Viewer) (GameBody, error) {
	in, now, sight := look.In, s, v
	if look.now != nil {
		now, sight = look.now, look.now.FinalViewer(v)
	}
	who, err := look.who, error(nil)
	if who == nil {
		who, err = p.Look(ctx, s.Game.Players...)
	}
	if err != nil {
		return GameBody{}, err
	}
	line, err := LineOf(s.Game, who)
	if err != nil {
		return GameBody{}, err
	}
	if !look.part {
		err = p.NameEvent(ctx, &line)
	}
	if err != nil {
		return GameBody{}, err
	}
	seen := position(s, sight)
	g := GameBody{
		Play: newPlay(s, v, seen), Turn: seen.Turn,
		GameLine: line, Version: s.Game.Version, Hall: s.Game.Hall, Unrecorded: s.Unrecorded(),
		View: seen.View, Sealed: seen.Pending.Sealed, Position: seen.Position,
		Options: s.Game.Options, Seed: seen.Commitment, Rated: s.Game.Rated, CreatedAt: s.Game.CreatedAt,
		StartedAt: s.Game.StartedAt, EndedAt: s.Game.FinishedAt,
	}
	if seen.Seed != nil {
		g.Seed, g.SeedShown = "", hex.EncodeToString(seen.Seed[:])
	}
	g.Chance = s.Chance(v)
	shown := catalog.FaceOf(s.Game.Variant)
	if g.Dealt() && !g.Unrecorded {
		turn := turnedOn(s.Game.Seats, g.Play.Own, look.Flip)
		g.draw(seen, board.Picture{ID: look.id(), Title: line.Title(), In: in, Turn: turn})
		if g.Grid.Size == 0 {
			g.Play.inWords(shown, seen.View, board.Words(in))
		}
	}
	g.Play.group()
	g.Play.Grid, g.Play.Plans = g.Grid.Size > 0, s.Game.Seats == 2 && shown.TwoSquares()
	if err := p.arenaPart(ctx, &g.Play, s); err != nil {
		return GameBody{}, err
	}
	g.takebackBy = s.TakebackOffer()
	if err := p.seats(ctx, &g, s, seen, who); err != nil {
		return GameBody{}, err
	}
	g.invite(s.Game, v, who)
	if g.Rematch, err = p.rematch(ctx, s.Game); err != nil {
		return GameBody{}, err
	}
	g.steps(look)
	g.goes, g.present = look.now != nil && !now.Game.Status.Over(), now.Game.Version
	g.order()
	if err := g.recall(in, s, sight); err != nil {
		return GameBody{}, err
	}
	if !look.part {
		g.record(now, v)
		g.mark()
	}
	if g.Notes, err = p.notes(in, &g); err != nil {
		return GameBody{}, err
	}
	return g, p.renderGame(look, s, v, &g)
}

// notes returns the notes beside the board, from the template notes-GAME in parts/GAME.html if the game has it.
func (p *Pages) notes(in *message.Printer, g *GameBody) (template.HTML, error) {
	name := "notes-" + message.Family(g.Variant)
	if !g.Dealt() || g.Unrecorded || !p.HasTemplate(in, "game", name) {
		return "", nil
	}
	html, err := p.Render(in, "game", name, g)
	return template.HTML(html), err // a template of ours made it, which escapes
}

// NameEvent looks up a game's tournament, and its place in its match.
func (p *Pages) NameEvent(ctx context.Context, line *GameLine) error {
	if line.Place == nil {
		return nil
	}
	t, err := p.Tournaments.Tournament(ctx, line.Place.ID)
	if err != nil {
		return err
	}
	line.Event, line.Tables = t.Name, t.AtTables()
	if pair, err := t.Pairing(line.Place.Round, line.Place.Board); err == nil {
		for _, g := range t.GamesOf(pair) {
			if g.ID == line.ID {
				line.Kind = string(g.Kind)
			}
		}
	}
	return nil
}

func (p *Pages) seats(
	ctx context.Context, g *GameBody, s *table.Snapshot, seen engine.Projection, who kit.People,
) error {
	ratings, uncounted, err := p.seatRatings(ctx, s)
	if err != nil {
		return err
	}
	g.Uncounted = uncounted
	info := s.Info()
	clocks := s.Clocks(p.Games.Time().UnixMilli())
	for i, id := range s.Game.Players {
		seat := engine.Seat(i + 1)
		body := g.seat(info, seat, s.Game.Seats, seen, s.Game.Outcome)
		body.Out = clocks[i].Out
		body.Own = g.Play.holds(seat)
		body.Rating = ratings[i]
		body.Clock = ClockOf(clocks[i], s.Game.Controls[i], p.Games.Time().UnixMilli())
		body.Due = g.Chance != nil && slices.Contains(g.Chance.Awaited, int8(seat))
		if body.Out && leftBehind(s.Game) {
			body.Clock = ClockBody{None: true} // the clock is not the server's, and 0:00 would look like a fallen flag
		}
		if id != "" {
			body.Who = who.Person(id)
			if !s.Game.Status.Over() && !s.Past() {
				body.Here, body.Seen = p.Hub.Present(s.Game.ID, id)
			}
		}
		g.enter(body, s.Game)
	}
	return nil
}

// seat returns the public part of a seat in a position.
func (g *GameBody) seat(
	info engine.Info, seat engine.Seat, seats int, seen engine.Projection, o *engine.Outcome,
) SeatBody {
	body := SeatBody{
		Variant: info.ID, Of: seats, Seat: int(seat), Side: int(info.SideOf(seat)), On: seen.Pending.Awaits(seat),
		Chosen: hasChosen(seen.View, seat),
	}
	if body.Side <= len(info.Marks) {
		body.Mark = info.Marks[body.Side-1]
	}
	if o != nil && !o.Void() {
		body.Rank, body.Won = o.Ranks[seat-1], g.Sides[body.Side-1].Won
	}
	return body
}

// draw draws the position, as a picture and for the script of a board of squares.
func (g *GameBody) draw(seen engine.Projection, as board.Picture) {
	g.Board = board.Draw(seen, as)
	g.Grid.Cells = face.Grid(catalog.FaceOf(g.Variant), seen.View, board.Words(as.In), as.Turn)
	g.Grid.Size = len(g.Grid.Cells)
}

// leftBehind reports whether a game of two ended because a player left it for another reason than the time.
func leftBehind(g table.Game) bool {
	return g.Seats == 2 && g.Outcome != nil &&
		(g.Outcome.Reason == engine.ReasonResignation || g.Outcome.Reason == engine.ReasonForfeit)
}

// enter adds a seat to the page, and to the lists of seats to act, offering a draw, or having lost.
func (g *GameBody) enter(seat SeatBody, row table.Game) {
	g.Seats = append(g.Seats, seat)
	if seat.On {
		g.Awaited = append(g.Awaited, seat)
	}
	if int(g.takebackBy) == seat.Seat {
		g.Asks = &seat
	}
	if int(row.Offer) == seat.Seat {
		g.Offer = &seat
	}
	if seat.Rank > 1 {
		g.Lost = append(g.Lost, seat)
	}
}

// seatRatings returns a rated game's ratings by seat, with the changes once it has been rated, or the reason why it was
// not.
func (p *Pages) seatRatings(ctx context.Context, s *table.Snapshot) ([]*ratingBody, *ledger.OmittedGame, error) {
	ratings := make([]*ratingBody, s.Game.Seats)
	if !s.Game.Rated || !s.Game.Status.Over() {
		return ratings, nil, nil
	}
	rows, err := p.Ratings.Changes(ctx, s.Game.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		ratings[row.Seat-1] = ratingOf(row)
	}
	if len(rows) > 0 {
		return ratings, nil, nil
	}
	why, omitted, err := p.Lists.OmittedGame(ctx, p.Ratings, s.Game.ID)
	if err != nil || !omitted {
		return ratings, nil, err
	}
	return ratings, &why, nil
}

func ratingOf(row ledger.Row) *ratingBody {
	return &ratingBody{
		Why:    "/players/" + row.PlayerID + "/ratings/" + row.List + "?before=" + strconv.Itoa(int(row.Seq)+1),
		Before: row.Before, After: row.After, Change: row.Change, Final: true,
	}
}

// ClockOf readies a clock's reading for the page.
func ClockOf(r clock.Reading, control string, now int64) ClockBody {
	c := ClockBody{None: r.None, Left: r.Remaining, Until: -1, Periods: r.Periods, Running: r.Running, Shown: r.Remaining}
	if r.HasDeadline && r.Running {
		c.Until = max(0, r.Deadline-now)
	}
	if r.Periods == 0 {
		return c
	}
	if parts, err := kit.ReadControl(control); err == nil && r.Stage <= len(parts) {
		c.Period = int64(parts[r.Stage-1].Extra * 1000)
	}
	if c.Left == 0 && c.Until >= 0 {
		c.Overtime = true
		c.Shown = max(0, c.Until-int64(c.Periods-1)*c.Period)
	}
	return c
}

// rematchBody is the game that followed a duel.
type rematchBody struct {
	ID     string
	Status table.Status
}

// rematch returns the rematch of a casual game; nil if there is none.
func (p *Pages) rematch(ctx context.Context, g table.Game) (*rematchBody, error) {
	if g.Status != table.Finished || g.Tournament != nil || len(g.Players) != 2 {
		return nil, nil
	}
	s, err := p.GameIfAny(ctx, table.RematchOf(g.ID))
	if s == nil {
		return nil, err
	}
	return &rematchBody{s.Game.ID, s.Game.Status}, nil
}
