package bots

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/player"
	"quatuor/engine/table"
)

// attend does the present work of a game's bots; the next step triggers it again.
func (b *Bots) attend(ctx context.Context, bot *player.Bot, game string, waiting int) error {
	s, err := b.tables.Snapshot(ctx, game)
	if err != nil {
		return err
	}
	if s.Game.Status == table.Waiting {
		return b.addToSeed(ctx, s)
	}
	if s.Game.Status != table.Running || s.Match == nil {
		return nil
	}
	if err := b.answer(ctx, s); err != nil {
		return err
	}
	bots := s.Game.Bots()
	for _, seat := range s.Match.Pending().Awaited {
		if !bots.Has(int8(seat)) {
			continue
		}
		if err := b.move(ctx, bot, s, seat, waiting); err != nil {
			return err
		}
	}
	return nil
}

// move makes the move of a seat.
func (b *Bots) move(ctx context.Context, bot *player.Bot, s *table.Snapshot, seat engine.Seat, waiting int) error {
	level := table.BotLevel(s.Game.Players[seat-1])
	start := time.Now()
	seen := player.See(s.Match, seat)
	if left, ok := b.left(s, seat); ok && left < hurry {
		level = 1
	}
	move := b.choose(bot, seen, level, secret(s, seat, "seed of choices"), b.budget(s, seat, start, waiting))
	thought := time.Since(start)
	_, err := b.tables.Play(ctx, b.tables.Arrive(s.Game.ID), table.Move{
		Act: table.Act{Game: s.Game.ID, Seat: int8(seat)}, Turn: s.Match.Turn(), Token: string(move),
	})
	if outdated(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("level %d, seat %d, move %s: %w", level, seat, move, err)
	}
	b.Moved(level, thought)
	return nil
}

// outdated reports whether an act was refused because the game has gone on: another process was faster, a flag fell, an
// arbiter acted. The change triggers the bots again.
func outdated(err error) bool {
	return slices.ContainsFunc([]error{
		table.ErrStaleTurn, table.ErrGameOver, table.ErrFlagFallen, table.ErrPaused, table.ErrNotStarted, table.ErrConflict,
		table.ErrNoTakebackOffer, table.ErrNonceEarly, table.ErrNonceGiven, table.ErrNonceLate, engine.ErrTurn,
		engine.ErrOver,
	}, func(known error) bool { return errors.Is(err, known) })
}

// choose returns the bot's move: the first legal move where the bot fails or panics.
func (b *Bots) choose(
	bot *player.Bot, seen player.Seen, level int, seed [32]byte, budget player.Budget,
) (move engine.Move) {
	move = seen.Legal[0]
	defer func() {
		if fault := recover(); fault != nil {
			*bot = *player.New() // it may have stopped in the middle of a search
			b.Logger.Error("a bot failed and made the first legal move", "variant", seen.Variant, "level", level, "fault", fault)
		}
	}()
	choice, err := bot.Choose(seen, level, binary.BigEndian.Uint64(seed[:]), budget)
	if err != nil {
		b.Logger.Error("a bot made the first legal move", "variant", seen.Variant, "level", level, "error", err)
		return move
	}
	return choice.Move
}

const (
	// hurry is the time on its clock that makes a bot move without thinking.
	hurry = 250 * time.Millisecond
	// clockShare is the part of the time left that a bot thinks at most: 1 / clockShare.
	clockShare = 20
	// minThink is the minimum time that level 3 thinks when many games wait.
	minThink = 5 * time.Millisecond
)

// left returns the time on a seat's clock; false if it has no limit.
func (b *Bots) left(s *table.Snapshot, seat engine.Seat) (time.Duration, bool) {
	now := b.tables.Time().UnixMilli()
	r := s.Clock(int8(seat), now)
	return time.Duration(r.Deadline-now) * time.Millisecond, r.HasDeadline
}

// budget returns level 3's budget for a move. It yields to other goroutines between positions, so that requests are
// answered first.
func (b *Bots) budget(s *table.Snapshot, seat engine.Seat, start time.Time, waiting int) player.Budget {
	if b.Nodes > 0 {
		return player.Budget{Nodes: b.Nodes}
	}
	left, limited := b.left(s, seat)
	think := b.think(left, limited, waiting)
	return player.Budget{Stop: func() bool {
		runtime.Gosched()
		return time.Since(start) >= think
	}}
}

// think returns the time to think: less the more games wait, and only a part of the time on the clock.
func (b *Bots) think(left time.Duration, limited bool, waiting int) time.Duration {
	think := max(b.Think/time.Duration(1+waiting/b.Workers), minThink)
	if limited {
		think = min(think, left/clockShare)
	}
	return think
}

// secret returns 32 bytes that only the server can know where the game has secrets, the same each time for a turn of a
// seat.
func secret(s *table.Snapshot, seat engine.Seat, use string) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%d", use, s.Game.SeedHex, s.Game.ID, seat, s.Game.Turn))
}

// addToSeed sends the bots' parts of the seed of a game: they have to be the same after a restart, so they come from
// the server's own seed. That is no worse than none, for the server knows both.
func (b *Bots) addToSeed(ctx context.Context, s *table.Snapshot) error {
	if !s.Game.Nonces || s.Game.Invited != 0 || s.Match != nil {
		return nil
	}
	for seat := int8(1); int(seat) <= s.Game.Seats; seat++ {
		if !s.Game.Bots().Has(seat) {
			continue
		}
		nonce := chance.Nonce(secret(s, engine.Seat(seat), "nonce"))
		n := table.Nonce{Act: table.Act{Game: s.Game.ID, Seat: seat}, Nonce: nonce, Commitment: nonce.Commitment()}
		if _, err := b.tables.CommitNonce(ctx, b.tables.Arrive(s.Game.ID), n); err != nil && !outdated(err) {
			return err
		}
		if _, err := b.tables.SendNonce(ctx, b.tables.Arrive(s.Game.ID), n); err != nil && !outdated(err) {
			return err
		}
	}
	return nil
}

// answer declines a draw offer and agrees to a takeback, for a side without a person. In a tournament it agrees to no
// takeback.
func (b *Bots) answer(ctx context.Context, s *table.Snapshot) error {
	draw, back := s.Game.Offer, s.TakebackOffer()
	if s.Game.Tournament != nil {
		back = 0 // there a move counts, however generous the opponent
	}
	for _, question := range []struct {
		by  int8
		act func(context.Context, *table.Arrival, table.Act) (*table.Snapshot, error)
	}{{draw, b.tables.Decline}, {back, b.tables.AgreeBack}} {
		seat := answering(s, question.by)
		if seat == 0 {
			continue
		}
		_, err := question.act(ctx, b.tables.Arrive(s.Game.ID), table.Act{Game: s.Game.ID, Seat: seat})
		if err != nil && !outdated(err) {
			return err
		}
	}
	return nil
}

// answering returns the seat of a bot that answers a question of a seat to the other side: 0 without a question, or if
// a person sits there.
func answering(s *table.Snapshot, by int8) (answers int8) {
	if by == 0 {
		return 0
	}
	info := s.Info()
	for seat := int8(1); int(seat) <= s.Game.Seats; seat++ {
		if info.SideOf(engine.Seat(seat)) == info.SideOf(engine.Seat(by)) {
			continue
		}
		if !s.Game.Bots().Has(seat) {
			return 0
		}
		answers = seat
	}
	return answers
}
