package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/textbot"
	"quatuor/engine"
	"quatuor/engine/player/arena"
)

// serverGames plays games of a series on a server: each program by an account of its own, that of a bot.
type serverGames struct {
	series   arena.Series
	programs []*serverProgram
}

// serverProgram is a program with its account.
type serverProgram struct {
	harness.Player
	program *textbot.Program
	faults  []error
}

// newServerGames opens the accounts.
func newServerGames(
	ctx context.Context, url string, series arena.Series, programs []*textbot.Program,
) (*serverGames, error) {
	s := &serverGames{series: series}
	for _, p := range programs {
		player, err := harness.RegisterBot(ctx, client.New(url, nil), "bot-"+rand.Text()[:12], rand.Text(), p.Name)
		if err != nil {
			return nil, fmt.Errorf("an account for %s: %w", p.Name, err)
		}
		s.programs = append(s.programs, &serverProgram{Player: player, program: p})
	}
	return s, nil
}

// play plays game number n, from 0. A game that is void counts as a draw.
func (s *serverGames) play(ctx context.Context, n int) (arena.Game, error) {
	game := arena.Game{Levels: s.series.LevelsOf(n)}
	seats := make([]map[string]any, len(game.Levels))
	for i, level := range game.Levels {
		if n, ok := arena.ProgramOf(level); ok {
			seats[i] = map[string]any{"player_id": s.programs[n].ID}
		} else {
			seats[i] = map[string]any{"bot": level}
		}
	}
	var opened client.Game
	err := s.programs[0].Post(ctx, "/games", map[string]any{
		"variant": s.series.Rules.Info().ID, "time_control": "600", "start": "now", "seats": seats,
	}, &opened)
	if err != nil {
		return game, err
	}
	var over client.Game
	group, playing := errgroup.WithContext(ctx)
	for i, p := range s.programs {
		p.faults = nil
		group.Go(func() error {
			end, err := p.play(playing, opened.ID)
			if i == 0 {
				over = end
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return game, err
	}
	game.Plies, game.Ranks = over.Plies, slices.Repeat([]int{1}, len(seats))
	if over.Outcome != nil {
		game.Reason = engine.Reason(over.Outcome.Reason)
		if over.Outcome.Ranks != nil {
			game.Ranks = *over.Outcome.Ranks
		}
	}
	for _, p := range s.programs {
		game.Faults = append(game.Faults, p.faults...)
		p.program.Over(&engine.Outcome{Ranks: game.Ranks, Reason: game.Reason})
	}
	return game, nil
}

// play makes the program's moves in a game until that is over.
func (p *serverProgram) play(ctx context.Context, id string) (client.Game, error) {
	for e, err := range p.Events(ctx, "/me/events") {
		if err != nil {
			return client.Game{}, err
		}
		game, err := client.Data[client.Game](e)
		if err != nil || game.ID != id {
			continue // about something else
		}
		switch e.Name {
		case "game_over":
			return game, nil
		case "my_turn":
			if err := p.move(ctx, game); err != nil {
				return game, err
			}
		}
	}
	return client.Game{}, errors.New("the stream of the account ended")
}

// move makes the program's moves of a turn, or resigns where it has none. A refusal means that the game has changed.
func (p *serverProgram) move(ctx context.Context, game client.Game) error {
	for name, legal := range game.Legal {
		seat, err := strconv.Atoi(name)
		if err != nil {
			return err
		}
		t := textbot.Turn{
			Variant: game.Variant, Seats: len(game.Seats), Seat: engine.Seat(seat), View: game.View,
			Left: p.program.MoveTime(),
		}
		if game.Position != nil {
			t.Position = *game.Position
		}
		if left := game.Seats[seat-1].RemainingMs; left != nil {
			t.Left = min(t.Left, time.Duration(*left)*time.Millisecond)
		}
		for _, token := range legal {
			t.Legal = append(t.Legal, engine.Move(token))
		}
		move, err := p.program.Move(t)
		if err == nil {
			err = p.Post(ctx, "/games/"+game.ID+"/moves", map[string]any{"seat": seat, "turn": game.Turn, "move": move}, nil)
		} else {
			p.faults = append(p.faults, fmt.Errorf("seat %d, turn %d: %w", seat, game.Turn, err))
			err = p.Post(ctx, "/games/"+game.ID+"/resign", map[string]any{"seat": seat}, nil)
		}
		var refused *client.Problem
		if err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	return nil
}
