package stream

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"quatuor/engine/table"
)

const (
	// requestLasts is the time that a player counts as connected after a request, and streamLasts that after the last
	// stream has closed: a browser that lost its stream comes back within that time.
	requestLasts = 30 * time.Second
	streamLasts  = 5 * time.Second
	// presenceEvery is the debounce interval of a game's presence events.
	presenceEvery = time.Second
	// presenceHeld is the number of players at games that are remembered after they have gone, and presenceKept the
	// shortest time that they are.
	presenceHeld = 50_000
	presenceKept = time.Hour
)

// presence tracks which players look at their own games: they have a stream of the game open, or have read it or acted
// in it a short while ago. It merges the knowledge of this process with the announcements of others
// ([Hub.RemotePresence]). It holds nothing about accounts without a seat in the game, and no addresses.
type presence struct {
	mu      sync.Mutex
	games   map[string][]*attendance // by game, of its players
	held    int                      // players at games
	swept   time.Time
	due     map[string]bool // games with an event scheduled
	changed func(game string)

	announce func(Attendance) // called with this process's knowledge, with the mutex held; nil for nothing
}

// attendance is the presence of a player in a game.
type attendance struct {
	game    string
	player  string
	streams int
	here    bool      // by the knowledge of this process
	until   time.Time // here at least so long, without a stream
	last    time.Time // when last heard of
	timer   *time.Timer
	others  map[string]Attendance // the announcements of other instances
}

func newPresence(changed func(game string)) *presence {
	return &presence{games: map[string][]*attendance{}, due: map[string]bool{}, changed: changed}
}

// seen notes a request of a player.
func (p *presence) seen(game, player string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.at(game, player)
	a.last = time.Now()
	a.until = a.last.Add(requestLasts)
	if a.timer == nil && a.streams == 0 {
		a.timer = time.AfterFunc(requestLasts, func() { p.expire(a) })
	}
	p.come(a)
}

// enter notes that a player has opened a stream; leave must be called when it has closed.
func (p *presence) enter(game, player string) (leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.at(game, player)
	a.streams++
	p.come(a)
	return func() { p.leave(a) }
}

func (p *presence) leave(a *attendance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a.streams--
	if a.streams > 0 {
		return
	}
	a.last = time.Now()
	a.until = a.last.Add(streamLasts)
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(streamLasts, func() { p.expire(a) })
}

// expire checks whether a player has gone.
func (p *presence) expire(a *attendance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a.timer = nil
	if a.streams > 0 || !a.here {
		return
	}
	if rest := time.Until(a.until); rest > 0 {
		a.timer = time.AfterFunc(rest, func() { p.expire(a) })
		return
	}
	a.here = false
	p.publish(a)
	if !a.present() {
		p.change(a.game)
	}
}

// find returns the attendance of a player among those of a game, nil for none. The mutex is held.
func find(those []*attendance, player string) *attendance {
	for _, a := range those {
		if a.player == player {
			return a
		}
	}
	return nil
}

// at returns the attendance of a player, a new one for an unknown player. The mutex is held.
func (p *presence) at(game, player string) *attendance {
	a := find(p.games[game], player)
	if a == nil {
		p.sweep()
		a = &attendance{game: game, player: player}
		p.games[game] = append(p.games[game], a)
		p.held++
	}
	return a
}

// sweep evicts players long gone, once the table is full.
func (p *presence) sweep() {
	now := time.Now()
	if p.held < presenceHeld || now.Sub(p.swept) < time.Minute {
		return
	}
	p.swept, p.held = now, 0
	for game, those := range p.games {
		those = slices.DeleteFunc(those, func(a *attendance) bool { return !a.present() && now.Sub(a.last) > presenceKept })
		p.held += len(those)
		if len(those) == 0 {
			delete(p.games, game)
		} else {
			p.games[game] = those
		}
	}
}

// forget drops the attendances of a game: presence is not shown for a game that is over.
func (p *presence) forget(game string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.games[game] {
		if a.timer != nil {
			a.timer.Stop()
		}
		if a.here {
			a.here = false
			p.publish(a)
		}
		p.held--
	}
	delete(p.games, game)
}

func (p *presence) come(a *attendance) {
	if a.here {
		return
	}
	if !a.present() {
		p.change(a.game)
	}
	a.here = true
	p.publish(a)
}

// change schedules a single event for all changes of a game's presence until it is sent (debouncing).
func (p *presence) change(game string) {
	if p.due[game] {
		return
	}
	p.due[game] = true
	time.AfterFunc(presenceEvery, func() {
		p.mu.Lock()
		delete(p.due, game)
		p.mu.Unlock()
		p.changed(game)
	})
}

// Connected reports which of some players are connected to a game, by their places in the list.
func (h *Hub) Connected(game string, players []string) (here uint16) {
	p := h.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	those := p.games[game]
	for i, player := range players {
		if a := find(those, player); a != nil && a.present() {
			here |= 1 << i
		}
	}
	return here
}

// Present reports whether a player is connected to a game, and when it was last heard of, in ms UTC; 0 if it never was,
// or too long ago, and while a stream is open.
func (h *Hub) Present(game, player string) (connected bool, last int64) {
	p := h.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	a := find(p.games[game], player)
	if a == nil {
		return false, 0
	}
	heard, streams := a.lastHeard()
	if heard.IsZero() || streams {
		return a.present(), 0
	}
	return a.present(), heard.UnixMilli()
}

// Seen notes that a player of a game has read it, or acted in it.
func (h *Hub) Seen(s *table.Snapshot, player string) {
	if player != "" && !s.Game.Status.Over() && slices.Contains(s.Game.Players, player) {
		h.presence.seen(s.Game.ID, player)
	}
}

// attend is Seen for as long as a stream is open.
func (h *Hub) attend(s *table.Snapshot, player string) (leave func()) {
	if player == "" || s.Game.Status.Over() || !slices.Contains(s.Game.Players, player) {
		return func() {}
	}
	return h.presence.enter(s.Game.ID, player)
}

// publishPresence publishes a game's connected players to its readers.
func (h *Hub) publishPresence(game string) {
	select {
	case <-h.closed:
		return
	default:
	}
	games := h.games.Load()
	if games == nil || !h.gameRead(game) && h.watching.Load() == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), renderTime)
	defer cancel()
	s, err := (*games).Snapshot(ctx, game)
	if err != nil || s.Game.Status.Over() {
		return
	}
	h.publish(gameTopic(game), &change{
		subject: s, since: s.Game.Version, version: s.Game.Version, events: []string{eventPresence}, ephemeral: true,
	})
	for _, topic := range TopicsOf(s, nil) {
		if !strings.HasPrefix(topic, ofMatters) {
			h.publish(topic, signal)
		}
	}
}

// Attendance is the presence of a player in a game, as an instance knows it.
type Attendance struct {
	Game, Player string
	Here         bool  // connected to this instance
	Stream       bool  // by a stream
	At           int64 // when that came about, ms UTC
}

// present reports whether a player is connected to some instance.
func (a *attendance) present() bool {
	if a.here {
		return true
	}
	for _, o := range a.others {
		if o.Here {
			return true
		}
	}
	return false
}

// lastHeard returns the last sign of a player at any instance, and whether the player has a stream open.
func (a *attendance) lastHeard() (last time.Time, streams bool) {
	last, streams = a.last, a.streams > 0
	for _, o := range a.others {
		if at := time.UnixMilli(o.At); at.After(last) {
			last = at
		}
		streams = streams || o.Here && o.Stream
	}
	return last, streams
}

// publish announces this process's knowledge of a player's presence. The mutex is held.
func (p *presence) publish(a *attendance) {
	if p.announce != nil {
		p.announce(Attendance{
			Game: a.game, Player: a.player, Here: a.here, Stream: a.streams > 0, At: time.Now().UnixMilli(),
		})
	}
}

// Announce sets a function that publishes changes of presence at this process to the other instances. It must not
// block. To be called before the first stream.
func (h *Hub) Announce(to func(Attendance)) { h.presence.announce = to }

// AnnounceAll announces every player connected to this process.
func (h *Hub) AnnounceAll() {
	p := h.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, those := range p.games {
		for _, a := range those {
			if a.here {
				p.publish(a)
			}
		}
	}
}

// RemotePresence applies the announcement of another instance.
func (h *Hub) RemotePresence(instance string, remote Attendance) {
	p := h.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	if !remote.Here && find(p.games[remote.Game], remote.Player) == nil {
		return
	}
	a := p.at(remote.Game, remote.Player)
	if remote.At < a.others[instance].At {
		return
	}
	before := a.present()
	if a.others == nil {
		a.others = map[string]Attendance{}
	}
	a.others[instance] = remote
	if a.last.Before(time.UnixMilli(remote.At)) && !remote.Here {
		a.last = time.UnixMilli(remote.At)
	}
	if a.present() != before {
		p.change(a.game)
	}
}

// RemoteGone drops the announcements of another instance, because it has ended.
func (h *Hub) RemoteGone(instance string) {
	p := h.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, those := range p.games {
		for _, a := range those {
			before := a.present()
			delete(a.others, instance)
			if a.present() != before {
				p.change(a.game)
			}
		}
	}
}
