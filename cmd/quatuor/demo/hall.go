package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// slips are what is written on the slips of boards in the hall, draws less often than the others.
var slips = []string{"1-0", "0-1", "1-0", "0-1", "1/2-1/2"}

// playInHall enters the results of a tournament that is played on boards in the hall, as the organiser reads them from
// the slips. The first round is published already.
func (e *evening) playInHall(ctx context.Context, tournament string, rounds int) error {
	chance := rand.New(rand.NewPCG(e.seed, uint64(rounds)))
	for number := 1; number <= rounds; number++ {
		path := fmt.Sprintf("%s/rounds/%d", tournament, number)
		var round struct {
			Pairings []struct {
				Board int      `json:"board"`
				Seats []string `json:"seats"`
			} `json:"pairings"`
		}
		if number > 1 {
			if err := e.Post(ctx, tournament+"/rounds", nil, nil); err != nil {
				return err
			}
		}
		if err := e.Get(ctx, path, &round); err != nil {
			return err
		}
		for _, pair := range round.Pairings {
			if len(pair.Seats) < 2 {
				continue
			}
			address := fmt.Sprintf("%s/pairings/%d/result", path, pair.Board)
			if err := e.enterResult(ctx, address, slips[chance.IntN(len(slips))]); err != nil {
				return err
			}
			e.counts.inHall++
		}
	}
	return nil
}

// enterResult sets the result of a board by hand.
func (e *evening) enterResult(ctx context.Context, address, result string) error {
	body, err := json.Marshal(map[string]string{"result": result})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, e.Base+"/api/v1"+address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+e.Token)
	request.Header.Set("If-Match", "*")
	return e.Do(ctx, request, nil)
}
