// Package phones is the pages behind the codes on slips: players report results and call the arbiter from their own
// phones.
package phones

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/api/stream"
	"quatuor/engine/sentence"
	"quatuor/tournament/director"
	"quatuor/tournament/slip"
)

// Mount adds the pages that codes on slips open, those that hold the codes, and calls for the arbiter.
func (p *Pages) Mount(e *echo.Echo) {
	e.Match([]string{http.MethodGet, http.MethodHead}, "/r/:code", p.guardCode(p.phone))
	e.POST("/r/:code", p.guardCode(p.phoneReport))
	e.POST("/r/:code/call", p.guardCode(p.phoneCall))
	p.Live("/r/:code", kit.Soon, p.phoneTopics)
	p.mountCodes(e)
}

// PhoneBody holds the data of the page behind a code.
type PhoneBody struct {
	director.Slip
	Board   string // as people read it
	Code    string
	Me      int // the visitor's seat; 0 while it is unknown on a board card
	Seats   []PhoneSeat
	Stands  string            // the result, as score sheets write it
	Alert   string            // the key of the text with the reason of a refusal
	Detail  sentence.Sentence // more about it
	Typed   string            // the word with a call
	Ranks   []string
	Choices []PhoneChoice

	MatchBoards []phoneBoard // of a match of teams: its captains report their results together
}

// phoneBoard is an open board of a match of teams.
type phoneBoard struct {
	No       int
	Players  [2]kit.Person
	Verdicts []PhoneChoice
}

// PhoneSeat is a side of the board.
type PhoneSeat struct {
	Seat int
	Part int // the part of the game that the side has: its seat there
	Name string
	Said *PhoneChoice // its report; nil for none
	Gone bool
}

// PhoneChoice is a result that can be reported, as the visitor reads it.
type PhoneChoice struct {
	Verdict string
	Winner  string // name; "" for a draw and at tables of more than two
	Loser   string
	Mine    string // "won", "draw" or "lost" for a player of a duel
	Places  []string
}

// Open reports whether a result can be reported.
func (b PhoneBody) Open() bool { return b.Reportable() }

// Said returns the visitor's report; nil for none.
func (b PhoneBody) Said() *PhoneChoice {
	if b.Me == 0 {
		return nil
	}
	return b.Seats[b.Me-1].Said
}

// Others returns the other sides.
func (b PhoneBody) Others() []PhoneSeat {
	return slices.DeleteFunc(slices.Clone(b.Seats), func(s PhoneSeat) bool { return s.Seat == b.Me })
}

// Name returns the name of the visitor's side.
func (b PhoneBody) Name() string { return b.Seats[b.Me-1].Name }

// Waiting returns the names of the other sides without a report.
func (b PhoneBody) Waiting() (names []string) {
	for _, seat := range b.Reports.Awaited() {
		if seat != b.Me {
			names = append(names, b.Seats[seat-1].Name)
		}
	}
	return names
}

// Proposed returns the result that other sides have reported; nil if there is none or the reports differ.
func (b PhoneBody) Proposed() *PhoneChoice {
	if b.Reports.Disputed() {
		return nil
	}
	for _, s := range b.Others() {
		if s.Said != nil {
			return s.Said
		}
	}
	return nil
}

// Saw returns the version of the reports that forms of the page carry.
func (b PhoneBody) Saw() string { return b.Reports.Saw(b.Me) }

// Follows reports whether the page is waiting for something that others do.
func (b PhoneBody) Follows() bool { return b.Open() && b.Said() != nil }

// NewPhoneBody returns the page of a code for the seat that the visitor holds, 0 while that is not known.
func NewPhoneBody(s director.Slip, seat int) PhoneBody {
	b := PhoneBody{Slip: s, Board: slip.Label(s.Tournament, s.Board), Me: s.Seat, Stands: kit.PrettyResult(s.Pairing.Text())}
	if b.Me == 0 && seat >= 1 && seat <= len(s.Pairing.Seats) {
		b.Me = seat
	}
	for i := range s.Pairing.Seats {
		seat := PhoneSeat{Seat: i + 1, Part: partOf(s.Tournament, s.Place.Round, s.Place.Board, i), Gone: slices.Contains(s.Reports.Gone, i+1)}
		if i < len(s.Names) {
			seat.Name = s.Names[i]
		}
		b.Seats = append(b.Seats, seat)
	}
	for i := range b.Seats {
		if said := s.Reports.Report(i + 1); said != "" {
			choice := b.choice(said)
			b.Seats[i].Said = &choice
		}
	}
	if s.Match() {
		for _, n := range slip.OpenBoards(s.Pairing) {
			b.MatchBoards = append(b.MatchBoards, phoneBoard{No: n})
		}
		return b
	}
	if len(b.Seats) == 2 && b.Me > 0 {
		mine := [][]string{{"1-0", "1/2-1/2", "0-1"}, {"0-1", "1/2-1/2", "1-0"}}[b.Me-1]
		for _, verdict := range mine {
			if verdict == "1/2-1/2" && s.Tournament.Format.Decides() {
				continue // a match has a winner
			}
			b.Choices = append(b.Choices, b.choice(verdict))
		}
	}
	return b
}

// choice puts a verdict into names.
func (b PhoneBody) choice(verdict string) PhoneChoice {
	c := PhoneChoice{Verdict: verdict}
	if b.Match() {
		for word := range strings.FieldsSeq(verdict) {
			board, result, _ := strings.Cut(word, ":")
			c.Places = append(c.Places, board+": "+kit.PrettyResult(result))
		}
		return c
	}
	v, err := slip.ReadVerdict(verdict, len(b.Seats))
	switch {
	case err != nil:
	case len(b.Seats) != 2:
		order := make([]int, len(v.Ranks))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(x, y int) int { return v.Ranks[x] - v.Ranks[y] })
		for _, i := range order {
			c.Places = append(c.Places, strconv.Itoa(v.Ranks[i])+". "+b.Seats[i].Name)
		}
	case v.Ranks[0] == v.Ranks[1]:
		c.Mine = "draw"
	default:
		winner := 0
		if v.Ranks[1] == 1 {
			winner = 1
		}
		c.Winner = b.Seats[winner].Name
		c.Loser = b.Seats[1-winner].Name
		c.Mine = "lost"
		if b.Me == winner+1 {
			c.Mine = "won"
		}
	}
	return c
}

// guardCode wraps a handler of addresses with a code: every invalid code gets the same answer.
func (p *Pages) guardCode(handler echo.HandlerFunc) echo.HandlerFunc {
	inner := p.Guarded(func(c echo.Context) error {
		err := handler(c)
		if errors.Is(err, slip.ErrUnknown) || errors.Is(err, auth.ErrTooMany) {
			return p.unknownCode(c, err)
		}
		return err
	})
	return func(c echo.Context) error {
		if kit.CheckAddress(c) != nil {
			return p.unknownCode(c, p.Guard.UnknownCode(c.Request().Context(), c.RealIP(), slip.ErrUnknown))
		}
		return inner(c)
	}
}

// unknownCode answers a request with an invalid code.
func (p *Pages) unknownCode(c echo.Context, err error) error {
	refusal := problem.RefusalOf(err)
	problem.SetHeaders(c.Response().Header(), err, refusal.Status)
	many := refusal.Status == http.StatusTooManyRequests
	return p.Answer(c, refusal.Status, "phone-unknown", kit.Frame{Secret: true, Body: many})
}

func (p *Pages) phone(c echo.Context) error {
	s, err := command.ReadBoard.Run(c.Request().Context(), p.Commands, c.Param("code"), command.None{})
	if err != nil {
		return err
	}
	seat, _ := strconv.Atoi(c.QueryParam("seat"))
	return p.showPhone(c, http.StatusOK, NewPhoneBody(s, seat))
}

// phoneTopics are the topics of the tournament that a code belongs to: reports of others come there.
func (p *Pages) phoneTopics(c echo.Context) []string {
	s, err := p.Tournaments.Slip(c.Request().Context(), c.Param("code"))
	if err != nil {
		return nil // the page has the reason, and counts the attempt
	}
	return []string{stream.OfTournament(s.Tournament.ID, true)}
}

func (p *Pages) showPhone(c echo.Context, status int, b PhoneBody) error {
	b.Code, _ = slip.Read(c.Param("code"))
	if !b.Follows() {
		kit.Final(c)
	}
	if err := p.nameBoards(c.Request().Context(), &b); err != nil {
		return err
	}
	return p.Answer(c, status, "phone", kit.Frame{Secret: true, Body: b})
}

// nameBoards adds the players and the possible results of the open boards of a match.
func (p *Pages) nameBoards(ctx context.Context, b *PhoneBody) error {
	var ids []string
	for _, board := range b.MatchBoards {
		ids = append(ids, b.Pairing.Boards[board.No-1].Players[:]...)
	}
	people, err := p.Look(ctx, ids...)
	for i := range b.MatchBoards {
		board := &b.MatchBoards[i]
		for side, id := range b.Pairing.Boards[board.No-1].Players {
			board.Players[side] = people.Person(id)
		}
		for _, v := range []string{"1-0", "1/2-1/2", "0-1"} {
			board.Verdicts = append(board.Verdicts, PhoneChoice{Verdict: v, Mine: kit.PrettyResult(v)})
		}
	}
	return err
}

// backToPhone leads to the page of a code after a form was carried out.
func (p *Pages) backToPhone(c echo.Context, s director.Slip, seat int) error {
	if !slip.Open(s.Tournament, s.Round) {
		return p.showPhone(c, http.StatusOK, NewPhoneBody(s, seat)) // it opened the next round, and this code is over
	}
	code, _ := slip.Read(c.Param("code"))
	path := "/r/" + code
	if s.Seat == 0 && seat > 0 {
		path += "?seat=" + strconv.Itoa(seat)
	}
	return c.Redirect(http.StatusSeeOther, path)
}

func (p *Pages) phoneReport(c echo.Context) error {
	seat, _ := strconv.Atoi(c.FormValue("seat"))
	verdict, ranks := reported(c)
	in := command.Report{Seat: seat, Verdict: verdict, Saw: c.FormValue("saw")}
	s, err := command.ReportResult.Run(c.Request().Context(), p.Commands, c.Param("code"), in)
	if err == nil {
		return p.backToPhone(c, s, seat)
	}
	b := PhoneBody{}
	if s.Tournament != nil {
		b = NewPhoneBody(s, seat)
		b.Ranks = ranks
	}
	return p.refusedOnPhone(c, b, err)
}

// reported returns the verdict of a form: a single button, or a rank for each seat of a table.
func reported(c echo.Context) (verdict string, ranks []string) {
	if verdict = c.FormValue("verdict"); verdict != "" {
		return verdict, nil
	}
	var boards []string
	for n := 1; n <= maxSeats; n++ {
		if result := c.FormValue("board" + strconv.Itoa(n)); result != "" {
			boards = append(boards, strconv.Itoa(n)+":"+result)
		}
	}
	if len(boards) > 0 {
		return strings.Join(boards, " "), nil
	}
	for seat := 1; seat <= maxSeats; seat++ {
		rank := c.FormValue("rank" + strconv.Itoa(seat))
		if rank == "" {
			break
		}
		ranks = append(ranks, rank)
	}
	return strings.Join(ranks, ","), ranks
}

// maxSeats is the maximum number of seats of a table.
const maxSeats = 8

func (p *Pages) phoneCall(c echo.Context) error {
	seat, _ := strconv.Atoi(c.FormValue("seat"))
	s, err := command.CallToBoard.Run(c.Request().Context(), p.Commands, c.Param("code"), c.FormValue("word"))
	if err == nil {
		return p.backToPhone(c, s, seat)
	}
	b := PhoneBody{}
	if s.Tournament != nil {
		b = NewPhoneBody(s, seat)
		b.Typed = c.FormValue("word")
	}
	return p.refusedOnPhone(c, b, err)
}

// refusedOnPhone shows the page of a code again, with the reason why a form was not carried out.
func (p *Pages) refusedOnPhone(c echo.Context, b PhoneBody, err error) error {
	if b.Tournament == nil {
		return err
	}
	refusal := problem.RefusalOf(err)
	switch refusal.Name {
	case "stale", "wrong_state":
		s, reread := command.ReadBoard.Run(c.Request().Context(), p.Commands, c.Param("code"), command.None{})
		if reread != nil {
			return reread
		}
		b, refusal.Name = NewPhoneBody(s, b.Me), "stale"
	case "invalid":
		var fields []problem.FieldFault
		if _, b.Detail, fields = problem.Explain(err); len(fields) > 0 {
			b.Detail = fields[0].Said
		}
		if len(fields) > 0 && fields[0].Field == "seat" {
			refusal.Name, b.Detail = "seat", sentence.Sentence{}
		}
	case "empty", "called":
	default:
		return err
	}
	b.Alert = refusal.Name
	problem.SetHeaders(c.Response().Header(), err, refusal.Status)
	return p.showPhone(c, refusal.Status, b)
}

// Pages are the pages of codes.
type Pages struct{ *kit.Kit }

// New returns the pages of codes.
func New(k *kit.Kit) *Pages { return &Pages{k} }
