package main

import (
	"fmt"
	"net/http"
	"time"

	"quatuor/cmd/quatuor/harness"
)

// ladderEvent is an event of a ladder, as it is exported.
type ladderEvent struct {
	At     int64    `json:"at"`
	Type   string   `json:"type"`
	ID     string   `json:"id,omitempty"`
	From   string   `json:"from,omitempty"`
	To     string   `json:"to,omitempty"`
	Score  *float64 `json:"score,omitempty"`
	Was    *float64 `json:"was,omitempty"`
	Made   bool     `json:"made,omitempty"`
	Player string   `json:"player,omitempty"`
}

// String is everything but the time.
func (e ladderEvent) String() string {
	text := fmt.Sprint(e.Type, " ", e.ID, e.From, e.To, e.Player)
	for _, score := range []*float64{e.Score, e.Was} {
		if score != nil {
			text += fmt.Sprint(" ", *score)
		}
	}
	return text
}

// ladderEnd is the end of a challenge.
type ladderEnd struct {
	At    int64
	ID    string
	End   string
	Order []string
}

// ladderPlay is a ladder in the hall.
type ladderPlay struct {
	*autumn
	path    string
	members map[string]harness.Player
	own     []ladderEvent // acknowledged
	again   int64         // days
}

// ladder plays a ladder with a number of members for some days, and returns it.
func (x *autumn) ladder(days, members int) string {
	x.Helper()
	l := &ladderPlay{autumn: x, members: map[string]harness.Player{}, again: 5}
	id := x.create("/ladders", map[string]any{
		"name": "Ladder", "variant": "quixo/duel", "time_control": "none", "venue": "hall", "again": l.again,
	})
	l.path = "/ladders/" + id
	for _, p := range x.people[:members] {
		l.join(p)
	}
	for n := range days {
		if n%3 == 0 {
			l.killWithin(12)
		}
		for range 4 {
			l.challenge()
			l.answer()
			l.answer()
			l.pass(time.Duration(1+l.chance.IntN(6*3600)) * time.Second)
		}
		switch n % 20 {
		case 3:
			l.correct()
		case 10:
			l.join(x.people[members+n/20])
		case 15:
			l.leave()
		}
		if n%5 == 4 || n == days-1 {
			l.agrees()
		}
	}
	for range 3 { // deadlines come while no program lives
		l.challenge()
	}
	for len(x.live) > 0 {
		x.kill(0)
	}
	x.pass(4 * day)
	x.start()
	l.agrees()
	l.notPlayed()
	return id
}

// notPlayed has a challenge accepted and not played: the challenger may challenge again only after the time that games
// may take.
func (l *ladderPlay) notPlayed() {
	l.Helper()
	l.pass(15 * day) // which ends all bars to a challenge
	order := l.order()
	from, to, other := order[2], order[1], order[0]
	l.try(from, to)
	id := l.open()[0].ID
	l.note(l.act(l.members[to], http.MethodPost, l.path+"/challenges/"+id+"/accept", nil), ladderEvent{Type: "accept", ID: id})
	l.pass(7 * day)
	l.same("a challenger whose challenge was not played may challenge at once", l.try(from, other), false)
	l.pass(7 * day)
	l.same("a challenger whose challenge was not played may challenge later", l.try(from, other), true)
	l.agrees()
}

// note notes an act that was acknowledged. An act that was refused when it was sent again was carried out at first, or
// would have been refused then: the export decides.
func (l *ladderPlay) note(r reply, e ladderEvent) {
	l.Helper()
	switch {
	case r.done():
	case r.status != http.StatusConflict:
		l.Fatalf("%v: %d %s", e, r.status, r.raw)
	case r.sent == 1 || len(l.exported()) == len(l.own):
		return
	}
	if e.Type == "challenge" {
		l.challenges++
		e.Made = true
		for _, c := range l.open() {
			if c.ChallengerID == e.From {
				e.ID = c.ID
			}
		}
	}
	l.own = append(l.own, e)
}

func (l *ladderPlay) exported() []ladderEvent {
	l.Helper()
	var c struct{ Events []ladderEvent }
	l.get(l.path+"/events", &c)
	return c.Events
}

func (l *ladderPlay) join(p harness.Player) {
	l.Helper()
	l.members[p.ID] = p
	r := l.act(p, http.MethodPost, l.path+"/members", map[string]any{})
	l.note(r, ladderEvent{Type: "join", Player: p.ID})
}

func (l *ladderPlay) leave() {
	l.Helper()
	order := l.order()
	id := order[l.chance.IntN(len(order))]
	r := l.act(l.members[id], http.MethodDelete, l.path+"/members/"+id, nil)
	l.note(r, ladderEvent{Type: "leave", Player: id})
}

// order returns the members from the top.
func (l *ladderPlay) order() (order []string) {
	l.Helper()
	var shown struct {
		Rows []struct {
			PlayerID string `json:"player_id"`
		}
	}
	l.get(l.path, &shown)
	for _, row := range shown.Rows {
		order = append(order, row.PlayerID)
	}
	return order
}

type openChallenge struct {
	ID           string
	ChallengerID string `json:"challenger_id"`
	PlayerID     string `json:"player_id"`
	Accepted     bool
	GameID       string `json:"game_id"`
}

func (l *ladderPlay) open() []openChallenge {
	l.Helper()
	var list struct{ Items []openChallenge }
	l.get(l.path+"/challenges", &list)
	return list.Items
}

// challenge lets a random member challenge a member up to four places above, or a place below. The model decides
// whether it may.
func (l *ladderPlay) challenge() {
	l.Helper()
	order := l.order()
	from := l.chance.IntN(len(order))
	if to := from - 4 + l.chance.IntN(6); to >= 0 && to < len(order) {
		l.try(order[from], order[to])
	}
}

// try lets a member challenge another, and returns whether it was permitted.
func (l *ladderPlay) try(from, to string) bool {
	l.Helper()
	may := l.model().may(l.clock.now().Unix(), from, to)
	r := l.act(l.members[from], http.MethodPost, l.path+"/challenges", map[string]any{"player_id": to})
	before := len(l.own)
	l.note(r, ladderEvent{Type: "challenge", From: from, To: to})
	permitted := len(l.own) > before
	l.same(fmt.Sprint("a challenge is permitted: ", string(r.raw)), permitted, may)
	return permitted
}

// answer does something with a random open challenge, or nothing.
func (l *ladderPlay) answer() {
	l.Helper()
	open := l.open()
	if len(open) == 0 {
		return
	}
	c := open[l.chance.IntN(len(open))]
	path := l.path + "/challenges/" + c.ID
	switch chance := l.chance.IntN(10); {
	case !c.Accepted && chance < 2:
		l.note(l.act(l.members[c.PlayerID], http.MethodPost, path+"/decline", nil), ladderEvent{Type: "decline", ID: c.ID})
	case !c.Accepted && chance < 6:
		l.note(l.act(l.members[c.PlayerID], http.MethodPost, path+"/accept", nil), ladderEvent{Type: "accept", ID: c.ID})
	case c.Accepted && chance < 5:
		score, said := l.score()
		by := l.olga
		if l.chance.IntN(3) > 0 {
			first := l.act(l.members[c.ChallengerID], http.MethodPut, path+"/result", said)
			if !first.done() {
				l.Fatalf("the first report is refused: %s", first.raw)
			}
			by = l.members[c.PlayerID]
		}
		l.note(l.act(by, http.MethodPut, path+"/result", said), ladderEvent{Type: "result", ID: c.ID, Score: &score})
	}
}

func (l *ladderPlay) score() (score float64, body map[string]any) {
	score = float64(l.chance.IntN(3)) / 2
	return score, map[string]any{"score": fmt.Sprint(score)}
}

// correct corrects a random result.
func (l *ladderPlay) correct() {
	l.Helper()
	var results []int
	for i, e := range l.own {
		if e.Type == "result" {
			results = append(results, i)
		}
	}
	if len(results) == 0 {
		return
	}
	e := &l.own[results[l.chance.IntN(len(results))]]
	score, body := l.score()
	l.must(l.olga, http.MethodPut, l.path+"/challenges/"+e.ID+"/result", body, nil)
	if score != *e.Score && e.Was == nil {
		e.Was = e.Score
	}
	e.Score = &score
	l.corrections++
}

// model runs the model over what was exported.
func (l *ladderPlay) model() *ladderModel {
	l.Helper()
	m := newLadderModel(3, 3, 7, l.again)
	for _, e := range l.exported() {
		m.event(e)
	}
	m.settle(l.clock.now().Unix())
	return m
}

// agrees compares what was acknowledged with what is exported, and the ladder and its log with the command line and the
// model.
func (l *ladderPlay) agrees() {
	l.Helper()
	exported := l.exported()
	l.same("what was done on the ladder", fmt.Sprint(exported), fmt.Sprint(l.own))
	var shown struct {
		Items []struct {
			At          time.Time
			ChallengeID string `json:"challenge_id"`
			End         string
			Order       []string
		}
	}
	line := l.get(l.path+"/events", nil)
	var computed struct {
		Order []string
		Log   []struct {
			At             int64
			Challenge, End string
			Order          []string
			Refused        string
		}
	}
	l.computedFrom("ladder", line, &computed)
	var log, want []ladderEnd
	l.get(l.path+"/log", &shown)
	ended := map[string]bool{}
	for _, e := range shown.Items {
		log = append(log, ladderEnd{e.At.Unix(), e.ChallengeID, e.End, e.Order})
		if ended[e.ChallengeID] {
			l.differences++
			l.Errorf("the challenge %s was settled twice", e.ChallengeID)
		}
		ended[e.ChallengeID] = true
	}
	for _, e := range computed.Log {
		if e.Refused == "closed" { // the end of a game that came too late
			continue
		}
		want = append(want, ladderEnd{e.At, e.Challenge, e.End, e.Order})
	}
	model := l.model()
	l.same("the log of the ladder, and of the command line", log, want)
	l.same("the log of the ladder, and of the model", log, model.log)
	l.same("the ladder, and the command line", l.order(), computed.Order)
	l.same("the ladder, and the model", l.order(), model.order)
}
