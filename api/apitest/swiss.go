package apitest

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/tournament/account"
)

// SwissEvent is a Swiss tournament over the board; its entries are called by a letter each.
type SwissEvent struct {
	S    *Service
	Olga Person // runs it
	Path string
	ID   map[string]string // by name
	Name map[string]string // by id
}

// NewSwiss starts a Swiss with these entries in the order of their strength.
func NewSwiss(t *testing.T, rounds int, names ...string) *SwissEvent {
	t.Helper()
	s := New(t)
	e := &SwissEvent{
		S: s, Olga: s.WithRole("olga", account.RoleOrganiser), ID: map[string]string{}, Name: map[string]string{},
	}
	made := e.Olga.Post("/tournaments", map[string]any{
		"name": "Open", "variant": "quixo/duel", "format": "swiss", "rounds": rounds, "time_control": "300+3",
		"tie_breaks": []string{"WIN", "WON", "BPG"}, "pairing": map[string]any{"initial_colour": "white"},
	}).Want(t, http.StatusCreated)
	e.Path = "/tournaments/" + made.Text("id")
	e.Olga.Post(e.Path+"/open", nil).Want(t, http.StatusOK)
	for i, name := range names {
		e.Enter(t, name, 2000-10*i)
	}
	return e
}

// Enter enters a player by name.
func (e *SwissEvent) Enter(t *testing.T, name string, rating int) {
	t.Helper()
	id := e.Olga.Post(e.Path+"/entries", map[string]any{"name": name, "rating": rating}).Want(t, http.StatusCreated).
		Text("id")
	e.ID[name], e.Name[id] = id, name
}

// Entry returns the path of an entry.
func (e *SwissEvent) Entry(name string) string { return e.Path + "/entries/" + e.ID[name] }

// Round returns the path of a round.
func (e *SwissEvent) Round(n int) string { return fmt.Sprintf("%s/rounds/%d", e.Path, n) }

// Board returns the path of a board.
func (e *SwissEvent) Board(n, board int) string {
	return fmt.Sprintf("%s/pairings/%d/result", e.Round(n), board)
}

// Draw draws the next round up without publishing it.
func (e *SwissEvent) Draw(t *testing.T) *Answer {
	t.Helper()
	return e.Olga.Post(e.Path+"/rounds", `{"publish":false}`).Want(t, http.StatusCreated)
}

// Pair pairs the next round and publishes it.
func (e *SwissEvent) Pair(t *testing.T) *Answer {
	t.Helper()
	return e.Olga.Post(e.Path+"/rounds", nil).Want(t, http.StatusCreated)
}

// Set enters a result, whatever the board has.
func (e *SwissEvent) Set(t *testing.T, n, board int, result string) *Answer {
	t.Helper()
	return e.Olga.Send(http.MethodPut, e.Board(n, board), map[string]any{"result": result}, AnyVersion).
		Want(t, http.StatusOK)
}
