package stream

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"quatuor/tournament"
	"quatuor/tournament/director"
)

type shelf map[string]*tournament.Tournament

func (s shelf) Tournament(_ context.Context, id string) (*tournament.Tournament, error) {
	if t, ok := s[id]; ok {
		return t, nil
	}
	return nil, tournament.ErrNotFound
}

// renderTournament keeps pairings from the public.
func renderTournament(_ context.Context, t *tournament.Tournament, staff bool, event string) ([]byte, error) {
	if event == "pairings" && !staff {
		return nil, nil
	}
	return fmt.Appendf(nil, "%s of v%d", event, t.Version), nil
}

func at(version int64) *tournament.Tournament {
	return &tournament.Tournament{ID: "t1", Version: version, PublicVersion: version}
}

func tellAll(h *Hub, t *tournament.Tournament, what director.Topic) {
	h.TournamentChanged(t, what, director.Staff)
	h.TournamentChanged(t, what, director.Public)
}

// heard returns the events sent to a reader while changes are published.
func heard(t *testing.T, staff bool, tell func(*Hub, shelf)) string {
	t.Helper()
	hub, shelf := NewHub(), shelf{"t1": at(3)}
	feed := hub.TournamentFeed(shelf, renderTournament)
	answer := httptest.NewRecorder()
	done := make(chan error)
	var still func(*tournament.Tournament) bool
	if staff {
		still = func(*tournament.Tournament) bool { return true }
	}
	go func() { done <- feed.Serve(t.Context(), answer, "t1", EventStream, still) }()
	synctest.Wait()
	tell(hub, shelf)
	synctest.Wait()
	hub.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return answer.Body.String()
}

func TestTournamentEvents(t *testing.T) {
	const begin = retry + "event: state\nid: 3\ndata: state of v3\n\n"
	tell := func(h *Hub, _ shelf) {
		tellAll(h, at(4), director.TopicPairings)
		tellAll(h, at(4), director.TopicStandings)
		tellAll(h, at(5), director.TopicTournament)
	}
	const standings = "event: standings\nid: 4\ndata: standings of v4\n\n"
	const state = "event: state\nid: 5\ndata: state of v5\n\n"
	synctest.Test(t, func(t *testing.T) {
		if got, want := heard(t, false, tell), begin+standings+state; got != want {
			t.Errorf("the public hears\n%s\nwant\n%s", got, want)
		}
		pairings := "event: pairings\nid: 4\ndata: pairings of v4\n\n"
		if got, want := heard(t, true, tell), begin+pairings+standings+state; got != want {
			t.Errorf("staff hears\n%s\nwant\n%s", got, want)
		}
	})
}

func TestTournamentChangesOutOfOrderGiveTheState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := heard(t, false, func(h *Hub, s shelf) {
			s["t1"] = at(5)
			tellAll(h, at(5), director.TopicStandings)
			tellAll(h, at(4), director.TopicStandings)
		})
		want := retry + "event: state\nid: 3\ndata: state of v3\n\n" +
			"event: standings\nid: 5\ndata: standings of v5\n\nevent: state\nid: 5\ndata: state of v5\n\n"
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestTheStateOfAVersionIsSentOnce: news of a change may come after a stream has begun with what is stored since, here
// or by a hint of another instance; the pairings and standings of that version are still to be sent.
func TestTheStateOfAVersionIsSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := heard(t, false, func(h *Hub, _ shelf) {
			tellAll(h, at(3), director.TopicTournament)
			tellAll(h, at(3), director.TopicStandings)
			tellAll(h, at(3), director.TopicTournament)
			tellAll(h, at(4), director.TopicTournament)
			tellAll(h, at(4), director.TopicTournament)
			tellAll(h, at(4), director.TopicStandings)
		})
		want := retry + "event: state\nid: 3\ndata: state of v3\n\nevent: standings\nid: 3\ndata: standings of v3\n\n" +
			"event: state\nid: 4\ndata: state of v4\n\nevent: standings\nid: 4\ndata: standings of v4\n\n"
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestThePublicHearsNothingOfWhatIsForStaff changes facts that staff alone may know: the public's stream is that of a
// tournament without changes.
func TestThePublicHearsNothingOfWhatIsForStaff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secret := func(h *Hub, _ shelf) {
			next := at(3)
			next.Version = 9
			h.TournamentChanged(next, director.TopicPairings, director.Staff)
		}
		nothing := func(*Hub, shelf) {}
		if got, want := heard(t, false, secret), heard(t, false, nothing); got != want {
			t.Errorf("the public hears\n%s\nwant\n%s", got, want)
		}
		if got, want := heard(t, true, secret), heard(t, true, nothing)+
			"event: pairings\nid: 9\ndata: pairings of v9\n\n"; got != want {
			t.Errorf("staff hears\n%s\nwant\n%s", got, want)
		}
	})
}

func TestUnknownTournament(t *testing.T) {
	answer := httptest.NewRecorder()
	err := NewHub().TournamentFeed(shelf{}, renderTournament).Serve(t.Context(), answer, "none", EventStream, nil)
	if err == nil || answer.Body.Len() > 0 {
		t.Errorf("error %v after %q", err, answer.Body)
	}
}

func TestDataOfSeveralLines(t *testing.T) {
	var out bytes.Buffer
	writeFrame(&out, "state", "7", []byte("<p>\r\none\n</p>"))
	if got, want := out.String(), "event: state\nid: 7\ndata: <p>\ndata: one\ndata: </p>\n\n"; got != want {
		t.Errorf("frame %q, want %q", got, want)
	}
}
