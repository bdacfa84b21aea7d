package stream

import "time"

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
