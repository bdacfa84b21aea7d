package apitest

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/tournament/account"
)

// HallEvent starts a tournament of two boards in the hall and returns its path and the codes of its first round.
func HallEvent(t *testing.T, s *Service) (olga Person, path string, codes [][]string) {
	t.Helper()
	olga = s.WithRole("olga", account.RoleOrganiser)
	made := olga.Post("/tournaments",
		`{"name":"Hall","variant":"quixo/duel","format":"round_robin","time_control":"3600","rated":true,"venue":"hall"}`).
		Want(t, http.StatusCreated)
	path = "/tournaments/" + made.Text("id")
	for n := range 4 {
		olga.Post(path+"/entries", fmt.Sprintf(`{"name":"Player %d"}`, n+1)).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	return olga, path, CodesOf(t, olga.Get(path+"/rounds/1/codes"))
}

// CodesOf returns the codes of a round in a list, by board and seat.
func CodesOf(t *testing.T, a *Answer) (codes [][]string) {
	t.Helper()
	a.Want(t, http.StatusOK)
	for i := range a.List("items") {
		var seats []string
		for seat := range a.List("items", i, "codes") {
			seats = append(seats, a.Text("items", i, "codes", seat))
		}
		codes = append(codes, seats)
	}
	return codes
}

// Report is the body of a report by a seat that has just read its board.
func Report(t *testing.T, p Person, code string, seat int, result string) map[string]any {
	t.Helper()
	saw := p.Get("/results/"+code).Want(t, http.StatusOK).Text("reports", seat-1, "saw")
	return map[string]any{"result": result, "saw": saw}
}
