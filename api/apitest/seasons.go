package apitest

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"
)

// LadderOf begins a ladder in the hall with members, has the second challenge the first, and returns its path.
func LadderOf(t *testing.T, by Person, members ...Person) string {
	t.Helper()
	path := "/ladders/" + by.Post("/ladders",
		`{"name":"Club","variant":"quixo/duel","time_control":"none","venue":"hall"}`).
		Want(t, http.StatusCreated).Text("id")
	for _, p := range members {
		p.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	}
	members[1].Post(path+"/challenges", map[string]any{"player_id": members[0].Player}).Want(t, http.StatusCreated)
	return path
}

// LongLived returns the person with a token that does not end while time passes.
func LongLived(p Person) Person { return p.TokenFor("read", "play", "organise") }

// LeagueOf makes a league in the hall with the draft of its first season, and returns its path. Members are named, each
// division in a text.
func LeagueOf(t *testing.T, by Person, format string, divisions ...string) string {
	t.Helper()
	var all []any
	for _, names := range divisions {
		var members []any
		for _, name := range strings.Fields(names) {
			members = append(members, map[string]any{"name": name})
		}
		all = append(all, map[string]any{"members": members})
	}
	settings := map[string]any{"variant": "quixo/duel", "format": format, "time_control": "none", "venue": "hall"}
	if strings.HasPrefix(format, "team") {
		settings["teams"] = map[string]any{"boards": []any{map[string]any{}, map[string]any{}}}
	}
	return "/leagues/" + by.Post("/leagues", map[string]any{
		"name": "Club league", "season": map[string]any{"tournament": settings, "divisions": all, "up": 1, "down": 1},
	}).Want(t, http.StatusCreated).Text("id")
}

// SeasonOf makes a season of parts, by their paths, and returns its path.
func SeasonOf(t *testing.T, by Person, parts ...string) string {
	t.Helper()
	return "/seasons/" + by.Post("/seasons", map[string]any{
		"name": "2026/27", "from": "2026-09-01", "to": "2027-06-30", "parts": PartsOf(parts...),
	}).Want(t, http.StatusCreated).Text("id")
}

// PartsOf returns parts of a season by their paths.
func PartsOf(paths ...string) (parts []any) {
	for _, p := range paths {
		fields := strings.Split(strings.Trim(p, "/"), "/")
		part := map[string]any{"kind": strings.TrimSuffix(fields[0], "s"), "id": fields[1], "weight": "2"}
		if fields[0] == "series" {
			part["kind"] = "series"
		}
		if len(fields) > 2 {
			part["season"] = 1
		}
		parts = append(parts, part)
	}
	return parts
}

// SeriesOf makes a series of tournaments, by their paths, and returns its path.
func SeriesOf(t *testing.T, by Person, events ...string) string {
	t.Helper()
	var parts []any
	for _, event := range events {
		parts = append(parts, map[string]any{"tournament_id": path.Base(event), "factor": "1.5"})
	}
	return "/series/" + by.Post("/series", map[string]any{"name": "Winter", "events": parts}).
		Want(t, http.StatusCreated).Text("id")
}

// PlayOut plays a round-robin of three that players win in the order of a permutation, and returns its path.
func (s *Service) PlayOut(t *testing.T, olga Person, players ...Person) string {
	t.Helper()
	event := "/tournaments/" + olga.Post("/tournaments", `{"name":"Evening","variant":"quixo/duel","format":"round_robin",
		"time_control":"none","venue":"hall","rated":false}`).Want(t, http.StatusCreated).Text("id")
	olga.Post(event+"/open", nil).Want(t, http.StatusOK)
	place := map[string]int{}
	for i, p := range players {
		entry := olga.Post(event+"/entries", map[string]any{"player_id": p.Player, "rating": 1900 - i}).
			Want(t, http.StatusCreated)
		place[entry.Text("id")] = i
	}
	olga.Post(event+"/start", nil).Want(t, http.StatusOK)
	for round := 1; round <= len(players); round++ {
		paired := olga.Post(event+"/rounds", nil).Want(t, http.StatusCreated)
		for i := range paired.List("pairings") {
			if bye, _ := paired.At("pairings", i, "bye").(string); bye != "" {
				continue
			}
			result := "1-0"
			if place[paired.Text("pairings", i, "seats", 0)] > place[paired.Text("pairings", i, "seats", 1)] {
				result = "0-1"
			}
			board := fmt.Sprintf("%s/rounds/%d/pairings/%v/result", event, round, paired.At("pairings", i, "board"))
			olga.Send(http.MethodPut, board, map[string]any{"result": result}, AnyVersion).Want(t, http.StatusOK)
		}
	}
	olga.Post(event+"/finish", nil).Want(t, http.StatusOK)
	return event
}
