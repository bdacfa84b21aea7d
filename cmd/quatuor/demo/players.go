package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// tally counts the events of the demo.
type tally struct {
	moves    atomic.Int64
	refused  atomic.Int64
	finished atomic.Int64
	inHall   int // games on boards in the hall, before the others
	mu       sync.Mutex
	reasons  map[string]int
}

func (t *tally) over(reason string) {
	t.finished.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reasons[reason]++
}

// player is a player of the evening, with a client of its own.
type player struct {
	harness.Player
	name   string
	temper temper
	counts *tally
	seed   uint64
}

// temper describes a player's deviations from steady play.
type temper struct {
	sleepsIn string // variant that it loses on time in the first round, without a move
	gaveUpIn string // variant that it resigns in the first round after some moves
}

// giveUpTurn is the turn of a planned resignation.
const giveUpTurn = 12

// lookInterval is the time between a player's looks for new games.
const lookInterval = 100 * time.Millisecond

// play takes part in every game of the evening until ctx ends: it looks for its running games and plays each in a
// goroutine of its own, as a person with several browser tabs would.
func (p *player) play(ctx context.Context) error {
	failed := make(chan error, 1)
	var playing sync.WaitGroup
	defer playing.Wait()
	seen := map[string]bool{}
	ticker := time.NewTicker(lookInterval)
	defer ticker.Stop()
	for {
		var list struct {
			Items []harness.Game `json:"items"`
		}
		if err := p.Get(ctx, "/games?status=running&player="+p.ID, &list); err != nil {
			return p.unlessDone(ctx, err)
		}
		for _, g := range list.Items {
			if seen[g.ID] {
				continue
			}
			seen[g.ID] = true
			playing.Go(func() {
				if err := p.unlessDone(ctx, p.playGame(ctx, g.ID)); err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			})
		}
		select {
		case err := <-failed:
			return err
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// unlessDone drops errors caused by the end of the evening.
func (p *player) unlessDone(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("%s: %w", p.name, err)
}

// playGame follows a game's stream and moves whenever it is awaited.
func (p *player) playGame(ctx context.Context, id string) error {
	chance := rand.New(rand.NewPCG(p.seed, uint64(len(id))))
	for _, c := range id {
		chance = rand.New(rand.NewPCG(p.seed^uint64(c), chance.Uint64()))
	}
	played := 0
	return p.Follow(ctx, "/games/"+id+"/events", func(data []byte) (bool, error) {
		var g harness.Game
		if err := json.Unmarshal(data, &g); err != nil || g.ID == "" {
			return false, err // a ping
		}
		if g.Over() {
			if g.SeatOf(p.ID) == 1 && g.Outcome != nil {
				p.counts.over(g.Outcome.Reason)
			}
			return true, nil
		}
		if g.Turn <= played {
			return false, nil
		}
		moved, err := p.answer(ctx, g, chance)
		if moved {
			played = g.Turn
		}
		return false, err
	})
}

// answer makes a move if the player is awaited. Now and then it tries a nonsensical move first; the server's refusal
// costs nothing.
func (p *player) answer(ctx context.Context, g harness.Game, chance *rand.Rand) (moved bool, err error) {
	seat := g.SeatOf(p.ID)
	legal := g.Legal[strconv.Itoa(seat)]
	firstRound := g.Tournament != nil && g.Tournament.Round == 1
	switch {
	case len(legal) == 0:
		return false, nil
	case firstRound && g.Variant == p.temper.sleepsIn:
		return true, nil
	case firstRound && g.Variant == p.temper.gaveUpIn && g.Turn >= giveUpTurn:
		return true, p.Post(ctx, "/games/"+g.ID+"/resign", map[string]int{"seat": seat}, nil)
	}
	if chance.IntN(40) == 0 {
		err := p.move(ctx, g, seat, "c3-c3")
		var refusal *client.Problem
		if !errors.As(err, &refusal) {
			return false, fmt.Errorf("a nonsensical move was not refused: %v", err)
		}
		p.counts.refused.Add(1)
	}
	err = p.move(ctx, g, seat, legal[chance.IntN(len(legal))])
	var refusal *client.Problem
	if errors.As(err, &refusal) && refusal.Status == http.StatusConflict {
		return false, nil // the game has moved on; the stream brings the change
	}
	if err == nil {
		p.counts.moves.Add(1)
	}
	return true, err
}

func (p *player) move(ctx context.Context, g harness.Game, seat int, token string) error {
	return p.Post(ctx, "/games/"+g.ID+"/moves", map[string]any{"seat": seat, "turn": g.Turn, "move": token}, nil)
}

// slips are the results on the slips of boards in the hall, draws less often than the others.
var slips = []string{"1-0", "0-1", "1-0", "0-1", "1/2-1/2"}

// playInHall enters the results of a tournament that is played on boards in the hall, as the organiser reads them from
// the slips. The first round is published already.
func (e *evening) playInHall(ctx context.Context, tournament string, rounds int) error {
	for number := 1; number <= rounds; number++ {
		if number > 1 {
			if err := e.Post(ctx, tournament+"/rounds", nil, nil); err != nil {
				return err
			}
		}
		if err := e.enterSlips(ctx, tournament, number); err != nil {
			return err
		}
	}
	return nil
}

// enterSlips enters the results of a round.
func (e *evening) enterSlips(ctx context.Context, tournament string, number int) error {
	chance := rand.New(rand.NewPCG(e.seed, uint64(number)))
	path := fmt.Sprintf("%s/rounds/%d", tournament, number)
	var round struct {
		Pairings []struct {
			Board int      `json:"board"`
			Seats []string `json:"seats"`
		} `json:"pairings"`
	}
	if err := e.Get(ctx, path, &round); err != nil {
		return err
	}
	for _, pair := range round.Pairings {
		if len(pair.Seats) < 2 {
			continue
		}
		address := fmt.Sprintf("%s/pairings/%d/result", path, pair.Board)
		result := map[string]string{"result": slips[chance.IntN(len(slips))]}
		if err := e.Put(ctx, address, result, nil); err != nil {
			return err
		}
		e.counts.inHall++
	}
	return nil
}
