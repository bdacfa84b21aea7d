package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// slipTime is how long an arbiter may correct a result of their own without a reason, ms: it was a slip of the finger.
const slipTime = 10 * 60 * 1000

// errAsked means that a result was not saved because the arbiter is to be asked something first.
type errAsked struct {
	kind string
	pair tournament.Pairing
}

func (e *errAsked) Error() string { return "asked: " + e.kind }

// errSame means that the board has the result already.
var errSame = errors.New("the board has this result")

// saving is a result that an arbiter sends.
type saving struct {
	t            *tournament.Tournament
	round, board int
	form         url.Values
	why          string
}

// deskSave saves the result of one board. It goes by what the arbiter has seen of that board alone, so that others may
// enter results of other boards at the same time, and it may come twice.
func (p *Pages) deskSave(c echo.Context) error {
	s, err := p.readSaving(c)
	if err != nil || s.t == nil {
		return err
	}
	changed, err := p.saveResult(c.Request().Context(), s, auth.Session(c).AccountID)
	if wantsJSON(c) {
		return p.answerSaved(c, s, changed, err)
	}
	asked := (*errAsked)(nil)
	switch {
	case errors.As(err, &asked):
		b := &deskBody{Tab: "results", Part: &resultAsk{Kind: asked.kind, Row: resultRowOf(s.t, asked.pair, seatsBefore(s.t, s.round)), Typed: s.form}}
		return p.showDesk(c, http.StatusConflict, s.t, b)
	case err != nil:
		return p.deskRefused(c, "results", 0, err)
	}
	return p.back(c, s.address(), "result")
}

func wantsJSON(c echo.Context) bool { return c.Request().Header.Get("Accept") == "application/json" }

// readSaving reads a form about one board from an arbiter. If t is not set, the visitor has had an answer already.
func (p *Pages) readSaving(c echo.Context) (s saving, err error) {
	t, err := p.deskAccess(c, auth.EnterResults)
	if t == nil {
		return s, err
	}
	if s.round, s.board, err = boardParams(c, t); err != nil {
		return s, err
	}
	s.t, s.why = t, c.FormValue("reason")
	s.form = c.Request().PostForm
	return s, nil
}

// boardParams returns the round and the board that an address names.
func boardParams(c echo.Context, t *tournament.Tournament) (round, board int, err error) {
	if round, err = deskRoundNumber(c, t); err != nil {
		return 0, 0, err
	}
	if board, err = strconv.Atoi(c.Param("board")); err != nil || round == 0 {
		return 0, 0, errMissing
	}
	pair, err := t.Pairing(round, board)
	if err != nil || pair.Bye != tournament.NoBye {
		return 0, 0, errMissing
	}
	return round, board, nil
}

// saveResult saves a result, or returns an errAsked. It returns the tournament as it is then.
func (p *Pages) saveResult(ctx context.Context, s saving, by string) (*tournament.Tournament, error) {
	why, err := deskReason(s.why)
	if err != nil {
		return nil, err
	}
	pair, err := s.t.Pairing(s.round, s.board)
	if err != nil {
		return nil, err
	}
	verdict, err := typedVerdict(s.t, pair, s.form)
	if err != nil {
		return nil, err
	}
	slip, err := p.isSlip(ctx, s, by)
	if err != nil {
		return nil, err
	}
	running, err := p.isRunning(ctx, pair)
	if err != nil {
		return nil, err
	}
	now := s.t
	o := director.Order{By: by, If: func(t *tournament.Tournament) error {
		now = t
		pair, err := t.Pairing(s.round, s.board)
		if err != nil {
			return err
		}
		return s.judge(pair, verdict, why, slip, running)
	}}
	changed, err := p.Director.SetResult(ctx, s.t.ID, s.round, s.board, verdict, why, o)
	if errors.Is(err, errSame) {
		return now, nil
	}
	return changed, err
}

// judge returns what stands against saving a result at a board as it is now.
func (s saving) judge(pair tournament.Pairing, v tournament.Verdict, why string, slip, running bool) error {
	seats, _, _ := strings.Cut(s.form.Get("seen"), ".")
	is := boardTag(pair)
	if now, _, _ := strings.Cut(is, "."); now != seats {
		return &errAsked{"paired", pair}
	}
	same := pair.Result != nil && pair.Text() == v.String() && pair.Result.Adjudicated == v.Adjudicated &&
		(v.Rated == nil || *v.Rated == pair.Result.Rated)
	switch {
	case same && (why == "" || why == pair.Result.Reason):
		return errSame
	case is != s.form.Get("seen"):
		return &errAsked{"changed", pair}
	case running && s.form.Get("sure") == "":
		return &errAsked{"running", pair}
	case pair.Result != nil && why == "" && !slip:
		return &errAsked{"reason", pair}
	}
	return nil
}

// isSlip reports whether the board's result was entered by the same arbiter a short while ago.
func (p *Pages) isSlip(ctx context.Context, s saving, by string) (bool, error) {
	if pair, err := s.t.Pairing(s.round, s.board); err != nil || pair.Result == nil || pair.Result.Source != tournament.ByArbiter {
		return false, err
	}
	changes, err := p.Tournaments.History(ctx, s.t.ID)
	if err != nil {
		return false, err
	}
	for _, c := range slices.Backward(changes) {
		if c.Round == s.round && c.Board == s.board {
			return c.By == by && p.Now().UnixMilli()-c.At < slipTime, nil
		}
	}
	return false, nil
}

// isRunning reports whether a game of the server is being played at a board without a result.
func (p *Pages) isRunning(ctx context.Context, pair tournament.Pairing) (bool, error) {
	if pair.GameID == "" || pair.Result != nil {
		return false, nil
	}
	s, err := p.Games.Snapshot(ctx, pair.GameID)
	if errors.Is(err, table.ErrNotFound) {
		return false, nil
	}
	return err == nil && !s.Game.Status.Over() && s.Game.Status != table.Waiting, err
}

// savedBoard is the answer to a result that a script sends.
type savedBoard struct {
	Tag    string `json:"tag"`
	Result string `json:"result"`
	Shown  string `json:"shown"`
	Ask    string `json:"ask,omitempty"`   // what is to be asked: see resultAsk
	Error  string `json:"error,omitempty"` // why it was refused
	Ready  bool   `json:"ready,omitempty"` // the next round can be paired
	Act    int64  `json:"act,omitempty"`   // what can be undone now
	Last   string `json:"last,omitempty"`
}

func (p *Pages) answerSaved(c echo.Context, s saving, changed *tournament.Tournament, err error) error {
	asked := (*errAsked)(nil)
	if errors.As(err, &asked) {
		return deskJSON(c, http.StatusConflict, savedBoard{
			Tag: boardTag(asked.pair), Result: resultText(s.t, asked.pair), Shown: prettyResult(resultText(s.t, asked.pair)), Ask: asked.kind,
		})
	}
	if err != nil {
		status, said := deskRefusal(err)
		if status == 0 {
			return err
		}
		return deskJSON(c, status, savedBoard{Error: told(p.reader(c), said)})
	}
	pair, err := changed.Pairing(s.round, s.board)
	if err != nil {
		return err
	}
	out := savedBoard{
		Tag: boardTag(pair), Result: resultText(s.t, pair), Shown: prettyResult(resultText(s.t, pair)),
		Ready: s.round == len(changed.Rounds) && changed.CanPair() == nil,
	}
	acts, err := p.Tournaments.Acts(c.Request().Context(), changed.ID)
	if err != nil {
		return err
	}
	last, err := p.undoable(c, changed, acts)
	if err != nil {
		return err
	}
	if last != nil {
		out.Act, out.Last = last.Version, last.Text
	}
	return deskJSON(c, http.StatusOK, out)
}

func (p *Pages) deskAdjourn(c echo.Context) error {
	return p.deskBoard(c, func(ctx context.Context, s saving, o director.Order) error {
		_, err := p.Director.Adjourn(ctx, s.t.ID, s.round, s.board, s.why, o)
		return err
	})
}

func (p *Pages) deskPlayAgain(c echo.Context) error {
	return p.deskBoard(c, func(ctx context.Context, s saving, o director.Order) error {
		_, err := p.Director.PlayAgain(ctx, s.t.ID, s.round, s.board, s.why, o)
		return err
	})
}

func (p *Pages) deskClear(c echo.Context) error {
	return p.deskBoard(c, func(ctx context.Context, s saving, o director.Order) error {
		_, err := p.Director.ClearResult(ctx, s.t.ID, s.round, s.board, s.why, o)
		return err
	})
}

func (p *Pages) deskVenue(c echo.Context) error {
	return p.deskBoard(c, func(ctx context.Context, s saving, o director.Order) error {
		_, err := p.Director.SetVenue(ctx, s.t.ID, s.round, s.board, tournament.Venue(s.form.Get("venue")), s.why, o)
		return err
	})
}

// deskRecord attaches a record of the moves to a game in the hall, or removes it.
func (p *Pages) deskRecord(c echo.Context) error {
	s, err := p.readSaving(c)
	if err != nil || s.t == nil {
		return err
	}
	text := strings.ReplaceAll(s.form.Get("record"), "\r\n", "\n")
	if _, err = p.Director.SetRecord(c.Request().Context(), s.t.ID, s.round, s.board, text, s.order(c)); err != nil {
		return p.deskRefused(c, "results", s.t.Version, err)
	}
	return p.back(c, s.address(), "board")
}

// address is that of the results of the board's round.
func (s saving) address() string {
	return "/tournaments/" + s.t.ID + "/desk?tab=results&round=" + strconv.Itoa(s.round)
}

// order is for a command that builds on the board as the form has shown it.
func (s saving) order(c echo.Context) director.Order {
	return director.Order{By: auth.Session(c).AccountID, If: func(t *tournament.Tournament) error {
		pair, err := t.Pairing(s.round, s.board)
		if err == nil && boardTag(pair) != s.form.Get("seen") {
			err = tournament.Refuse(tournament.ErrStale, "board %d has changed", s.board)
		}
		return err
	}}
}

// deskBoard carries out a form about one board that needs a reason, if the board is as the arbiter has seen it.
func (p *Pages) deskBoard(c echo.Context, do func(context.Context, saving, director.Order) error) error {
	s, err := p.readSaving(c)
	if err != nil || s.t == nil {
		return err
	}
	if s.why, err = deskReason(s.why); err == nil && s.why == "" {
		err = tournament.Fault("reason", "say why; it stands in the history")
	}
	if err == nil {
		err = do(c.Request().Context(), s, s.order(c))
	}
	if err != nil {
		return p.deskRefused(c, "results", s.t.Version, err)
	}
	return p.back(c, s.address(), "board")
}
