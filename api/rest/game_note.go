package rest

import (
	"slices"
	"sync/atomic"

	"quatuor/engine"
	"quatuor/engine/table"
)

// gameNote is what stands in the margin of a game: the parts of its JSON that need not be written anew with every
// move. They are the same for everybody who may look.
type gameNote struct {
	frame atomic.Pointer[frame]
	log   openLog
}

func newGameNote() any { return &gameNote{} }

func noteOf(s *table.Snapshot) *gameNote { return s.Margin.Note(newGameNote).(*gameNote) }

// frame is the text of what does not change in a game from one move to the next.
type frame struct {
	names     []string // of the players by seat, as they stand in the text
	startedAt int64

	begin string   // of the whole, up to the variant
	seats []string // the beginning of each, up to its time control
	rules string   // what is played by
	began string   // when the game was made, and when it started
}

// frameOf gives the frame of a game whose players are called so; it is made again where a name has changed, or the game
// has been started.
func (n *gameNote) frameOf(s *table.Snapshot, names []string) *frame {
	f := n.frame.Load()
	if f == nil || f.startedAt != s.Game.StartedAt || !slices.Equal(f.names, names) {
		f = newFrame(s, names)
		n.frame.Store(f)
	}
	return f
}

func newFrame(s *table.Snapshot, names []string) *frame {
	info := s.Info()
	f := &frame{names: slices.Clone(names), startedAt: s.Game.StartedAt}
	j := &jsonText{}
	j.member(`{"id":`, s.Game.ID)
	j.member(`,"variant":`, s.Game.Variant)
	ends := []int{len(j.b)}
	for i, id := range s.Game.Players {
		seat := engine.Seat(i + 1)
		j.number(`{"seat":`, int64(seat))
		j.number(`,"side":`, int64(info.SideOf(seat)))
		if id != "" {
			j.member(`,"player":{"id":`, id)
			j.member(`,"name":`, nameAt(i, id, names))
			j.raw("}")
		}
		j.member(`,"time_control":`, s.Game.Controls[i])
		ends = append(ends, len(j.b))
	}
	j.member(`,"time_control":`, s.Game.Controls[0])
	writeOptions(j, s.Game.Options)
	j.flag(`,"rated":`, s.Game.Rated)
	ends = append(ends, len(j.b))
	j.time(`,"created_at":`, s.Game.CreatedAt)
	j.optionalTime(`,"started_at":`, s.Game.StartedAt)
	f.cut(string(j.b), ends)
	return f
}

// cut takes its parts from one text, in which they lie in the order in which they are needed.
func (f *frame) cut(text string, ends []int) {
	last := len(ends) - 1
	f.begin, f.rules, f.began = text[:ends[0]], text[ends[last-1]:ends[last]], text[ends[last]:]
	for i := range ends[1:last] {
		f.seats = append(f.seats, text[ends[i]:ends[i+1]])
	}
}

// nameAt gives the name of the player at a place; one whose name is not known goes by its id.
func nameAt(place int, id string, names []string) string {
	if place < len(names) && names[place] != "" {
		return names[place]
	}
	return id
}

func writeOptions(j *jsonText, chosen map[string]string) {
	j.raw(`,"options":{`)
	for key, value := range chosen {
		j.comma()
		j.text(key)
		j.member(":", value)
	}
	j.raw("}")
}
