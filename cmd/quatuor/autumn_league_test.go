package main

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// hallEvent is a tournament in the hall, with results from its desk.
type hallEvent struct {
	*autumn
	path    string
	entries map[string]string // names by id
	results map[string]string // acknowledged, by round and board
}

// play starts a tournament and plays its rounds with random results; an old result is corrected, and an entry may
// withdraw after the first round.
func (x *autumn) play(id, withdraws string, kill bool) *hallEvent {
	x.Helper()
	h := &hallEvent{autumn: x, path: "/tournaments/" + id, entries: map[string]string{}, results: map[string]string{}}
	for _, e := range h.event().Entries {
		h.entries[e.ID] = e.Name
	}
	x.must(x.olga, http.MethodPost, h.path+"/start", nil, func() bool { return h.status() != "registration" })
	for round := 1; ; round++ {
		if kill && round%2 == 1 {
			x.killWithin(2 + len(h.entries)/2)
		}
		paired := x.act(x.olga, http.MethodPost, h.path+"/rounds", nil)
		rounds := h.event().Rounds
		if !paired.done() && len(rounds) < round {
			break
		}
		x.same("rounds of "+id, len(rounds), round)
		for _, p := range rounds[round-1].Pairings {
			if p.Bye == "" && p.Result == "" {
				h.score(round, p.Board)
				x.results++
			}
		}
		if name := h.entries[withdraws]; round == 1 && name != "" {
			x.must(x.olga, http.MethodPost, h.path+"/entries/"+withdraws+"/withdraw", nil, nil)
		}
		if round == 2 && x.chance.IntN(2) == 0 {
			for board := range rounds[0].Pairings {
				if _, played := h.results[fmt.Sprint(1, " ", board+1)]; played {
					h.score(1, board+1)
					x.corrections++
					break
				}
			}
		}
	}
	x.must(x.olga, http.MethodPost, h.path+"/finish", nil, func() bool { return h.status() == "finished" })
	exported := map[string]string{}
	for _, r := range h.event().Rounds {
		for _, p := range r.Pairings {
			key := fmt.Sprint(r.Number, " ", p.Board)
			if _, entered := h.results[key]; entered {
				exported[key] = p.Result
			}
		}
	}
	x.same("the results of "+id, exported, h.results)
	return h
}

func (h *hallEvent) score(round, board int) {
	h.Helper()
	path := fmt.Sprintf("%s/rounds/%d/pairings/%d/result", h.path, round, board)
	result := []string{"1-0", "0-1", "1/2-1/2", "1-0", "0-1"}[h.chance.IntN(5)]
	h.must(h.olga, http.MethodPut, path, map[string]any{"result": result, "reason": "as seen"}, nil)
	h.results[fmt.Sprint(round, " ", board)] = result
}

func (h *hallEvent) event() (e exportedEvent) {
	h.Helper()
	h.get(h.path+"/export?format=json", &e)
	return e
}

func (h *hallEvent) status() string {
	h.Helper()
	var t struct{ Status string }
	h.get(h.path, &t)
	return t.Status
}

// ranking returns the final ranking of a tournament, by names, in groups that share places, without entries that
// withdrew.
func (x *autumn) ranking(id string) (groups [][]string) {
	x.Helper()
	var table struct {
		Rows []struct {
			Rank, Out int
			Entry     struct{ Name string }
		}
	}
	x.get("/tournaments/"+id+"/standings", &table)
	last := 0
	for _, row := range table.Rows {
		switch row.Rank {
		case 0:
		case last:
			groups[len(groups)-1] = append(groups[len(groups)-1], row.Entry.Name)
		default:
			groups = append(groups, []string{row.Entry.Name})
		}
		last = row.Rank
	}
	return groups
}

// leagueSeason is a season of a league, as it is shown.
type leagueSeason struct {
	Confirmed, Over bool
	Divisions       []struct {
		TournamentID string `json:"tournament_id"`
		Members      []struct {
			Name string
			Rank int
			Then string
		}
	}
	Leaving []struct{ Name string }
}

func named(names ...string) (out []map[string]string) {
	for _, name := range names {
		out = append(out, map[string]string{"name": name})
	}
	return out
}

// newLeague makes a league in the hall with the draft of its first season, and returns it.
func (x *autumn) newLeague(size int) string {
	x.Helper()
	var divisions []map[string]any
	for d := range 3 {
		var names []string
		for i := range size {
			names = append(names, fmt.Sprintf("%c%d", 'A'+d, i+1))
		}
		divisions = append(divisions, map[string]any{"members": named(names...)})
	}
	return x.create("/leagues", map[string]any{"name": "League", "season": map[string]any{
		"tournament": map[string]any{
			"variant": "quixo/duel", "format": "round_robin", "time_control": "none", "venue": "hall",
		},
		"divisions": divisions, "up": 1, "down": 1,
	}})
}

// confirm confirms a draft, and demands that each division has its tournament with its members.
func (x *autumn) confirm(season string) leagueSeason {
	x.Helper()
	x.must(x.olga, http.MethodPost, season+"/confirm", nil, func() bool { return x.season(season).Confirmed })
	s := x.season(season)
	for _, d := range s.Divisions {
		var e exportedEvent
		x.get("/tournaments/"+d.TournamentID+"/export?format=json", &e)
		var entered, members []string
		for _, entry := range e.Entries {
			entered = append(entered, entry.Name)
		}
		for _, m := range d.Members {
			members = append(members, m.Name)
		}
		slices.Sort(entered)
		slices.Sort(members)
		x.same("the entries of a division", entered, members)
	}
	x.made["/tournaments"] += len(s.Divisions)
	return s
}

// league plays two seasons of a league in the hall, with members that withdraw, leave and join, and returns it.
func (x *autumn) league(size int) string {
	x.Helper()
	id := x.newLeague(size)
	path := "/leagues/" + id + "/seasons"
	for season := 1; season <= 2; season++ {
		at := fmt.Sprintf("%s/%d", path, season)
		x.killWithin(1)
		for d, division := range x.confirm(at).Divisions {
			withdraws := ""
			if season == 1 && d == 0 {
				var e exportedEvent
				x.get("/tournaments/"+division.TournamentID+"/export?format=json", &e)
				withdraws = e.Entries[x.chance.IntN(len(e.Entries))].ID
			}
			x.play(division.TournamentID, withdraws, d == season-1)
		}
		x.killWithin(1)
		next := fmt.Sprintf("%s/%d", path, season+1)
		x.must(x.olga, http.MethodPost, path, nil, func() bool { return len(x.season(next).Divisions) > 0 })
		x.moves(x.season(at), next, season)
	}
	return id
}

func (x *autumn) season(path string) (s leagueSeason) {
	x.Helper()
	r := x.act(x.olga, http.MethodGet, path, nil)
	if r.done() {
		r.into(x, &s)
	}
	return s
}

// moves compares a draft with the command line's for the same season, before and after members leave and others join.
func (x *autumn) moves(before leagueSeason, draft string, season int) {
	x.Helper()
	ended := map[string]any{"id": "autumn", "up": 1, "down": 1}
	var divisions [][]string
	var leaving []string
	for _, d := range before.Divisions {
		ranked := slices.Concat(x.ranking(d.TournamentID)...)
		members := slices.Clone(d.Members)
		slices.SortStableFunc(members, func(a, b struct {
			Name string
			Rank int
			Then string
		},
		) int {
			return cmp.Compare(a.Rank, b.Rank)
		})
		var names, left []string
		for _, m := range members {
			if m.Then == "leaves" {
				left = append(left, m.Name)
			} else {
				names = append(names, m.Name)
			}
		}
		leaving = append(leaving, left...)
		ranked = slices.DeleteFunc(ranked, func(name string) bool { return slices.Contains(left, name) })
		x.same("the members of a division by rank", names, ranked)
		divisions = append(divisions, append(names, left...))
	}
	x.same("who withdrew leaves", len(leaving), map[int]int{1: 1, 2: 0}[season])
	ended["divisions"], ended["leaving"] = divisions, leaving
	x.drafted(draft, ended)
	goes := divisions[1][x.chance.IntN(len(divisions[1]))]
	joins := []string{fmt.Sprint("Y", season), fmt.Sprint("Z", season)}
	x.must(x.olga, http.MethodPatch, draft, map[string]any{"leaving": named(goes), "joining": named(joins...)}, nil)
	ended["leaving"], ended["joining"] = append(leaving, goes), joins
	x.drafted(draft, ended)
}

func (x *autumn) drafted(draft string, ended any) {
	x.Helper()
	var want struct{ Divisions [][]string }
	x.computed("league", ended, &want)
	var got [][]string
	for _, d := range x.season(draft).Divisions {
		var names []string
		for _, m := range d.Members {
			names = append(names, m.Name)
		}
		got = append(got, names)
	}
	x.same("the draft "+draft, got, want.Divisions)
}

// prixEvent is an event of a case of `quatuor season prix`.
type prixEvent struct {
	Ranking [][]string `json:"ranking"`
	Factor  string     `json:"factor"`
}

type prixRow struct {
	Player string
	Rank   int
	Points string
}

// series plays three events of a series, the last with a greater factor, and returns it.
func (x *autumn) series(players int) string {
	x.Helper()
	var parts []map[string]string
	var events []prixEvent
	for i, factor := range []string{"1", "1", "1.5"} {
		id := x.create("/tournaments", map[string]any{
			"name": fmt.Sprint("Event ", i+1), "variant": "quixo/duel", "format": "round_robin", "time_control": "900",
			"venue": "hall", "rated": true,
		})
		x.must(x.olga, http.MethodPost, "/tournaments/"+id+"/open", nil, nil)
		for k, p := range x.people[:players] {
			if k%4 != i || k == 0 { // a player misses each
				entry := map[string]any{"player_id": p.ID, "rating": 1900 - k}
				x.must(x.olga, http.MethodPost, "/tournaments/"+id+"/entries", entry, nil)
			}
		}
		x.play(id, "", true)
		parts = append(parts, map[string]string{"tournament_id": id, "factor": factor})
		events = append(events, prixEvent{x.ranking(id), factor})
	}
	x.killWithin(1)
	id := x.create("/series", map[string]any{"name": "Grand prix", "events": parts, "best": 2})
	var shown struct {
		Standings []struct {
			Name, Points string
			Rank         int
		}
	}
	x.get("/series/"+id, &shown)
	var got []prixRow
	for _, row := range shown.Standings {
		got = append(got, prixRow{row.Name, row.Rank, row.Points})
	}
	x.prix("the series", got, events, 2)
	return id
}

// prix compares standings with the command line, and the points with the words of the regulation.
func (x *autumn) prix(what string, got []prixRow, events []prixEvent, best int) {
	x.Helper()
	var want struct{ Standings []prixRow }
	x.computed("prix", map[string]any{"id": "autumn", "events": events, "best": best}, &want)
	byName := func(a, b prixRow) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.Player, b.Player))
	}
	slices.SortFunc(got, byName)
	slices.SortFunc(want.Standings, byName)
	x.same(what, got, want.Standings)
	points := prixModel(events, best)
	x.same("the players of "+what, len(got), len(points))
	for _, row := range got {
		x.same("the points of "+row.Player+" in "+what, row.Points, points[row.Player])
	}
}

// together puts all parts into a season, and compares its table with the points of its parts.
func (x *autumn) together(parts []map[string]any) {
	x.Helper()
	x.killWithin(1)
	id := x.create("/seasons", map[string]any{"name": "Autumn", "from": "2026-09-01", "to": "2027-06-30", "parts": parts})
	var shown struct {
		Parts []struct {
			Weight string
			Rows   []struct {
				Rank    int
				Players []struct{ Name string }
			}
		}
		Standings []struct {
			Name, Points string
			Rank         int
		}
	}
	x.get("/seasons/"+id, &shown)
	x.same("the parts of the season", len(shown.Parts), len(parts))
	var events []prixEvent
	for i, part := range shown.Parts {
		e := prixEvent{Factor: part.Weight}
		last := 0
		for _, row := range part.Rows {
			if row.Rank != last {
				e.Ranking = append(e.Ranking, nil)
			}
			last = row.Rank
			for _, p := range row.Players {
				e.Ranking[len(e.Ranking)-1] = append(e.Ranking[len(e.Ranking)-1], p.Name)
			}
		}
		if len(e.Ranking) == 0 {
			x.Errorf("part %d of the season is empty", i)
		}
		events = append(events, e)
	}
	var got []prixRow
	for _, row := range shown.Standings {
		got = append(got, prixRow{row.Name, row.Rank, row.Points})
	}
	x.prix("the season", got, events, 0)
	page, err := http.Get(x.live[0].URL + "/seasons/" + id)
	if err != nil {
		x.Fatal(err)
	}
	defer page.Body.Close()
	x.same("the page of the season", page.StatusCode, http.StatusOK)
}
