package stream

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine/table"
)

// happen appends a line that came now to a game that can be replayed, and publishes it.
func (f *fair) happen(l table.Line, status table.Status) {
	f.mu.Lock()
	next := *f.game
	next.Game.Version++
	next.Game.Status = status
	l.N, l.At = next.Game.Version, time.Now().UnixMilli()
	next.Lines = append(next.Lines[:len(next.Lines):len(next.Lines)], l)
	f.game = &next
	f.mu.Unlock()
	f.hub.GameChanged(&next, []table.Line{l})
}

// TestReadersBehind follows games with delays: half a minute, and a move.
func TestReadersBehind(t *testing.T) {
	for name, c := range map[string]struct {
		delay table.Delay
		want  []string // what comes, and after how many seconds
	}{
		"seconds": {table.Delay{Ms: 30_000}, []string{
			"0s state|0", "30s clock|1", "40s move|2", "45s move|3", "50s move|",
			"50s over|4",
		}},
		"moves": {table.Delay{Moves: 1}, []string{"0s state|1", "15s move|2", "50s move|", "50s over|4"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, began := newFair(t), time.Now()
				f.game.Game.Controls = []string{"600", "600"}
				f.game.Game.Delay = c.delay
				f.game.Game.Status = table.Waiting
				f.game.Game.CreatedAt, f.game.Margin = began.UnixMilli(), &table.Margin{}
				f.happen(table.Line{Kind: table.LineStart}, table.Running)
				late := f.open("&behind=1", "")
				got := make(chan string, 10)
				go func() {
					defer close(got)
					for event := late.next(); event != "end"; event = late.next() {
						name, rest, _ := strings.Cut(event, "|")
						id, _, _ := strings.Cut(rest, "|")
						if name != "ping" {
							got <- time.Since(began).String() + " " + name + "|" + id
						}
					}
				}()
				time.Sleep(10 * time.Second)
				f.happen(table.Line{Kind: table.LineMove, Seat: 1, Turn: 1, Text: "c1-c5"}, table.Running)
				time.Sleep(5 * time.Second)
				f.happen(table.Line{Kind: table.LineMove, Seat: 2, Turn: 2, Text: "a1-e1"}, table.Running)
				time.Sleep(35 * time.Second)
				f.happen(table.Line{Kind: table.LineLeft, Seat: 1, Text: "resign"}, table.Finished)
				var all []string
				for event := range got {
					all = append(all, event)
				}
				if strings.Join(all, ", ") != strings.Join(c.want, ", ") {
					t.Errorf("got %v\nwant %v", all, c.want)
				}
			})
		})
	}
}

// TestNothingIsKeptOfAGameWithoutReaders: a spectator with a delay leaves in the middle of the game.
func TestNothingIsKeptOfAGameWithoutReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.game.Game.Controls = []string{"600", "600"}
		f.game.Game.Delay = table.Delay{Ms: 1000}
		f.game.Game.Status = table.Waiting
		f.happen(table.Line{Kind: table.LineStart}, table.Running)
		f.open("&behind=1", "").next()
		synctest.Wait()
		if len(f.hub.delayed) != 1 {
			t.Errorf("%d games are shown late, want 1", len(f.hub.delayed))
		}
		f.client.CloseIdleConnections()
		f.hub.Close()
		synctest.Wait()
		if len(f.hub.delayed) != 0 {
			t.Errorf("%d games are still kept", len(f.hub.delayed))
		}
	})
}
