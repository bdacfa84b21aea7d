package phones

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/qrcode"
	"quatuor/api/problem"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/slip"
)

// mountCodes adds the pages that hold the codes of boards, and the acts on calls for the arbiter.
func (p *Pages) mountCodes(e *echo.Echo) {
	p.Get(e, "/tournaments/:id/desk/codes", p.codes)
	p.Live("/tournaments/:id/desk/codes", kit.Soon, func(c echo.Context) []string {
		return []string{kit.TournamentTopic(c)}
	})
	p.Post(e, "/tournaments/:id/desk/codes", command.OnTournament, p.replaceCodes)
	p.Post(e, "/tournaments/:id/desk/calls", command.OnTournament, p.answerCall)
	p.Get(e, "/tournaments/:id/print/slips", p.printSlips)
	p.Get(e, "/tournaments/:id/print/cards", p.printCards)
}

// codesBody holds the staff's view of the codes, reports and calls of a tournament.
type codesBody struct {
	*tournament.Tournament
	Round  int // the round of the codes; 0 if there is none
	Boards []codesBoard
	Calls  []CallLine
	Tab    string // of the desk, where forms of calls lead back to; "" for this page
	Alert  string // the key of the text with the reason of a refusal
}

// codesBoard is a board with its codes.
type codesBoard struct {
	Board  int
	Label  string // as people read it
	Result string
	Server bool // it is played on the server
	Seats  []codesSeat
	State  string // "", "reported" or "disputed"
}

// codesSeat is a seat with its code; "" if it was revoked.
type codesSeat struct {
	Name, Code, Path string
	Said             *PhoneChoice
}

// CallLine is a call for the arbiter as the staff of the tournament read it.
type CallLine struct {
	slip.Call
	Board  string // as people read it
	Name   string // of the caller; "" for a board card and a dispute
	Seats  []string
	Tables bool // in this tournament several sit at a table
}

// CallsPart holds the open calls of a tournament.
type CallsPart struct {
	ID    string // of the tournament
	Tab   string // of the desk, the target after forms
	Calls []CallLine
}

// Disputed reports whether the players of the board reported different results.
func (l CallLine) Disputed() bool { return l.Kind == slip.CallDispute }

// Seen reports whether an arbiter has seen the call.
func (l CallLine) Seen() bool { return l.Status == slip.CallSeen }

// CallLines lists the open calls of a tournament, those that no arbiter has seen first.
func (p *Pages) CallLines(ctx context.Context, t *tournament.Tournament) ([]CallLine, error) {
	calls, err := p.Tournaments.Calls(ctx, t, false)
	lines := make([]CallLine, len(calls))
	for i, call := range calls {
		lines[i].Call = call
		lines[i].Board = slip.Label(t, call.Board)
		lines[i].Tables = t.AtTables()
		if lines[i].Seats, err = p.Tournaments.SideNames(ctx, t, call.Round, call.Board); err != nil {
			return nil, err
		}
		if n := call.Seat; n > 0 && n <= len(lines[i].Seats) {
			lines[i].Name = lines[i].Seats[n-1]
		}
	}
	return lines, err
}

func (p *Pages) codes(c echo.Context) error {
	t, err := p.StaffTournament(c, auth.EnterResults)
	if t == nil {
		return err
	}
	return p.showCodes(c, http.StatusOK, t, "")
}

func (p *Pages) showCodes(c echo.Context, status int, t *tournament.Tournament, alert string) error {
	ctx := c.Request().Context()
	body := codesBody{Tournament: t, Alert: alert}
	var err error
	if body.Calls, err = p.CallLines(ctx, t); err != nil {
		return err
	}
	if slip.Open(t, t.PublishedRounds()) {
		body.Round = t.PublishedRounds()
		if body.Boards, err = p.codesBoards(ctx, t, body.Round); err != nil {
			return err
		}
	}
	return p.Answer(c, status, "desk-codes", kit.Frame{Section: "tournaments", Secret: true, Body: body})
}

func (p *Pages) codesBoards(ctx context.Context, t *tournament.Tournament, round int) ([]codesBoard, error) {
	codes, err := p.Tournaments.RoundCodes(ctx, t, round, false)
	if err != nil {
		return nil, err
	}
	reports, err := p.Tournaments.Reports(ctx, t, round)
	if err != nil {
		return nil, err
	}
	boards := make([]codesBoard, len(codes))
	for i, one := range codes {
		b := codesBoard{Board: one.Pairing.Board, Label: slip.Label(t, one.Pairing.Board), Result: kit.PrettyResult(one.Pairing.Text()), Server: one.Pairing.GameID != ""}
		report := reports[b.Board]
		b.State = ReportState(reports, b.Board)
		place := slip.Place{Tournament: t.ID, Round: round, Board: b.Board}
		view := NewPhoneBody(director.Slip{Place: place, Tournament: t, Pairing: one.Pairing, Reports: report, Names: one.Names}, 0)
		for seat, s := range view.Seats {
			line := codesSeat{Name: s.Name, Said: s.Said}
			if seat < len(one.Seats) {
				line.Code, line.Path = slip.Spaced(one.Seats[seat]), "/r/"+one.Seats[seat]
			}
			b.Seats = append(b.Seats, line)
		}
		boards[i] = b
	}
	return boards, nil
}

// ReportState returns the state of the reports for a board: "reported", "disputed", or "" if there are none.
func ReportState(reports map[int]slip.Board, board int) string {
	report, known := reports[board]
	switch {
	case known && report.Disputed():
		return "disputed"
	case known:
		return "reported"
	}
	return ""
}

func (p *Pages) replaceCodes(c echo.Context) error {
	t, err := p.StaffTournament(c, auth.EnterResults)
	if t == nil {
		return err
	}
	round, err := strconv.Atoi(c.FormValue("round"))
	if err != nil {
		return kit.ErrUnreadable
	}
	board := 0
	if text := c.FormValue("board"); text != "" {
		if board, err = strconv.Atoi(text); err != nil || board < 1 {
			return kit.ErrUnreadable
		}
	}
	do := c.FormValue("do")
	if do != "renew" && do != "revoke" {
		return kit.ErrUnreadable
	}
	in := command.NewCodes{Round: round, Board: board, Revoke: do == "revoke"}
	_, err = command.ReplaceCodes.Run(c.Request().Context(), p.Commands, command.On{ID: t.ID}, in)
	switch status := problem.RefusalOf(err).Status; {
	case status == http.StatusConflict, status == http.StatusNotFound:
		return p.showCodes(c, status, t, "over")
	case err != nil:
		return err
	}
	return p.Back(c, "/tournaments/"+t.ID+"/desk/codes", "codes_"+do)
}

// answerCall notes that an arbiter has seen a call, or that it is settled, and leads back to where the form was.
func (p *Pages) answerCall(c echo.Context) error {
	t, err := p.StaffTournament(c, auth.EnterResults)
	if t == nil {
		return err
	}
	back := "/tournaments/" + t.ID + "/desk/codes"
	if tab := c.FormValue("tab"); kit.Word.MatchString(tab) {
		back = "/tournaments/" + t.ID + "/desk?tab=" + tab
	}
	in := command.CallAnswer{ID: c.FormValue("call"), Status: slip.CallStatus(c.FormValue("status"))}
	_, err = command.AnswerCall.Run(c.Request().Context(), p.Commands, command.On{ID: t.ID}, in)
	if problem.RefusalOf(err).Status == http.StatusNotFound { // another arbiter has settled it
		return p.Back(c, back, "call_gone")
	}
	if err != nil {
		return err
	}
	return p.Back(c, back, "call_"+c.FormValue("status"))
}

// printBody holds the data of a printed page of slips or board cards.
type printBody struct {
	*tournament.Tournament
	Round  int
	At     int64 // ms UTC
	Sheets [][]printSlip
	None   string // the key of the text with the reason for the empty page, and the remedy
	Near   bool   // the codes lead to an address that phones cannot reach
}

// printSlip is a slip, or a board card.
type printSlip struct {
	Board string
	Match bool   // of teams: its captains report all boards together
	For   string // the holder of the slip; "" on a board card
	Seats []string
	Parts []int // of the game, by seat: of a board of a match either side may have the first
	Duel  bool
	Code  string
	Host  string // where the code can be typed
	QR    template.HTML
}

// Slips and board cards on a sheet of paper.
const (
	slipsOnSheet = 8
	cardsOnSheet = 4
)

func (p *Pages) printSlips(c echo.Context) error {
	return p.print(c, "print-slips", false, slipsOnSheet)
}

func (p *Pages) printCards(c echo.Context) error {
	return p.print(c, "print-cards", true, cardsOnSheet)
}

// print answers with the codes of a round on paper, for the staff of the tournament only.
func (p *Pages) print(c echo.Context, page string, cards bool, onSheet int) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	t, staff, err := access.Tournament(ctx, p.Tournaments, c.Param("id"), who)
	if err != nil {
		return err
	}
	if who.Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape(c.Request().URL.RequestURI()))
	}
	if err := who.Demand(who.LevelIn(t), auth.EnterResults); err != nil || !staff {
		return echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	round, err := kit.RoundParam(c)
	if err != nil {
		return err
	}
	if round == 0 {
		round = t.PublishedRounds()
	}
	body := printBody{Tournament: t, Round: round, At: p.Now().UnixMilli(), None: "none_open"}
	shown := kit.Frame{Section: "tournaments", Secret: true, Body: &body}
	if !slip.Open(t, round) {
		body.None = "none_over"
		if t.PublishedRounds() == 0 {
			body.None = "none_yet"
		}
		return p.Answer(c, http.StatusOK, page, shown)
	}
	codes, err := p.Tournaments.RoundCodes(ctx, t, round, cards)
	if err != nil {
		return err
	}
	base := p.Address(c)
	slips, err := printed(t, round, codes, base, cards)
	if err != nil {
		return err
	}
	body.Near, body.Sheets = kit.Near(base) && len(slips) > 0, slices.Collect(slices.Chunk(slips, onSheet))
	return p.Answer(c, http.StatusOK, page, shown)
}

// printed returns the slips, or the board cards, of boards that are open, have codes, and are not played on the server.
func printed(
	t *tournament.Tournament, round int, codes []director.BoardCodes, base string, cards bool,
) ([]printSlip, error) {
	var slips []printSlip
	for _, one := range codes {
		if one.Pairing.Result != nil || one.Pairing.GameID != "" || len(one.Seats) == 0 && one.Card == "" {
			continue
		}
		s := printSlip{
			Board: slip.Label(t, one.Pairing.Board), Match: one.Pairing.Boards != nil, Seats: one.Names, Duel: len(one.Pairing.Seats) == 2,
		}
		if s.Match && len(slip.OpenBoards(one.Pairing)) == 0 {
			continue
		}
		for i := range s.Seats {
			s.Parts = append(s.Parts, partOf(t, round, one.Pairing.Board, i))
		}
		own := one.Seats
		if cards {
			own = []string{one.Card}
		}
		for i, code := range own {
			var err error
			if s.QR, err = qrcode.SVG(base+"/r/"+code, ""); err != nil {
				return nil, err
			}
			s.Code, s.Host = slip.Spaced(code), base[strings.Index(base, "://")+3:]+"/r/"
			if !cards {
				s.For = s.Seats[i]
			}
			slips = append(slips, s)
		}
	}
	return slips, nil
}

// partOf returns the part of the game that a side, from 0, of a board has: its seat there.
func partOf(t *tournament.Tournament, round, number, side int) int {
	match, board := slip.Split(number)
	if t.Teams == nil || board == 0 {
		return side + 1
	}
	p, err := t.Pairing(round, match)
	if err == nil && board <= len(p.Boards) && t.Teams.SeatOne(board, p.Boards[board-1]) == 1 {
		return 2 - side
	}
	return side + 1
}
