package apitest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"quatuor/tournament/account"
)

// Scene is a club with a tournament in several stages, and its visitors.
type Scene struct {
	*Service
	Olga, Root Person
	Visitors   []visiting
	Emil       Person
}

type visiting struct {
	Name string
	Person
	Plays, Staff bool
}

// NewScene opens the accounts of the scene, without a tournament.
func NewScene(t *testing.T, change ...func(*Config)) *Scene {
	s := &Scene{Service: New(t, append(change, WithPages)...)}
	s.Olga, s.Root = s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	s.Emil = s.Register("emil")
	s.Visitors = []visiting{
		{"nobody", s.Anonymous(), false, false},
		{"a player of the tournament", s.Register("anna"), true, false},
		{"another player", s.Register("paul"), true, false},
		{"another organiser", s.WithRole("otto", account.RoleOrganiser), true, false},
		{"the arbiter", s.Register("arno"), true, true},
		{"the organiser", s.Olga, false, true},
		{"an admin", s.Root, false, true},
	}
	return s
}

// stages are those of [scene.prepare], each after the stage before.
var stages = []string{
	"draft", "open", "registered", "entered", "checking", "started", "drawn", "published", "withdrawn", "played",
	"finished",
}

// Prepare makes a tournament that has come to a stage, and returns its id and that of Anna's entry.
func (s *Scene) Prepare(t *testing.T, stage string, entered []string) (id, entry string) {
	t.Helper()
	olga, until := s.Olga, slices.Index(stages, stage)
	id = olga.Post("/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300+3", "venue": "hall",
		"pairing": map[string]any{"initial_colour": "white"},
	}).Want(t, http.StatusCreated).Text("id")
	at := "/tournaments/" + id
	olga.Send(http.MethodPut, at+"/arbiters", `{"logins":["arno"]}`, AnyVersion).Want(t, http.StatusOK)
	do := map[string]func(){
		"open": func() { olga.Post(at+"/open", nil).Want(t, http.StatusOK) },
		"registered": func() {
			entry = s.Visitors[1].Post(at+"/entries", map[string]any{"player_id": s.Visitors[1].Person.Player}).
				Want(t, http.StatusCreated).Text("id")
		},
		"entered": func() {
			olga.Post(at+"/entries/"+entry+"/confirm", nil).Want(t, http.StatusOK)
			for _, player := range entered {
				olga.Post(at+"/entries", map[string]any{"player_id": player}).Want(t, http.StatusCreated)
			}
		},
		"checking": func() {
			if stage == "checking" {
				olga.Post(at+"/check-in/open", nil).Want(t, http.StatusOK)
			}
		},
		"started":   func() { olga.Post(at+"/start", nil).Want(t, http.StatusOK) },
		"drawn":     func() { olga.Post(at+"/rounds", `{"publish":false}`).Want(t, http.StatusCreated) },
		"published": func() { olga.Post(at+"/rounds/1/publish", nil).Want(t, http.StatusOK) },
		"withdrawn": func() {
			if stage == "withdrawn" {
				olga.Post(at+"/entries/"+entry+"/withdraw", nil).Want(t, http.StatusOK)
			}
		},
		"played": func() {
			for board := 1; board <= 2; board++ {
				olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", at, board), `{"result":"1-0"}`, AnyVersion).
					Want(t, http.StatusOK)
			}
		},
		"finished": func() { olga.Post(at+"/finish", nil).Want(t, http.StatusOK) },
	}
	for i, name := range stages {
		if 0 < i && i <= until {
			do[name]()
		}
	}
	return id, entry
}
