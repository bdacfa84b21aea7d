package desk

import (
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/api/problem"
	"quatuor/tournament"
)

// saving is a result that an arbiter sends.
type saving struct {
	t            *tournament.Tournament
	round, board int
	form         url.Values
	why          string
}

// save saves the result of a board.
func (p *Pages) save(c echo.Context) error {
	s, err := p.readSaving(c)
	if err != nil || s.t == nil {
		return err
	}
	in, err := s.result()
	if err == nil {
		on := command.On{ID: s.t.ID, Read: s.t}
		_, err = command.EnterDeskResult.Run(c.Request().Context(), p.Commands, on, in)
	}
	switch {
	case wantsJSON(c):
		return p.answerSaved(c, s, in, err)
	case err != nil:
		return p.refused(c, "results", 0, err)
	case in.Outcome.Asks():
		return p.showDesk(c, http.StatusConflict, s.t, &deskBody{Tab: "results", Part: s.asking(in)})
	}
	return p.Back(c, s.address(), "result")
}

// asking returns the question that a result raised.
func (s saving) asking(in *command.DeskResult) *resultAsk {
	row := resultRowOf(s.t, in.Pairing, seatsBefore(s.t, s.round))
	return &resultAsk{Kind: string(in.Outcome), Row: row, Typed: s.form}
}

func wantsJSON(c echo.Context) bool { return c.Request().Header.Get("Accept") == "application/json" }

// readSaving parses an arbiter's form about a board. If t is nil, the request has been answered.
func (p *Pages) readSaving(c echo.Context) (s saving, err error) {
	t, err := p.StaffTournament(c, auth.EnterResults)
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

// result reads the result that the form has.
func (s saving) result() (*command.DeskResult, error) {
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
	return &command.DeskResult{
		BoardResult: command.BoardResult{Board: s.on(why), Verdict: verdict},
		Saw:         s.form.Get("seen"), Sure: s.form.Get("sure") != "",
	}, nil
}

// savedBoard is the answer to a result that a script sends.
type savedBoard struct {
	Tag    string `json:"tag"`
	Result string `json:"result"`
	Shown  string `json:"shown"`
	Ask    string `json:"ask,omitempty"` // kind of confirmation: see resultAsk

	Question string `json:"question,omitempty"` // the question, in the words of the page without a script
	Error    string `json:"error,omitempty"`    // why it was refused
}

func (p *Pages) answerSaved(c echo.Context, s saving, in *command.DeskResult, err error) error {
	if err != nil {
		status, said := problem.MessageOf(err)
		if status == 0 {
			return err
		}
		return deskJSON(c, status, savedBoard{Error: p.Reader(c).Told(said)})
	}
	if in.Outcome.Asks() {
		ask := s.asking(in)
		return deskJSON(c, http.StatusConflict, savedBoard{
			Tag: ask.Row.Tag, Result: ask.Row.Result, Shown: ask.Row.Shown, Ask: ask.Kind,
			Question: p.Reader(c).TextOr("", kit.AtTable("desk_results.ask."+ask.Kind, ask.Row.Tables),
				"Board", ask.Row.Board, "Result", ask.Row.Shown, "Wanted", ask.Wanted(), "Names", ask.Names()),
		})
	}
	result := results.ResultText(s.t, in.Pairing)
	return deskJSON(c, http.StatusOK, savedBoard{
		Tag: boardTag(in.Pairing), Result: result, Shown: kit.PrettyResult(result),
	})
}

// boardActs maps a form's value to the command on a board, with a reason.
var boardActs = map[string]command.Command[command.Board]{
	"adjourn": command.Adjourn, "again": command.PlayAgain, "clear": command.ClearResult,
}

// board carries out a form about a board that needs a reason.
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

// boardRun carries out a command on a board, guarded by the arbiter's version of it.
func boardRun[In any](p *Pages, c echo.Context, run command.Command[In], read func(saving) (In, error)) error {
	s, err := p.readSaving(c)
	if err != nil || s.t == nil {
		return err
	}
	in, err := read(s)
	if err == nil {
		_, err = run.Run(c.Request().Context(), p.Commands, command.On{ID: s.t.ID, Seen: seenIn(c, 0), Read: s.t}, in)
	}
	if err != nil {
		return p.refused(c, "results", s.t.Version, err)
	}
	return p.Back(c, s.address(), "board")
}

// needReason returns the reason in its normal form; an empty reason is refused.
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
