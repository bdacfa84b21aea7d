package stream

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament"
)

// Matters lists the games and tournaments that concern a player, by ids. Games are those that are not over, and those
// created at a time or later; tournaments those that are open, closed or running.
type Matters interface {
	Games(ctx context.Context, player string, since int64) ([]string, error)
	Tournaments(ctx context.Context, player string) ([]string, error)
	// Answered returns the call for the arbiter from a seat of a board that was answered last; "" for none.
	Answered(ctx context.Context, t *tournament.Tournament, round, board, seat int) (Answer, error)
}

// Answer is an arbiter's answer to a call.
type Answer struct {
	Call   string
	Status string
	At     int64 // ms UTC
}

// AccountEvent is an event of an account's stream, to be rendered.
type AccountEvent struct {
	Event      string
	Player     string
	Game       *table.Snapshot        // of events of a game
	Since      int64                  // the game's lines that the reader knows already
	Tournament *tournament.Tournament // its public part, of events of a tournament
	Round      int
	Pairing    *tournament.Pairing
	Entry      string // of a team that the player is to agree to
	Kind       string // of a notice
	Answer     Answer
}

// RenderAccountEvent makes the data of an event of an account's stream. Of a game it must use nothing but the player's
// own projection.
type RenderAccountEvent func(ctx context.Context, n AccountEvent) ([]byte, error)

// AccountFeed serves the streams of accounts: all that concerns a player, over a single connection.
type AccountFeed struct {
	hub         *Hub
	games       Games
	tournaments Tournaments
	matters     Matters
	render      RenderAccountEvent
}

// AccountFeed returns a feed of the matters of players.
func (h *Hub) AccountFeed(
	games Games, tournaments Tournaments, matters Matters, render RenderAccountEvent,
) *AccountFeed {
	return &AccountFeed{hub: h, games: games, tournaments: tournaments, matters: matters, render: render}
}

const (
	accountQueue = 64
	// overlap is the age, before a reader's last event, up to which created games are looked for again: a change may be
	// published a while after its stamp. A reader's cursor remembers for as long which of them it has got.
	overlap = time.Minute
)

// account is a stream of an account.
type account struct {
	*AccountFeed
	player string
	out    *writer
	inbox  *inbox
	cursor cursor
	listed int64 // when the games were listed last

	answers bool // answers of arbiters are looked for

	followed map[string]*followed // by id of a game or a tournament
	over     map[string]int64     // games that are over, by when the reader learned of it
}

// followed is a subject of the stream.
type followed struct {
	reader *reader
	topic  string
	leave  func() // of a game: ends the player's presence

	connected uint16 // seats of a game with a connected player
	version   int64  // of a tournament, the latest that was looked at
}

// Serve answers with the stream of a player until the reader leaves or loses the right to it. A reader that names its
// last event is sent the events since then; any other reader the state, and then all open matters.
func (f *AccountFeed) Serve(ctx context.Context, w http.ResponseWriter, who Reader) error {
	ctx, done, err := f.hub.admit(ctx)
	if err != nil {
		return err
	}
	defer done()
	f.hub.watching.Add(1)
	defer f.hub.watching.Add(-1)
	a := &account{
		AccountFeed: f, player: who.Player, out: newWriter(w, who.Format), inbox: newInbox(accountQueue),
		followed: map[string]*followed{}, over: map[string]int64{},
	}
	defer a.leaveAll()
	r := f.hub.join(&reader{inbox: a.inbox, lists: true}, OfMatters(who.Player))
	defer f.hub.leave(r, OfMatters(who.Player))
	var resumes bool
	if a.cursor, resumes = parseCursor(who.LastID); !resumes {
		a.cursor = cursor{at: f.hub.Now().UnixMilli(), seen: map[string]string{}}
	}
	a.listed = a.cursor.at
	if !resumes {
		a.listed += overlap.Milliseconds() // games that were over before are none of the reader's
	}
	if err := a.out.begin(); err != nil {
		return nil
	}
	if !resumes && a.send(ctx, nil, AccountEvent{Event: eventState}) != nil || a.list(ctx) != nil {
		return nil
	}
	(&session{hub: f.hub, reader: r, out: a.out}).follow(ctx, nil, a.take)
	return nil
}

// take sends the events of a change. It reports whether to go on.
func (a *account) take(ctx context.Context, n *change) bool {
	var err error
	switch subject := n.subject.(type) {
	case *table.Snapshot:
		err = a.takeGame(ctx, subject, n)
	case *tournament.Tournament:
		if f := a.followed[subject.ID]; f != nil && n.ephemeral && !gathers(subject, a.entryIn(subject)) {
			return true // it comes by its own topic
		}
		err = a.takeTournament(ctx, subject, n)
	default:
		err = a.list(ctx)
	}
	return err == nil
}

// list begins to follow the player's games and tournaments that are not followed yet, and sends their news and the news
// of those that the reader knows.
func (a *account) list(ctx context.Context) error {
	since, now := a.listed-overlap.Milliseconds(), a.hub.Now().UnixMilli()
	games, err := a.matters.Games(ctx, a.player, since)
	if err != nil {
		return err
	}
	tournaments, err := a.matters.Tournaments(ctx, a.player)
	if err != nil {
		return err
	}
	a.listed, a.answers = now, true
	defer func() { a.answers = false }()
	for id, state := range a.cursor.seen {
		if _, isGame := gameState(state); isGame {
			games = append(games, id)
		} else {
			tournaments = append(tournaments, id)
		}
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(tournaments))) {
		t, err := a.tournaments.Tournament(ctx, id)
		if err == nil && t.Status != tournament.Draft {
			err = a.takeTournament(ctx, t.Public(), nil)
		}
		if err != nil && !isGone(err) {
			return err
		}
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(games))) {
		if err := a.followGame(ctx, id); err != nil && !isGone(err) {
			return err
		}
	}
	return nil
}

// join begins to follow a subject.
func (a *account) join(id, topic string) *followed {
	f := &followed{topic: topic, leave: func() {}}
	f.reader = a.hub.join(&reader{inbox: a.inbox}, topic)
	a.followed[id] = f
	return f
}

func (a *account) leave(id string) {
	if f := a.followed[id]; f != nil {
		a.hub.leave(f.reader, f.topic)
		f.leave()
		delete(a.followed, id)
	}
}

func (a *account) leaveAll() {
	for id := range a.followed {
		a.leave(id)
	}
}

// knows notes the state of a subject that the reader has got, and forgets games that have been over for a while.
func (a *account) knows(id, state string) {
	a.cursor.at = max(a.cursor.at, a.hub.Now().UnixMilli())
	a.cursor.seen[id] = state
	for game, at := range a.over {
		if a.cursor.at-at > 2*overlap.Milliseconds() {
			delete(a.over, game)
			delete(a.cursor.seen, game)
		}
	}
}

// send sends the events of a change, or of the reader's own look-up if it is nil; the last event has the reader's
// position as its id, unless they are ephemeral.
func (a *account) send(ctx context.Context, n *change, all ...AccountEvent) error {
	var out bytes.Buffer
	for i, e := range all {
		e.Player = a.player
		data, err := a.data(ctx, n, e)
		if err != nil {
			return err
		}
		id := ""
		if i == len(all)-1 && e.Event != EventOpponentGone && e.Event != EventOpponentBack {
			id = a.cursor.String()
		}
		out.Grow(len(data) + len(id) + 64)
		a.out.form.write(&out, e.Event, id, data)
	}
	if err := ctx.Err(); err != nil || out.Len() == 0 { // rendering may have taken its time
		return err
	}
	return a.out.send(out.Bytes())
}

// data returns the data of an event, rendered once for all streams that need the same, such as those of a player.
func (a *account) data(ctx context.Context, n *change, e AccountEvent) ([]byte, error) {
	key := frameKey{feed: a.AccountFeed, since: e.Since}
	switch {
	case n != nil && e.Game != nil && n.subject == e.Game:
		key.class = e.Game.Viewer(e.Player)
	case n != nil && e.Tournament != nil && n.subject == e.Tournament:
		same := e
		same.Tournament, same.Pairing = nil, nil // of the change, and of the player in it
		key.class = same
	default:
		return a.render(ctx, e)
	}
	return n.share(ctx, key, func(ctx context.Context) ([]byte, error) { return a.render(ctx, e) })
}

// gameState returns the version of a game in a cursor; false for the state of a tournament.
func gameState(state string) (version int64, ok bool) {
	version, err := strconv.ParseInt(state, 10, 64)
	return version, err == nil
}
