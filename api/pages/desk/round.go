package desk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/bracket"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// roundPart holds the data of the tab Round: the draft or the latest round, and the possible next steps.
type roundPart struct {
	Number   int // of the round shown, 0 before the first
	Next     int // the round that can be paired now, 0 if none can
	Name     string
	Draft    bool
	Seen     string // see command.RoundTag
	Boards   []draftBoard
	Byes     []draftBoard
	Unpaired []rowSeat
	Warnings []pairing.Warning // of the round, or before the first of them
	Left     []int             // boards of the latest round without a result
	Over     bool              // all rounds have been paired, and played
	Clocks   bool              // the server has games with clocks at some board
	Begins   int64             // when the clocks of the round shown start, 0 if they run or there are none
	Together bool
	Editable bool // the pairings can be changed
	Bracket  bool // only the seats can be changed
	Tables   bool // boards are tables, which an entry can join
}

// draftBoard is a board of a round that can be changed.
type draftBoard struct {
	Board    int
	Seats    []rowSeat
	Bye      tournament.Bye
	Warned   bool
	Result   string // as score sheets write it
	Absent   bool   // an entry has withdrawn
	Reseated bool
}

// Duel reports whether two meet at the board.
func (d draftBoard) Duel() bool { return len(d.Seats) == 2 }

// mountRound adds the forms of the tab Round.
func (p *Pages) mountRound(e *echo.Echo) {
	p.Post(e, "/tournaments/:id/desk/round/pair", command.OnTournament, p.pair)
	p.Post(e, "/tournaments/:id/desk/round/edit", command.OnTournament, p.edit)
	p.Post(e, "/tournaments/:id/desk/round/publish", command.OnTournament, p.publish)
	p.Post(e, "/tournaments/:id/desk/round/delete", command.OnTournament, p.drop)
	p.Post(e, "/tournaments/:id/desk/round/redraw", command.OnTournament, p.redraw)
}

func (p *Pages) round(c echo.Context, b *deskBody) error {
	t := b.Tournament
	part := roundPart{Number: len(t.Rounds), Bracket: t.Format.Eliminates(), Tables: t.AtTables()}
	b.Part = &part
	if t.CanPair() == nil {
		part.Next = len(t.Rounds) + 1
	}
	if part.Number == 0 {
		part.Warnings = p.Tournaments.Advice(t)
		return nil
	}
	round := t.Rounds[part.Number-1]
	part.Draft, part.Seen = round.Status == tournament.Paired, unquoted(command.RoundTag(round))
	part.Editable = t.Status == tournament.Running && round.Status != tournament.Complete
	if part.Bracket {
		part.Name = bracket.RoundOf(p.Reader(c), t, part.Number)
	}
	part.Over = round.Status == tournament.Complete && part.Next == 0 &&
		(!t.Format.ByEvenings() || len(t.Rounds) >= t.LastRound())
	if part.Editable {
		part.Warnings = p.Tournaments.Review(t, part.Number)
	}
	part.Together = round.Start.Together
	if round.Start.At > p.Now().UnixMilli() {
		part.Begins = round.Start.At
	}
	part.fillBoards(t, round)
	return nil
}

func (part *roundPart) fillBoards(t *tournament.Tournament, round tournament.Round) {
	seats := seatsBefore(t, round.Number)
	warned := map[int]bool{}
	for _, w := range part.Warnings {
		warned[w.Board] = w.Board > 0
	}
	for _, pair := range round.Pairings {
		board := draftBoard{Board: pair.Board, Bye: pair.Bye, Warned: warned[pair.Board], Result: kit.PrettyResult(results.ResultText(t, pair))}
		if pair.Boards != nil && pair.Result != nil {
			board.Result = results.MatchScore(t, pair)
		}
		for _, id := range pair.Seats {
			board.Seats = append(board.Seats, seats[id])
			e, _ := t.Entry(id)
			board.Absent = board.Absent || e.Away(round.Number) != tournament.NoBye
		}
		if pair.Bye != tournament.NoBye {
			part.Byes = append(part.Byes, board)
			continue
		}
		part.Boards = append(part.Boards, board)
		part.Clocks = part.Clocks || t.VenueOf(round.Number, pair) == tournament.OnServer
		if pair.Result == nil && !part.Draft {
			part.Left = append(part.Left, pair.Board)
		}
	}
	for _, e := range t.Unpaired(round.Number) {
		part.Unpaired = append(part.Unpaired, seats[e.ID])
	}
}

// withPlayers reports whether every entry of a pairing has players, so that the server can host its game.
func withPlayers(t *tournament.Tournament, pair tournament.Pairing) bool {
	return !slices.ContainsFunc(pair.Seats, func(id string) bool {
		e, _ := t.Entry(id)
		return len(e.Members) == 0
	})
}

// latest returns the number of the latest round, 0 before the first.
func latest(t *tournament.Tournament) (int, error) { return len(t.Rounds), nil }

// pair draws up the next round.
func (p *Pages) pair(c echo.Context) error {
	f := deskForm{tab: "round", said: "drawn"}
	f.cond = func(t *tournament.Tournament) error {
		if strconv.Itoa(len(t.Rounds)+1) != c.FormValue("round") {
			return tournament.Refuse(tournament.ErrStale, "round %s has been paired", c.FormValue("round"))
		}
		return nil
	}
	return deskRun(p, c, f, command.DrawRound, given(command.None{}))
}

// edit changes the latest round by hand.
func (p *Pages) edit(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "round", said: "changed"}, command.EditRound, func(t *tournament.Tournament) (command.RoundEdit, error) {
		in := command.RoundEdit{Round: len(t.Rounds)}
		edit, err := editOf(c)
		if err != nil {
			return in, err
		}
		in.Edits = []tournament.Edit{edit}
		in.Why, err = forms.Reason(c.FormValue("reason"))
		return in, err
	})
}

// editOf reads the edit of a form: a button names the act, with its board after a colon; boxes name entries.
func editOf(c echo.Context) (edit tournament.Edit, err error) {
	act, board, _ := strings.Cut(c.FormValue("act"), ":")
	if err := c.Request().ParseForm(); err != nil {
		return tournament.Edit{}, kit.ErrUnreadable
	}
	edit = tournament.Edit{Kind: tournament.EditKind(act), Entries: c.Request().PostForm["seat"]}
	switch edit.Kind {
	case tournament.Reseat, tournament.Unpair:
		if edit.Board, err = strconv.Atoi(board); err != nil {
			return edit, kit.ErrUnreadable
		}
		edit.Entries = nil
	case tournament.MoveEntry:
		if edit.Board, err = strconv.Atoi(board); err != nil {
			return edit, kit.ErrUnreadable
		}
	case tournament.GiveBye:
		edit.Bye = tournament.Bye(c.FormValue("bye"))
	}
	return edit, nil
}

// maxStartMinutes is the maximum number of minutes between the publication of a round and the start of its clocks.
const maxStartMinutes = tournament.MaxStartDelay / 60_000

// publish publishes the round that is drawn up: with clocks that start at once, when both players are there, or
// later.
func (p *Pages) publish(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "round", said: "published"}, command.Publish, func(t *tournament.Tournament) (in command.Publication, err error) {
		in.Round = len(t.Rounds)
		in.After, in.Together, err = startOf(c)
		return in, err
	})
}

// startOf reads when the clocks start: after how many ms, and whether before that once both players are there.
func startOf(c echo.Context) (after int64, together bool, err error) {
	when := c.FormValue("start")
	if when == "" || when == "now" {
		return 0, false, nil
	}
	if when != "together" && when != "later" {
		return 0, false, kit.ErrUnreadable
	}
	minutes, err := strconv.ParseInt(strings.TrimSpace(c.FormValue("minutes-"+when)), 10, 64)
	if err != nil || minutes < 1 || minutes > maxStartMinutes {
		return 0, false, tournament.Fault("minutes", "write a number of minutes from 1 to %d", maxStartMinutes)
	}
	return minutes * 60_000, when == "together", nil
}

// drop deletes the latest round if none of its games was played.
func (p *Pages) drop(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "round", said: "dropped"}, command.DropRound, latest)
}

// redraw deletes the latest round and draws it up again, after a change of entries or results.
func (p *Pages) redraw(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "round", said: "drawn"}, command.RedrawRound, latest)
}
