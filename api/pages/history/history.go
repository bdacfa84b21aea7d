// Package history serves the history of a tournament: its acts, with the time and the person.
package history

import (
	"context"
	"errors"
	"html/template"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/scoring"
)

// Pages are the histories of tournaments.
type Pages struct{ *kit.Kit }

// New returns the histories of tournaments.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the page to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{"/tournaments/:id/history": p.history})
}

// body holds the data of the history of a tournament.
type body struct {
	*tournament.Tournament
	Staff bool // the visitor is on its staff, and sees everything
	Lines []Line
	Older int // how many acts are older than those shown; also where the next page begins
}

// Line is an act.
type Line struct {
	tournament.Act
	Before, After string   // results as score sheets write them
	Entry         string   // the name of the entry that it was about
	Seats         []string // the players at the board now
	Login         string   // for staff: the person
	Server        bool
	Place         string        // the text that names the board, as tables and matches of teams are called otherwise
	What          string        // in words, but for results
	Because       template.HTML // the reason; the server's are in the reader's language, or marked as English
}

// ByPlayers reports whether the players of a board did it.
func (l Line) ByPlayers() bool { return l.By == scoring.PlayersAccount }

// Corrected reports whether it replaced another result.
func (l Line) Corrected() bool { return l.Before != "" && l.After != "" }

func (p *Pages) history(c echo.Context) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	t, staff, err := access.Tournament(ctx, p.Tournaments, c.Param("id"), who)
	if err != nil {
		return err
	}
	t = access.View(who, t)
	acts, err := access.Acts(ctx, p.Tournaments, t, staff)
	if err != nil {
		return err
	}
	to := len(acts)
	if text := c.QueryParam("to"); text != "" {
		if to, err = strconv.Atoi(text); err != nil || to < 1 || to > len(acts) {
			return kit.ErrMissing
		}
	}
	body := body{Tournament: t, Staff: staff, Older: max(0, to-kit.PageLength)}
	logins := map[string]string{}
	for _, act := range slices.Backward(acts[body.Older:to]) {
		line := ActLine(t, act, p.Reader(c))
		if staff && !line.Server && act.By != scoring.PlayersAccount {
			if line.Login, err = p.LoginOf(ctx, act.By, logins); err != nil {
				return err
			}
		}
		body.Lines = append(body.Lines, line)
	}
	return p.Show(c, "history", "tournaments", body)
}

// ActLine returns an act as a line of the history.
func ActLine(t *tournament.Tournament, act tournament.Act, in *message.Printer) Line {
	line := Line{
		Act: act, Before: kit.PrettyResult(act.Before),
		After: kit.PrettyResult(act.After), Server: act.By == tournament.ServerAccount,
		Place: kit.AtTable("history.board", t.AtTables()),
	}
	if t.Format.Teams() {
		line.Place = "history.board_match"
	}
	if e, ok := t.Entry(act.Entry); ok {
		line.Entry = e.Name
	}
	line.Because = Because(in, act)
	name := line.Entry
	if name == "" {
		name = kit.Say(in, "history.gone")
	}
	line.What = kit.Say(in, "history."+textOf(act), "Entry", name, "Round", act.Round, "After", line.After)
	if act.Board > 0 {
		// The board may be gone, if its round was deleted.
		if pair, err := t.Pairing(act.Round, act.Board); err == nil {
			for _, id := range pair.Seats {
				e, _ := t.Entry(id)
				line.Seats = append(line.Seats, e.Name)
			}
		}
	}
	return line
}

// textOf returns the name of the text for an act, without its board.
func textOf(act tournament.Act) string {
	switch {
	case act.Kind == tournament.ActVenue && act.After == string(tournament.InHall):
		return "in_hall"
	case act.Kind == tournament.ActVenue:
		return "on_server"
	case act.Kind == tournament.ActRecord && act.After != "":
		return "record_added"
	case act.Kind == tournament.ActRecord:
		return "record_removed"
	}
	return string(act.Kind)
}

// Told returns the act as a line of text.
func (l Line) Told(in *message.Printer) string {
	if l.Board == 0 {
		return l.What
	}
	return kit.Say(in, l.Place, "Round", l.Round, "Board", l.Board) + ": " + l.What
}

// Because returns the reason of an act as markup. The server's oldest reasons were stored in English only.
func Because(in *message.Printer, act tournament.Act) template.HTML {
	if said := act.Said.Sentence(); !said.IsZero() {
		return in.TellHTML(said)
	}
	words := act.By == tournament.ServerAccount
	if words {
		if own := in.TextOr("", "words.reason."+act.Why); own != "" {
			return in.TellHTML(sentence.Typed(own))
		}
	}
	switch act.Kind {
	case tournament.ActEnterAll, tournament.ActImport, tournament.ActUndo:
		words = true
	default:
	}
	if words && act.Why != "" {
		escaped := template.HTMLEscapeString(act.Why)
		return template.HTML(`<span lang="en">` + escaped + `</span>`) //nolint:gosec // it is escaped
	}
	return in.TellHTML(sentence.Typed(act.Why))
}

// LoginOf returns an account's login, "" for an account that is gone.
func (p *Pages) LoginOf(ctx context.Context, id string, known map[string]string) (string, error) {
	login, ok := known[id]
	if ok {
		return login, nil
	}
	found, err := p.Players.Account(ctx, id)
	if err != nil && !errors.Is(err, account.ErrNotFound) {
		return "", err
	}
	known[id] = found.Login
	return found.Login, nil
}
