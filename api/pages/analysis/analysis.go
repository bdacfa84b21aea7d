// Package analysis serves the analysis board, for trying moves without a game.
package analysis

import (
	"encoding/hex"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/moves"
	"quatuor/api/pages/play"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// Pages are the pages of the analysis board.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the pages of the analysis board.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the analysis board.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		kit.AnalysisPath:      p.analysis,
		"/games/:id/analysis": p.analyseGame,
	})
}

// Bounds of an analysis: a game with the default length, with all its leavings, fits.
const (
	MaxAnalysed = 500   // tokens
	MaxLine     = 8_000 // bytes of moves
)

// analysisBody holds the data of the analysis board.
type analysisBody struct {
	play.GameBody
	Choices []AnalysisChoice // of a variant, while there is none
	Fields  []field          // of every form, so that it leads to the same line
	Line    []lineMove
	At      int
	Wrong   string
	Tries   []trySeat
	From    string        // the address of the game that it comes from
	Deal    string        // the address of another deal
	Ended   template.HTML // how the game ends there
	Rules   string        // the variant's family, where there are rules to read
	spec    analysisSpec
}

// AnalysisChoice is a variant that can be analysed.
type AnalysisChoice struct {
	Variant string
	Seats   int // 0 where the variant fixes them
}

// Address leads to the variant's first position.
func (c AnalysisChoice) Address() string {
	if c.Seats > 0 {
		return kit.AnalysisPath + "?variant=" + c.Variant + "&seats=" + strconv.Itoa(c.Seats)
	}
	return kit.AnalysisPath + "?variant=" + c.Variant
}

// field is a hidden field of a form.
type field struct{ Name, Value string }

// lineMove is a move of the line.
type lineMove struct {
	Ply   int
	Seat  int // the seat that made it, 0 for none
	Token string
	Here  bool
}

// trySeat is a seat with moves to try.
type trySeat struct {
	Seat  int
	Moves []tryMove
}

// tryMove is a move that can be tried: its notation, and its description in games without a board of squares.
type tryMove struct {
	Token, Move, Words, Kind string
}

// analysis serves the analysis board. It stores nothing, and applies the same rules as games.
func (p *Pages) analysis(c echo.Context) error {
	in := p.Reader(c)
	if c.QueryParam("variant") == "" {
		return p.Show(c, "analysis", "analysis", analysisBody{Choices: p.AnalysisChoices()})
	}
	rules, err := catalog.Find(c.QueryParam("variant"))
	if err != nil || !slices.Contains(p.Offered(message.Family(rules.Info().ID)), rules.Info().ID) {
		return kit.ErrMissing
	}
	spec := analysisSpec{rules: rules}
	if rules.Info().Secret && c.QueryParam("seed") == "" {
		spec.seed = dealAfter(strconv.FormatInt(p.Now().UnixNano(), 10))
		c.Response().Header().Set("Cache-Control", "no-store")
		return c.Redirect(http.StatusSeeOther, spec.address(nil, -1))
	}
	wrong := ""
	if err := spec.read(c); err != nil {
		wrong = tooLong(in, err)
		spec = analysisSpec{rules: rules}
		if spec.setup, err = firstSetup(rules, dealAfter("")); err != nil {
			return err
		}
	}
	line, err := spec.play()
	if err != nil {
		wrong, _ = moves.Refusal(in, err)
	}
	shown := len(line) - 1
	if spec.ply >= 0 {
		shown = min(spec.ply, shown)
	}
	if move := c.QueryParam("move"); move != "" && wrong == "" {
		next, err := spec.try(line, shown, move)
		if err == nil {
			return c.Redirect(http.StatusSeeOther, next)
		}
		wrong = tooLong(in, err)
		if why, known := moves.Refusal(in, err); known {
			wrong = why
		}
	}
	body, err := p.analysisBody(in, spec, line, shown)
	if err != nil {
		return err
	}
	status := http.StatusOK
	body.Wrong = wrong
	if wrong != "" {
		status = http.StatusBadRequest
	}
	return p.Answer(c, status, "analysis", kit.Frame{Section: "analysis", Body: body})
}

// errLong is returned for a line longer than the limits.
var errLong = engine.Refuse(
	engine.ErrSetup, "an analysis has at most %d moves, in %d characters; begin at a later position", MaxAnalysed, MaxLine,
)

// AnalysisChoices lists the variants that can be analysed here.
func (p *Pages) AnalysisChoices() (list []AnalysisChoice) {
	for _, rules := range catalog.All() {
		info := rules.Info()
		if !slices.Contains(p.Offered(info.Family()), info.ID) {
			continue
		}
		if len(info.Seats) == 1 {
			list = append(list, AnalysisChoice{Variant: info.ID})
			continue
		}
		for _, seats := range info.Seats {
			list = append(list, AnalysisChoice{info.ID, seats})
		}
	}
	return list
}

// analysisBody makes the page of a line.
func (p *Pages) analysisBody(
	in *message.Printer, spec analysisSpec, line []*engine.Match, shown int,
) (analysisBody, error) {
	m, info := line[shown], spec.rules.Info()
	var all engine.Viewer
	for seat := 1; seat <= spec.setup.Seats; seat++ {
		all = all.With(engine.Seat(seat))
	}
	seen := m.Project(all)
	g, err := p.play.MatchBody(in, m, seen, spec.flip)
	if err != nil {
		return analysisBody{}, err
	}
	body := analysisBody{GameBody: g, spec: spec, At: shown, Fields: spec.fields(spec.moves)}
	game, words := catalog.FaceOf(info.ID), board.Words(in)
	prefix := prefixed(spec.setup, spec.rules)
	for _, seat := range seen.Pending.Awaited {
		try := trySeat{Seat: int(seat)}
		for _, mv := range seen.Legal[seat] {
			one := tryMove{Token: engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)}.Token(prefix), Move: string(mv)}
			if g.Grid.Size == 0 {
				choice := game.Choice(words, seen.View, seat, one.Move)
				one.Words, one.Kind = choice.Words, choice.Kind
			}
			try.Moves = append(try.Moves, one)
		}
		body.Tries = append(body.Tries, try)
	}
	for i, e := range line[len(line)-1].Events() {
		body.Line = append(body.Line, lineMove{Ply: i + 1, Seat: int(e.Seat), Token: spec.moves[i], Here: i+1 == shown})
	}
	if spec.game != "" {
		body.From = play.GameAddress(spec.game, -1, spec.flip)
	}
	if info.Secret {
		other := analysisSpec{rules: spec.rules, seed: dealAfter(spec.seed)}
		body.Deal = other.address(nil, -1)
	}
	body.Rules = info.Family()
	if g.Status == table.Finished {
		ended, err := p.Render(in, "game", "outcome", g)
		if err != nil {
			return body, err
		}
		body.Ended = template.HTML(ended) // a template of ours made it, which escapes
	}
	return body, nil
}

// To is the address of the line after a number of its moves.
func (b analysisBody) To(ply int) string { return b.spec.address(b.spec.moves, ply) }

// Before and After return the plies beside the ply shown.
func (b analysisBody) Before() int { return max(0, b.At-1) }

// After returns the following ply.
func (b analysisBody) After() int { return min(len(b.Line), b.At+1) }

// End returns the last ply.
func (b analysisBody) End() int { return len(b.Line) }

// Here is the address of the position shown.
func (b analysisBody) Here() string { return b.To(b.At) }

// Turned is the address of the position shown with the board turned on.
func (b analysisBody) Turned() string {
	turned := b.spec
	turned.flip = (turned.flip + 1) % play.Flips(turned.setup.Seats)
	return turned.address(turned.moves, b.At)
}

// analyseGame leads from a position of a game that the visitor may see to the analysis board: with the moves that the
// visitor may know, and with the seed once it is shown.
func (p *Pages) analyseGame(c echo.Context) error {
	s, err := p.play.Seen(c)
	if err != nil {
		return err
	}
	v := s.Viewer(auth.Session(c).PlayerID)
	if !p.play.Analysable(s, v) {
		return echo.NewHTTPError(http.StatusForbidden)
	}
	ply, err := strconv.Atoi(c.QueryParam("ply"))
	if c.QueryParam("ply") == "" {
		ply, err = s.Game.Plies, nil
	}
	if err != nil || ply < 0 || ply > s.Game.Plies {
		return kit.ErrMissing
	}
	spec := analysisSpec{rules: s.Match.Rules(), options: s.Game.Options, game: s.Game.ID, flip: play.FlipOf(c, s.Game.Seats)}
	if len(s.Info().Seats) > 1 {
		spec.seats = strconv.Itoa(s.Game.Seats)
	}
	if seed := s.Project(v).Seed; seed != nil {
		spec.seed = hex.EncodeToString(seed[:])
	}
	shown, plies := -1, 0
	for i, e := range s.Match.Events() {
		spec.moves = append(spec.moves, e.Token(prefixed(s.Match.Setup(), spec.rules)))
		if e.Kind == engine.Moved {
			if plies++; plies == ply && ply < s.Game.Plies {
				shown = i + 1
			}
		}
	}
	if ply == 0 {
		shown = 0
	}
	if len(spec.moves) > MaxAnalysed || len(strings.Join(spec.moves, "_")) > MaxLine {
		past, err := s.AtPly(ply)
		if err != nil || s.Info().Secret {
			return errors.Join(kit.ErrMissing, err)
		}
		spec.position, spec.moves = past.Match.Position(), nil
	}
	return c.Redirect(http.StatusSeeOther, spec.address(spec.moves, shown))
}
