package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
)

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
