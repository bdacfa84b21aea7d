package demo

import (
	"context"
	"fmt"
	"time"
)

// made is the API's answer to a creation.
type made struct {
	ID string `json:"id"`
}

// season begins a club's events from autumn to summer, and leaves them running: Keizer evenings, a ladder, a series of
// the evening's tournaments, and the season that joins them.
func (e *evening) season(ctx context.Context) error {
	keizer, err := e.keizer(ctx)
	if err != nil {
		return fmt.Errorf("the Keizer season: %w", err)
	}
	ladder, err := e.ladder(ctx)
	if err != nil {
		return fmt.Errorf("the ladder: %w", err)
	}
	var series, season made
	events := make([]map[string]string, len(e.cups))
	for i, cup := range e.cups {
		events[i] = map[string]string{"tournament_id": cup.id}
	}
	prix := map[string]any{"name": "Autumn Grand Prix", "best": 4, "events": events}
	if err := e.Post(ctx, "/series", prix, &series); err != nil {
		return fmt.Errorf("the series: %w", err)
	}
	year := time.Now().Year()
	err = e.Post(ctx, "/seasons", map[string]any{
		"name": fmt.Sprintf("%d/%02d", year, (year+1)%100),
		"from": fmt.Sprintf("%d-09-01", year), "to": fmt.Sprintf("%d-06-30", year+1),
		"parts": []map[string]string{
			{"kind": "tournament", "id": keizer}, {"kind": "ladder", "id": ladder}, {"kind": "series", "id": series.ID},
		},
	}, &season)
	if err != nil {
		return fmt.Errorf("the season: %w", err)
	}
	return nil
}

// keizerEvenings is the number of finished evenings of the Keizer season.
const keizerEvenings = 3

// keizer plays some evenings of a Keizer season in the hall, with some players absent.
func (e *evening) keizer(ctx context.Context) (id string, err error) {
	var t made
	err = e.Post(ctx, "/tournaments", map[string]any{
		"name": "Tuesday Keizer", "variant": "quivive/duel", "format": "keizer", "time_control": "none", "venue": "hall",
		"rated": false,
	}, &t)
	path := "/tournaments/" + t.ID
	entries := make([]made, len(e.players))
	for i, p := range e.players {
		if err == nil {
			err = e.Post(ctx, path+"/entries", map[string]string{"player_id": p.ID}, &entries[i])
		}
	}
	if err == nil {
		err = e.Post(ctx, path+"/start", nil, nil)
	}
	for n := 1; n <= keizerEvenings && err == nil; n++ {
		if err = e.Post(ctx, path+"/check-in/open", nil, nil); err == nil {
			err = e.keizerEvening(ctx, path, n, entries)
		}
	}
	return t.ID, err
}

// keizerEvening checks in the players present, and plays the round.
func (e *evening) keizerEvening(ctx context.Context, path string, n int, entries []made) error {
	for i, entry := range entries {
		if (i+n)%5 == 0 { // does not come
			continue
		}
		if err := e.Put(ctx, path+"/entries/"+entry.ID+"/presence", nil, nil); err != nil {
			return err
		}
	}
	if err := e.Post(ctx, path+"/rounds", nil, nil); err != nil {
		return err
	}
	return e.enterSlips(ctx, path, n)
}

// ladder puts the players on a ladder in the hall, with a finished challenge and another that waits.
func (e *evening) ladder(ctx context.Context) (id string, err error) {
	var l made
	var open struct{ Items []made }
	err = e.Post(ctx, "/ladders", map[string]any{
		"name": "Club Ladder", "variant": "quits/duel", "time_control": "none", "venue": "hall",
	}, &l)
	path := "/ladders/" + l.ID
	for _, p := range e.players {
		if err == nil {
			err = p.Post(ctx, path+"/members", map[string]any{}, nil)
		}
	}
	challenger, defender := e.players[3], e.players[1]
	steps := []func() error{
		func() error {
			return challenger.Post(ctx, path+"/challenges", map[string]string{"player_id": defender.ID}, nil)
		},
		func() error { return e.Get(ctx, path+"/challenges", &open) },
		func() error { return e.Post(ctx, path+"/challenges/"+open.Items[0].ID+"/accept", nil, nil) },
		func() error {
			return e.Put(ctx, path+"/challenges/"+open.Items[0].ID+"/result", map[string]any{"score": "1"}, nil)
		},
		func() error {
			return e.players[6].Post(ctx, path+"/challenges", map[string]string{"player_id": e.players[4].ID}, nil)
		},
	}
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	return l.ID, err
}
