package stream

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Events of an account's stream that are about a game. They carry the game as the player may see it.
const (
	EventInvited      = "invited"       // to a game, or to come to the board
	EventGameStarted  = "game_started"  // the clocks run
	EventMyTurn       = "my_turn"       // once a turn
	EventMyNonce      = "my_nonce"      // a commitment, or a nonce, is due from the player
	EventOffer        = "offer"         // of a draw or a takeback by another seat, or its answer
	EventRuling       = "ruling"        // an arbiter stepped in
	EventOpponentGone = "opponent_gone" // ephemeral, as the next
	EventOpponentBack = "opponent_back"
	EventGameOver     = "game_over"
)

// isGone reports whether something is not there any more.
func isGone(err error) bool {
	return errors.Is(err, table.ErrNotFound) || errors.Is(err, tournament.ErrNotFound)
}

// followGame follows a game, and sends its news.
func (a *account) followGame(ctx context.Context, id string) error {
	f := a.followed[id]
	if f == nil {
		f = a.join(id, gameTopic(id)) // before reading, so that nothing is missed
	}
	s, err := a.games.Snapshot(ctx, id)
	if err != nil {
		a.leave(id)
		return err
	}
	f.reader.has(s.Game.Version)
	return a.tell(ctx, f, s, nil)
}

// takeGame sends the events of a game's change; the first change of a game starts following it.
func (a *account) takeGame(ctx context.Context, s *table.Snapshot, n *change) error {
	f := a.followed[s.Game.ID]
	switch {
	case f == nil && !slices.Contains(s.Game.Players, a.player):
		return nil // of a seat that was given up
	case f == nil:
		return a.followGame(ctx, s.Game.ID)
	case slices.Contains(n.events, eventPresence):
		return a.takePresence(ctx, f, s, n)
	}
	return a.tell(ctx, f, s, n)
}

// tell sends the reader the news of a followed game.
func (a *account) tell(ctx context.Context, f *followed, s *table.Snapshot, n *change) error {
	id := s.Game.ID
	seen, known := gameState(a.cursor.seen[id])
	if !known {
		seen = unknown
	}
	if known && seen >= s.Game.Version {
		a.endGame(s)
		return nil
	}
	if !slices.Contains(s.Game.Players, a.player) {
		a.leave(id)
		delete(a.cursor.seen, id)
		return nil
	}
	if s.Game.Status == table.Running && f.connected == 0 {
		f.leave()
		f.leave = a.hub.attend(s, a.player)
		f.connected = a.hub.Connected(id, s.Game.Players)
	}
	a.knows(id, strconv.FormatInt(s.Game.Version, 10))
	var all []AccountEvent
	for _, event := range gameEvents(s, a.player, seen) {
		all = append(all, AccountEvent{Event: event, Game: s, Since: max(seen, 0)})
	}
	a.endGame(s)
	return a.send(ctx, n, all...)
}

// endGame ends the following of a game that is over. It stays in the cursor for a while.
func (a *account) endGame(s *table.Snapshot) {
	if s.Game.Status.Over() {
		a.leave(s.Game.ID)
		a.over[s.Game.ID] = a.hub.Now().UnixMilli()
	}
}

// takePresence sends which opponents have gone or come back.
func (a *account) takePresence(ctx context.Context, f *followed, s *table.Snapshot, n *change) error {
	before, now := f.connected, a.hub.Connected(s.Game.ID, s.Game.Players)
	f.connected = now
	var gone, back bool
	for i, player := range s.Game.Players {
		if player != a.player {
			gone = gone || before>>i&1 == 1 && now>>i&1 == 0
			back = back || before>>i&1 == 0 && now>>i&1 == 1
		}
	}
	var all []AccountEvent
	if gone {
		all = append(all, AccountEvent{Event: EventOpponentGone, Game: s, Since: s.Game.Version})
	}
	if back {
		all = append(all, AccountEvent{Event: EventOpponentBack, Game: s, Since: s.Game.Version})
	}
	if len(all) == 0 || s.Game.Status.Over() {
		return nil
	}
	return a.send(ctx, n, all...)
}

// gameEvents returns the events of a game for a player of the game that knows its log up to a version, -1 for nothing
// of it. It looks only at the public parts of the log: kinds, seats and turns.
func gameEvents(s *table.Snapshot, player string, seen int64) (events []string) {
	mine := s.SeatsOf(player)
	holds := func(seat int8) bool { return slices.Contains(mine, engine.Seat(seat)) }
	var begun, turned int64
	var offer, ruling bool
	for _, line := range s.Lines {
		switch line.Kind {
		case table.LineStart:
			begun, turned = line.N, line.N
		case table.LineResume:
			turned = line.N
		case table.LineOffer, table.LineDecline, table.LineTakebackOffer, table.LineTakebackDecline:
			offer = offer || line.N > seen && !holds(line.Seat)
		}
		if line.Turn < s.Game.Turn {
			turned = max(turned, line.N)
		}
		ruling = ruling || line.N > seen && isRuling(line)
	}
	fresh := seen < 0
	add := func(is bool, event string) {
		if is {
			events = append(events, event)
		}
	}
	running, over := s.Game.Status == table.Running, s.Game.Status.Over()
	due, since := noncesDue(s)
	add(s.Game.Status == table.Waiting && fresh && slices.ContainsFunc(mine, func(seat engine.Seat) bool {
		return s.Game.Invited.Has(int8(seat))
	}), EventInvited)
	add(!over && begun > seen && begun > 0, EventGameStarted)
	add(!fresh && ruling, EventRuling)
	add(!over && !fresh && offer || fresh && s.Game.Offer != 0 && !holds(s.Game.Offer), EventOffer)
	add(since > seen && slices.ContainsFunc(due, holds), EventMyNonce)
	add(running && turned > seen && slices.ContainsFunc(s.Game.Awaited, holds), EventMyTurn)
	add(over, EventGameOver)
	return events
}

// noncesDue returns the seats of a game with nonces that are to send their commitments, or then their nonces, and the line
// that made these due, 0 for the game's creation.
func noncesDue(s *table.Snapshot) (seats []int8, since int64) {
	c := s.Chance(engine.Viewer{})
	if c == nil || len(c.Awaited) == 0 {
		return nil, 0
	}
	committed := c.Commitments[c.Awaited[0]-1] != ""
	for _, line := range s.Lines {
		switch line.Kind {
		case table.LineAccept:
			since = line.N
		case table.LineCommitment, table.LineLapse:
			if committed {
				since = line.N
			}
		}
	}
	return c.Awaited, since
}

// isRuling reports whether a line is an arbiter's act.
func isRuling(line table.Line) bool {
	switch line.Kind {
	case table.LinePause, table.LineResume, table.LineSet, table.LineAdd, table.LineAdjudication:
		return line.By != ""
	case table.LineTakeback:
		return line.Seat == 0
	}
	return false
}
