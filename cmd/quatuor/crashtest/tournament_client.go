package crashtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"

	"github.com/google/uuid"
)

// tournamentClient holds round-robins in turn: rounds come by themselves, and every game ends soon by resignation, so
// that the server is busy ending games and pairing rounds.
type tournamentClient struct {
	gameClient
	crowd *crowd
	olga  *client.Client
	name  string
	held  int
	cup   string // id
	steps []step // that lead to the first round
	ended bool   // the tournament is finished; its standings are to be read
}

// step is a request on the way to the first round.
type step struct {
	path   string
	body   any
	status int
}

func (a *tournamentClient) act(ctx context.Context) error {
	switch {
	case a.pending != nil:
		return a.finish(ctx)
	case a.cup == "" && a.crowd.closing.Load():
		return errDone
	case a.cup == "":
		a.announce()
		return nil
	case len(a.steps) > 0:
		a.prepare()
		return nil
	case a.ended:
		return a.readStandings(ctx)
	}
	return a.playOn(ctx)
}

// announce has a new tournament created.
func (a *tournamentClient) announce() {
	a.held++
	name := fmt.Sprintf("%s, no. %d", a.name, a.held)
	a.pending = &request{
		by: a.olga, path: "/tournaments", key: uuid.NewString(),
		body: encoded(map[string]any{
			"name": name, "variant": "quixo/duel", "format": "round_robin", "time_control": "300+3", "rated": true,
			"auto_rounds": true,
		}),
		settle: created(func(raw []byte) error {
			var made struct{ ID string }
			err := json.Unmarshal(raw, &made)
			a.cup = made.ID
			a.history.cups[a.cup] = &cupHistory{name: name, points: map[string]int{}}
			return err
		}),
	}
	a.steps = []step{{"/open", nil, http.StatusOK}}
	for _, p := range a.players {
		a.steps = append(a.steps, step{"/entries", map[string]string{"player_id": p.ID}, http.StatusCreated})
	}
	a.steps = append(a.steps, step{"/start", nil, http.StatusOK}, step{"/rounds", nil, http.StatusCreated})
}

// prepare takes the next step. Sent a second time, it may find that it was taken.
func (a *tournamentClient) prepare() {
	s := a.steps[0]
	r := &request{by: a.olga, path: "/tournaments/" + a.cup + s.path, key: uuid.NewString(), body: encoded(s.body)}
	r.settle = func(status int, _ []byte) error {
		taken := r.sent > 1 && (status == http.StatusConflict || status == http.StatusUnprocessableEntity)
		if status != s.status && !taken {
			return errUnexpected
		}
		a.steps = a.steps[1:]
		return nil
	}
	a.pending = r
}

// roundView is a round as the API shows it.
type roundView struct {
	Number   int    `json:"number"`
	Status   string `json:"status"`
	Pairings []struct {
		GameID string `json:"game_id"`
		Result string `json:"result"`
	} `json:"pairings"`
}

// playOn takes the next step in the first open game, or ends the tournament. The effects of a round's end may take a
// moment, but not long, whatever was interrupted.
func (a *tournamentClient) playOn(ctx context.Context) error {
	const resultTimeout = 10 * time.Second
	for deadline := time.Now().Add(resultTimeout); ; {
		var rounds struct {
			Items []roundView `json:"items"`
		}
		if err := look(ctx, a.olga, "/tournaments/"+a.cup+"/rounds", &rounds); err != nil {
			return err
		}
		open := 0
		for _, r := range rounds.Items {
			for _, p := range r.Pairings {
				if p.Result != "" {
					continue
				}
				open++
				if acted, err := a.playIn(ctx, p.GameID); acted || err != nil {
					return err
				}
			}
		}
		if open == 0 && len(rounds.Items) == len(a.players)-1 {
			return a.finishCup(ctx, rounds.Items)
		}
		rest(ctx, 5*time.Millisecond) // for the server to finish its work
		if time.Now().After(deadline) {
			return fmt.Errorf("tournament %s: an interrupted step was not finished: %+v", a.cup, rounds.Items)
		}
	}
}

// playIn makes the next request in a tournament game, unless it is about to be opened, or over and its result on the
// way.
func (a *tournamentClient) playIn(ctx context.Context, game string) (acted bool, err error) {
	var g harness.Game
	err = a.see(ctx, a.olga, game, &g)
	var refusal *client.Problem
	switch {
	case errors.As(err, &refusal) && refusal.Status == http.StatusNotFound:
		return false, nil
	case err != nil || g.Over() || len(g.Awaited) == 0: // or about to start
		return false, err
	}
	return true, a.decide(ctx, g, g.Turn > 2+a.chance.IntN(4), false)
}

// finishCup counts the points, by the resignations in the history, and declares the tournament finished.
func (a *tournamentClient) finishCup(ctx context.Context, rounds []roundView) error {
	points := map[string]int{}
	for _, r := range rounds {
		for _, p := range r.Pairings {
			var g harness.Game
			if err := look(ctx, a.olga, "/games/"+p.GameID, &g); err != nil {
				return err
			}
			a.history.note(func() {
				winner := g.Seats[2-a.history.game(p.GameID).resigned[0]].Player.ID // seats count from 1: the other of two
				points[a.crowd.names[winner]]++
			})
		}
	}
	a.history.note(func() { a.history.cups[a.cup].points = points })
	r := &request{by: a.olga, path: "/tournaments/" + a.cup + "/finish", key: uuid.NewString()}
	r.settle = func(status int, _ []byte) error {
		if status != http.StatusOK && (r.sent == 1 || status != http.StatusConflict) {
			return errUnexpected
		}
		a.ended = true
		return nil
	}
	a.pending = r
	return nil
}

// readStandings writes the standings of the finished tournament down; they must not change any more.
func (a *tournamentClient) readStandings(ctx context.Context) error {
	var table standingsView
	if err := look(ctx, a.olga, "/tournaments/"+a.cup+"/standings", &table); err != nil {
		return err
	}
	a.history.note(func() {
		cup := a.history.cups[a.cup]
		cup.standings = fmt.Sprint(table.Rows)
		a.history.comparePoints(cup, table)
	})
	a.cup, a.ended = "", false
	return nil
}
