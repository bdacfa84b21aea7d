package stream

import (
	"context"
	"maps"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// TestRemoteChangesArriveInOrder: each reader gets the lines that it lacks, contiguous, and nothing twice, whatever
// changes come in between here.
func TestRemoteChangesArriveInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		early := f.open("", "")
		early.next()
		f.step(table.LineStart)
		f.step(table.LineMove) // at another instance, and the hint is on its way
		late := f.open("", "") // begins in between
		late.want("state|2|v2 since 0 seat1=false")
		s, _ := f.Snapshot(t.Context(), "g1")
		if told := f.hub.SyncGame(s); told != 1 {
			t.Errorf("%d readers lacked something, want the early one", told)
		}
		early.want("clock||v2 since 0 seat1=false", "move|2|v2 since 0 seat1=false")
		f.step(table.LineMove) // at another instance
		f.tell(table.LineMove) // here, on top of it
		f.hub.SyncGame(s)      // late
		f.hub.SyncGame(f.game) // the hint of the change that was seen here first
		f.tell(table.LinePause)
		for _, l := range []*listener{early, late} {
			l.want("move|4|v4 since 2 seat1=false", "clock|5|v5 since 4 seat1=false")
		}
	})
}

func TestWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		if w := f.hub.Watched(); len(w.Games)+len(w.Tournaments)+len(w.Published) > 0 {
			t.Errorf("without readers %v is watched", w)
		}
		f.open("", "").next()
		f.step(table.LineMove) // its hint is lost
		f.open("", "").next()
		if got, want := f.hub.Watched().Games, (map[string]int64{"g1": 0}); !maps.Equal(got, want) {
			t.Errorf("watched: %v, want %v", got, want)
		}
		f.hub.SyncGame(f.game)
		if got, want := f.hub.Watched().Games, (map[string]int64{"g1": 1}); !maps.Equal(got, want) {
			t.Errorf("watched: %v, want %v", got, want)
		}
	})
}

// TestADelayedStreamIsWatchedByWhatIsStored: what a spectator does not see yet is not missing.
func TestADelayedStreamIsWatchedByWhatIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		f.game.Game.Controls = []string{"600", "600"}
		f.game.Game.Delay = table.Delay{Moves: 3}
		f.game.Game.Status = table.Waiting
		f.game.Game.CreatedAt, f.game.Margin = time.Now().UnixMilli(), &table.Margin{}
		f.happen(table.Line{Kind: table.LineStart}, table.Running)
		f.happen(table.Line{Kind: table.LineMove, Seat: 1, Turn: 1, Text: "c1-c5"}, table.Running)
		f.open("&behind=1", "").next()
		if got := f.hub.Watched().Games["g1"]; got != 2 {
			t.Errorf("watched from version %d, want 2", got)
		}
		if told := f.hub.SyncGame(f.game); told != 0 {
			t.Errorf("%d readers lack something, want none", told)
		}
	})
}

func TestRemoteTournaments(t *testing.T) {
	for name, c := range map[string]struct {
		staff bool
		want  string
	}{
		"staff":  {true, "state of v3, state of v4, pairings of v4, standings of v4, pairings of v4"},
		"public": {false, "state of v3"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told := heard(t, c.staff, func(h *Hub, s shelf) {
					if told := h.SyncTournament(s["t1"]); told != 0 {
						t.Errorf("%d readers are told what they have", told)
					}
					s["t1"] = &tournament.Tournament{ID: "t1", Version: 4, PublicVersion: 3}
					if told := h.SyncTournament(s["t1"]); told == 1 != c.staff {
						t.Errorf("%d readers are told", told)
					}
					w := h.Watched()
					if c.staff && w.Tournaments["t1"] != 4 || !c.staff && w.Published["t1"] != 3 {
						t.Errorf("watched: %v", w)
					}
					h.TournamentChanged(s["t1"], director.TopicPairings, director.Staff)
				})
				var data []string
				for line := range strings.Lines(told) {
					if text, ok := strings.CutPrefix(line, "data: "); ok {
						data = append(data, strings.TrimSpace(text))
					}
				}
				if got := strings.Join(data, ", "); got != c.want {
					t.Errorf("told %q, want %q", got, c.want)
				}
			})
		})
	}
}

func TestRemotePresence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFair(t)
		var announced []Attendance
		f.hub.Announce(func(a Attendance) { announced = append(announced, a) })
		watcher := f.open("", "")
		watcher.next()
		here := Attendance{Game: "g1", Player: "ada", Here: true, Stream: true, At: time.Now().UnixMilli()}
		gone := Attendance{Game: "g1", Player: "ada", At: here.At + 1}
		f.hub.RemotePresence("two", here)
		f.wantHere("with a stream at another instance", true, -1)
		watcher.want("presence||v0 since 0 seat1=false")
		f.hub.RemotePresence("two", gone)
		f.hub.RemotePresence("two", here) // late
		f.wantHere("gone from there", false, 0)
		watcher.want("presence||v0 since 0 seat1=false")
		here.At = gone.At + 1
		f.hub.RemotePresence("two", here)
		f.hub.RemotePresence("three", here)
		f.hub.RemoteGone("two")
		f.wantHere("at a third instance", true, -1)
		f.hub.RemoteGone("three")
		if connected, _ := f.here(); connected {
			t.Error("connected to instances that have ended")
		}
		if len(announced) > 0 {
			t.Errorf("what others have announced is announced: %v", announced)
		}
		ada := f.open("ada", "")
		ada.next()
		f.hub.AnnounceAll()
		_ = ada.answer.Body.Close()
		time.Sleep(2 * streamLasts)
		synctest.Wait()
		if len(announced) != 3 || !announced[0].Here || !announced[1].Stream || announced[2].Here ||
			announced[2].Player != "ada" {
			t.Errorf("announced: %+v", announced)
		}
	})
}

func TestRemoteTopics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub()
		renders := make(chan int, 10)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			count := 0
			done <- hub.ServeTopics(ctx, httptest.NewRecorder(), []string{OfPlayer("ada"), Lobby}, time.Second,
				func(context.Context) (Update, error) {
					count++
					renders <- count
					return Update{}, nil
				})
		}()
		<-renders
		synctest.Wait()
		if !hub.TopicRead(Lobby) || hub.TopicRead(OfPlayer("bob")) || !hub.TournamentRead("any") || hub.GameRead("ada") {
			t.Error("what is read is not known")
		}
		hub.SyncTopic(OfPlayer("bob"))
		hub.SyncTopic(Lobby)
		if got := <-renders; got != 2 {
			t.Errorf("rendered %d times", got)
		}
		hub.SyncTopics() // a reader of two topics
		if got := <-renders; got != 3 {
			t.Errorf("rendered %d times", got)
		}
		synctest.Wait()
		cancel()
		if err := <-done; err != nil || len(renders) > 0 {
			t.Errorf("%v, and %d renders too many", err, len(renders))
		}
	})
}
