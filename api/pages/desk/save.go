package desk

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
	"quatuor/api/problem"
	"quatuor/tournament"
)

// slipTime is how long an arbiter may correct a result of their own without a reason, ms: it was a slip of the finger.
const slipTime = 10 * 60 * 1000

// errAsked means that a result needs the arbiter's confirmation.
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

// save saves the result of one board. It is idempotent, and its optimistic lock covers that board only, so that arbiters
// can enter results of different boards concurrently.
func (p *Pages) save(c echo.Context) error {
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
		b := &deskBody{Tab: "results", Part: s.asking(asked)}
		return p.showDesk(c, http.StatusConflict, s.t, b)
	case err != nil:
		return p.refused(c, "results", 0, err)
	}
	return p.Back(c, s.address(), "result")
}

// asking returns the question that an errAsked is about.
func (s saving) asking(asked *errAsked) *resultAsk {
	return &resultAsk{Kind: asked.kind, Row: resultRowOf(s.t, asked.pair, seatsBefore(s.t, s.round)), Typed: s.form}
}

func wantsJSON(c echo.Context) bool { return c.Request().Header.Get("Accept") == "application/json" }

// readSaving parses an arbiter's form about one board. If t is nil, the request has been answered.
func (p *Pages) readSaving(c echo.Context) (s saving, err error) {
	t, err := p.tournaments.StaffOf(c, auth.EnterResults)
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
	if round, err = roundNumber(c, t); err != nil {
		return 0, 0, err
	}
	if board, err = strconv.Atoi(c.Param("board")); err != nil || round == 0 {
		return 0, 0, kit.ErrMissing
	}
	pair, err := t.Pairing(round, board)
	if err != nil || pair.Bye != tournament.NoBye {
		return 0, 0, kit.ErrMissing
	}
	return round, board, nil
}

// saveResult saves a result, or returns an errAsked. It returns the tournament as it is then.
func (p *Pages) saveResult(ctx context.Context, s saving, by string) (*tournament.Tournament, error) {
	why, err := forms.Reason(s.why)
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
	running, err := p.games.Playing(ctx, pair)
	if err != nil {
		return nil, err
	}
	now := s.t
	on := command.On{ID: s.t.ID, Seen: new("*"), If: func(t *tournament.Tournament) error { // judge checks the tag
		now = t
		pair, err := t.Pairing(s.round, s.board)
		if err != nil {
			return err
		}
		return s.judge(pair, verdict, why, slip, running)
	}}
	changed, err := command.EnterResult.Run(ctx, p.Commands, on, command.BoardResult{Board: s.on(why), Verdict: verdict})
	if errors.Is(err, errSame) {
		return now, nil
	}
	return changed, err
}

// judge returns the error that prevents saving a result at a board's present state: errSame or an errAsked.
func (s saving) judge(pair tournament.Pairing, v tournament.Verdict, why string, slip, running bool) error {
	seats, _, _ := strings.Cut(s.form.Get("seen"), ".")
	is := boardTag(pair)
	if now, _, _ := strings.Cut(is, "."); now != seats {
		return &errAsked{"paired", pair}
	}
	same := pair.Result != nil && !v.RatingOnly && pair.Text() == v.String() && pair.Result.Adjudicated == v.Adjudicated &&
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

// savedBoard is the answer to a result that a script sends.
type savedBoard struct {
	Tag    string `json:"tag"`
	Result string `json:"result"`
	Shown  string `json:"shown"`
	Ask    string `json:"ask,omitempty"` // kind of confirmation: see resultAsk

	Question string `json:"question,omitempty"` // asks for it, in the words of the page without a script
	Error    string `json:"error,omitempty"`    // why it was refused
}

func (p *Pages) answerSaved(c echo.Context, s saving, changed *tournament.Tournament, err error) error {
	asked := (*errAsked)(nil)
	if errors.As(err, &asked) {
		ask := s.asking(asked)
		return deskJSON(c, http.StatusConflict, savedBoard{
			Tag: ask.Row.Tag, Result: ask.Row.Result, Shown: ask.Row.Shown, Ask: ask.Kind,
			Question: p.Reader(c).TextOr("", kit.AtTable("desk_results.ask."+ask.Kind, ask.Row.Tables),
				"Board", ask.Row.Board, "Result", ask.Row.Shown, "Wanted", ask.Wanted(), "Names", ask.Names()),
		})
	}
	if err != nil {
		status, said := problem.MessageOf(err)
		if status == 0 {
			return err
		}
		return deskJSON(c, status, savedBoard{Error: p.Reader(c).Told(said)})
	}
	pair, err := changed.Pairing(s.round, s.board)
	if err != nil {
		return err
	}
	return deskJSON(c, http.StatusOK, savedBoard{
		Tag:    boardTag(pair),
		Result: tournaments.ResultText(s.t, pair),
		Shown:  kit.PrettyResult(tournaments.ResultText(s.t, pair)),
	})
}

// boardActs are what a form does with a board, with a reason.
var boardActs = map[string]command.Command[command.Board]{
	"adjourn": command.Adjourn, "again": command.PlayAgain, "clear": command.ClearResult,
}

// board carries out a form about one board that needs a reason.
func (p *Pages) board(c echo.Context) error {
	act, ok := boardActs[path.Base(c.Path())]
	if !ok {
		return kit.ErrMissing
	}
	return boardRun(p, c, act, func(s saving) (command.Board, error) {
		why, err := needReason(s.why)
		return s.on(why), err
	})
}

func (p *Pages) venue(c echo.Context) error {
	return boardRun(p, c, command.SetVenue, func(s saving) (command.BoardVenue, error) {
		why, err := needReason(s.why)
		return command.BoardVenue{Board: s.on(why), Venue: tournament.Venue(s.form.Get("venue"))}, err
	})
}

// record attaches a record of the moves to a game in the hall, or removes it.
func (p *Pages) record(c echo.Context) error {
	return boardRun(p, c, command.SetRecord, func(s saving) (command.BoardRecord, error) {
		return command.BoardRecord{Board: s.on(""), Text: strings.ReplaceAll(s.form.Get("record"), "\r\n", "\n")}, nil
	})
}

// boardRun carries out a command on one board, as the arbiter has seen it.
func boardRun[In any](p *Pages, c echo.Context, run command.Command[In], read func(saving) (In, error)) error {
	s, err := p.readSaving(c)
	if err != nil || s.t == nil {
		return err
	}
	in, err := read(s)
	if err == nil {
		_, err = run.Run(c.Request().Context(), p.Commands, command.On{ID: s.t.ID, Seen: seenIn(c, 0)}, in)
	}
	if err != nil {
		return p.refused(c, "results", s.t.Version, err)
	}
	return p.Back(c, s.address(), "board")
}

// needReason returns the reason in its normal form, of which there must be one.
func needReason(text string) (string, error) {
	why, err := forms.Reason(text)
	if err == nil && why == "" {
		err = tournament.Fault("reason", "say why; it stands in the history")
	}
	return why, err
}

// on names the board, and why something is done with it.
func (s saving) on(why string) command.Board {
	return command.Board{Round: s.round, Board: s.board, Why: why}
}

// address is that of the results of the board's round.
func (s saving) address() string {
	return "/tournaments/" + s.t.ID + "/desk?tab=results&round=" + strconv.Itoa(s.round)
}
