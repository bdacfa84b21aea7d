package main

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
)

// keizerCase is a case of `quatuor season keizer`.
type keizerCase struct {
	ID      string         `json:"id"`
	Players []keizerPlayer `json:"players"`
	Rounds  []*keizerRound `json:"rounds"`
	Present []int          `json:"present,omitempty"`
}

type keizerPlayer struct {
	N      int `json:"n"`
	Rating int `json:"rating"`
}

type keizerRound struct {
	Games   []keizerGame `json:"games,omitempty"`
	Bye     []int        `json:"bye,omitempty"`
	Duty    []int        `json:"duty,omitempty"`
	Forfeit []int        `json:"forfeit,omitempty"`
	NoShow  []int        `json:"noshow,omitempty"`
}

type keizerGame struct {
	W int `json:"w"`
	B int `json:"b"`
	R int `json:"r"`
}

type keizerAnswer struct {
	Order  []int
	Values []int
	Totals []string
	Pairs  [][2]int
	Bye    *int
}

// exportedEvent is the part of a tournament's export that is compared.
type exportedEvent struct {
	Entries []struct {
		ID, Name string
		Number   int
		Rating   float64
	}
	Rounds []exportedRound
}

type exportedRound struct {
	Number   int
	Pairings []struct {
		Board       int
		Seats       []string
		Bye, Result string
	}
}

// keizerSeason is a Keizer season in the hall.
type keizerSeason struct {
	*autumn
	path    string
	entries []string         // ids by number
	entered []map[int]string // acknowledged results of each evening, by board
}

// keizer plays a Keizer season with a number of evenings and players, and returns its tournament.
func (x *autumn) keizer(evenings, players int) string {
	x.Helper()
	k := &keizerSeason{autumn: x}
	id := x.create("/tournaments", map[string]any{
		"name": "Keizer", "variant": "quixo/duel", "format": "keizer", "time_control": "900", "venue": "hall", "rated": true,
		"pairing": map[string]any{"keizer": map[string]any{"silence": "no_notice"}},
	})
	k.path = "/tournaments/" + id
	late := players / 10
	for range players - late {
		k.enter()
	}
	x.must(x.olga, http.MethodPost, k.path+"/start", nil, nil)
	x.must(x.olga, http.MethodPost, k.path+"/check-in/open", nil, nil)
	for n := 1; n <= evenings; n++ {
		if n > 1 && len(k.entries) < players {
			k.enter()
		}
		k.evening(n, n%2 == 0)
		x.evenings++
		x.pass(7 * day)
	}
	return id
}

// enter enters a further player.
func (k *keizerSeason) enter() {
	k.Helper()
	p := k.people[len(k.entries)]
	var made struct{ ID string }
	k.must(k.olga, http.MethodPost, k.path+"/entries", map[string]any{
		"player_id": p.ID, "rating": 2000 - 15*len(k.entries) - k.chance.IntN(15),
	}, nil).into(k, &made)
	k.entries = append(k.entries, made.ID)
}

// evening plays an evening; with kill a program is killed at a random moment.
func (k *keizerSeason) evening(n int, kill bool) {
	k.Helper()
	if kill {
		k.killWithin(len(k.entries) * 3 / 2)
	}
	present := k.checkIn()
	var want keizerAnswer
	if n > 1 {
		c := k.exported()
		c.Present = present
		k.computed("keizer", c, &want)
	}
	k.must(k.olga, http.MethodPost, k.path+"/rounds", nil, func() bool { return len(k.rounds()) == n })
	rounds := k.rounds()
	k.same("rounds", len(rounds), n)
	drawn := rounds[n-1]
	if n > 1 {
		pairs, bye := k.pairs(drawn)
		k.same(fmt.Sprint("the pairs of evening ", n), pairs, want.Pairs)
		k.same(fmt.Sprint("the bye of evening ", n), bye, want.Bye)
	}
	k.entered = append(k.entered, map[int]string{})
	seen := map[string]bool{}
	for _, p := range drawn.Pairings {
		for _, id := range p.Seats {
			if seen[id] {
				k.differences++
				k.Errorf("evening %d has %s twice", n, id)
			}
			seen[id] = true
		}
		if p.Bye == "" {
			k.score(n, p.Board)
			k.results++
		}
	}
	k.agrees()
	if n > 2 {
		old := 1 + k.chance.IntN(n-1)
		boards := slices.Sorted(maps.Keys(k.entered[old-1]))
		k.score(old, boards[k.chance.IntN(len(boards))])
		k.corrections++
		k.agrees()
	}
}

// checkIn announces each entry as present or absent, and returns the numbers of those present.
func (k *keizerSeason) checkIn() (present []int) {
	k.Helper()
	for i, id := range k.entries {
		path := k.path + "/entries/" + id + "/presence"
		switch k.chance.IntN(10) {
		case 0:
			k.must(k.olga, http.MethodDelete, path+"?bye=ZPB", nil, nil)
		case 1:
			k.must(k.olga, http.MethodDelete, path+"?bye=CLUB", nil, nil)
		case 2: // nothing is known: absent without notice
		default:
			k.must(k.olga, http.MethodPut, path, nil, nil)
			present = append(present, i+1)
		}
	}
	return present
}

// score enters a result, or another than there was.
func (k *keizerSeason) score(round, board int) {
	k.Helper()
	before := k.entered[round-1][board]
	result := before
	for result == before {
		result = []string{"1-0", "0-1", "1/2-1/2", "1-0", "0-1", "+--", "--+"}[k.chance.IntN(7)]
	}
	path := fmt.Sprintf("%s/rounds/%d/pairings/%d/result", k.path, round, board)
	k.must(k.olga, http.MethodPut, path, map[string]any{"result": result, "reason": "as seen"}, nil)
	k.entered[round-1][board] = result
}

// rounds returns the rounds as they are exported.
func (k *keizerSeason) rounds() []exportedRound { return k.event().Rounds }

func (k *keizerSeason) event() (e exportedEvent) {
	k.Helper()
	k.get(k.path+"/export?format=json", &e)
	return e
}

// exported is the season as a case, from the tournament's export alone.
func (k *keizerSeason) exported() (c keizerCase) {
	k.Helper()
	doc := k.event()
	c.ID = "autumn"
	number := map[string]int{}
	for _, e := range doc.Entries {
		number[e.ID] = e.Number
		c.Players = append(c.Players, keizerPlayer{e.Number, int(math.Round(e.Rating))})
	}
	for _, exported := range doc.Rounds {
		r := &keizerRound{}
		for _, p := range exported.Pairings {
			a := number[p.Seats[0]]
			switch p.Bye {
			case "PAB":
				r.Bye = append(r.Bye, a)
			case "CLUB":
				r.Duty = append(r.Duty, a)
			case "NOSHOW":
				r.NoShow = append(r.NoShow, a)
			case "":
				r.game(a, number[p.Seats[1]], p.Result)
			}
		}
		c.Rounds = append(c.Rounds, r)
	}
	return c
}

// game adds a game with its result.
func (r *keizerRound) game(white, black int, result string) {
	switch result {
	case "+--":
		r.Forfeit, r.NoShow = append(r.Forfeit, white), append(r.NoShow, black)
	case "--+":
		r.Forfeit, r.NoShow = append(r.Forfeit, black), append(r.NoShow, white)
	default:
		half := map[string]int{"1-0": 2, "0-1": 0, "1/2-1/2": 1}[result]
		r.Games = append(r.Games, keizerGame{white, black, half})
	}
}

// pairs returns the pairs of a round by numbers, and the bye.
func (k *keizerSeason) pairs(r exportedRound) (pairs [][2]int, bye *int) {
	for _, p := range r.Pairings {
		number := func(seat int) int { return slices.Index(k.entries, p.Seats[seat]) + 1 }
		switch p.Bye {
		case "":
			pairs = append(pairs, [2]int{number(0), number(1)})
		case "PAB":
			alone := number(0)
			bye = &alone
		}
	}
	return pairs, bye
}

// agrees demands that each acknowledged result is exported, and that the table follows from the export.
func (k *keizerSeason) agrees() {
	k.Helper()
	for _, r := range k.rounds() {
		results := map[int]string{}
		for _, p := range r.Pairings {
			if p.Bye == "" {
				results[p.Board] = p.Result
			}
		}
		k.same(fmt.Sprint("the results of evening ", r.Number), results, k.entered[r.Number-1])
	}
	var want keizerAnswer
	k.computed("keizer", k.exported(), &want)
	var table struct {
		Rows []struct {
			Rank      int
			Entry     struct{ ID string }
			TieBreaks []string `json:"tie_breaks"`
		}
	}
	k.get(k.path+"/standings", &table)
	var got keizerAnswer
	for i, row := range table.Rows {
		k.same("a rank", row.Rank, i+1)
		var value int
		if _, err := fmt.Sscan(row.TieBreaks[1], &value); err != nil {
			k.Fatal(err)
		}
		got.Order = append(got.Order, slices.Index(k.entries, row.Entry.ID)+1)
		got.Totals, got.Values = append(got.Totals, row.TieBreaks[0]), append(got.Values, value)
	}
	k.same("the Keizer table", got, want)
}
