package stream

import "time"

// Attendance is what an instance knows of a player in a game that the player sits in.
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

// lastHeard returns when an instance has heard last of a player, and whether there is a stream.
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

// tellOthers announces what this process knows of a player. The mutex is held.
func (p *presence) tellOthers(a *attendance) {
	if p.announce != nil {
		p.announce(Attendance{Game: a.game, Player: a.player, Here: a.here, Stream: a.streams > 0, At: time.Now().UnixMilli()})
	}
}

// Announce has a function called with whatever this process learns of the presence of players, so that other instances
// can be told. It must return at once. To be called before the first stream.
func (h *Hub) Announce(to func(Attendance)) { h.presence.announce = to }

// AnnounceAll announces every player who is connected to this process.
func (h *Hub) AnnounceAll() {
	p := h.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, those := range p.games {
		for _, a := range those {
			if a.here {
				p.tellOthers(a)
			}
		}
	}
}

// PresentElsewhere takes over what another instance has announced.
func (h *Hub) PresentElsewhere(instance string, told Attendance) {
	p := h.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	if !told.Here && find(p.games[told.Game], told.Player) == nil {
		return
	}
	a := p.at(told.Game, told.Player)
	if told.At < a.others[instance].At {
		return
	}
	before := a.present()
	if a.others == nil {
		a.others = map[string]Attendance{}
	}
	a.others[instance] = told
	if a.last.Before(time.UnixMilli(told.At)) && !told.Here {
		a.last = time.UnixMilli(told.At)
	}
	if a.present() != before {
		p.change(a.game)
	}
}

// GoneElsewhere drops what another instance has announced, because it has ended.
func (h *Hub) GoneElsewhere(instance string) {
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
