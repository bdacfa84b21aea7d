package stream

import (
	"context"
	"net/http"

	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Tournaments returns tournaments in their current version.
type Tournaments interface {
	Tournament(ctx context.Context, id string) (*tournament.Tournament, error)
}

// RenderTournament makes the data of an event of a tournament ("state", "pairings" or "standings") for staff, or
// from its public part for the public; nil data means that nothing in it is for this reader.
type RenderTournament func(ctx context.Context, t *tournament.Tournament, staff bool, event string) ([]byte, error)

// ChangeTournament makes the data of a change of a tournament for staff, or from its public part for the public:
// the difference from the reader's version since, or the whole if that is 0. Nil data means that nothing in it is
// for this reader.
type ChangeTournament func(ctx context.Context, t *tournament.Tournament, staff bool, since int64) ([]byte, error)

// TournamentFeed serves streams of tournaments in a wording of its own.
type TournamentFeed struct {
	hub         *Hub
	tournaments Tournaments
	render      RenderTournament
	change      ChangeTournament // instead of render
}

// TournamentChangeFeed returns a feed of tournaments for readers that name the version that they have got, and are sent
// the changes since. All readers of the same version share a rendering.
func (h *Hub) TournamentChangeFeed(tournaments Tournaments, change ChangeTournament) *TournamentFeed {
	return &TournamentFeed{hub: h, tournaments: tournaments, change: change}
}

// TournamentFeed returns a feed of tournaments.
func (h *Hub) TournamentFeed(tournaments Tournaments, render RenderTournament) *TournamentFeed {
	return &TournamentFeed{hub: h, tournaments: tournaments, render: render}
}

// Serve answers with the stream of a tournament until ctx, the request's, ends. The caller checks whether the reader
// may see the tournament. staff is nil for the public; for staff it re-checks the right on the tournament's current
// version, and the stream ends when it is revoked. An error (like tournament.ErrNotFound) comes only before anything
// was written.
func (f *TournamentFeed) Serve(
	ctx context.Context, w http.ResponseWriter, id string, form Format, staff func(*tournament.Tournament) bool,
) error {
	return f.serve(ctx, w, id, Reader{Format: form}, staff)
}

// ServeSince is Serve for a reader that has got a version, "" for none, of a feed of changes.
func (f *TournamentFeed) ServeSince(
	ctx context.Context, w http.ResponseWriter, id, version string, staff func(*tournament.Tournament) bool,
) error {
	return f.serve(ctx, w, id, Reader{LastID: version}, staff)
}

func (f *TournamentFeed) serve(
	ctx context.Context, w http.ResponseWriter, id string, who Reader, staff func(*tournament.Tournament) bool,
) error {
	sub := subscription{
		topic: tournamentTopic(id, staff != nil), last: who.LastID, form: who.Format, resumes: f.change != nil, steady: true,
		load: func(ctx context.Context) (*change, error) {
			t, err := f.tournaments.Tournament(ctx, id)
			if err != nil {
				return nil, err
			}
			return tournamentChange(t, director.TopicTournament, staff != nil), nil
		},
		show: func(ctx context.Context, n *change, whole bool, sent int64) ([]byte, error) {
			t := n.subject.(*tournament.Tournament)
			if f.change != nil {
				return n.show(ctx, frameKey{feed: f, class: staff != nil, since: sent},
					func(ctx context.Context, _ string, _ int64) ([]byte, error) {
						return f.change(ctx, t, staff != nil, sent)
					})
			}
			return n.show(ctx, frameKey{feed: f, class: staff != nil, whole: whole, form: who.Format},
				func(ctx context.Context, event string, _ int64) ([]byte, error) {
					return f.render(ctx, t, staff != nil, event)
				})
		},
	}
	if staff != nil {
		sub.may = func(ctx context.Context, n *change) bool {
			if n != nil {
				return staff(n.subject.(*tournament.Tournament))
			}
			t, err := f.tournaments.Tournament(ctx, id)
			return err == nil && staff(t)
		}
	}
	return f.hub.serve(ctx, w, sub)
}

// TournamentChanged publishes a change of a tournament to its readers. It implements director.Notifier.
func (h *Hub) TournamentChanged(t *tournament.Tournament, what director.Topic, to director.Audience) {
	staff := to == director.Staff
	h.publishEntered(t, !staff)
	if !staff {
		h.publish(AnyTournament, anySignal)
	}
	h.publish(tournamentTopic(t.ID, staff), tournamentChange(t, what, staff))
}

// tournamentTopic returns the topic of a tournament: the public has a topic of its own, so that not even the time of an
// event depends on hidden changes.
func tournamentTopic(id string, staff bool) string {
	if staff {
		return ofTournament + id + forStaff
	}
	return ofTournament + id
}

const (
	ofTournament = "tournament/"
	forStaff     = "/staff"
)

// anyChange returns a change of each part of a tournament.
func anyChange(t *tournament.Tournament, staff bool) (all []*change) {
	for _, what := range []director.Topic{director.TopicTournament, director.TopicPairings, director.TopicStandings} {
		all = append(all, tournamentChange(t, what, staff))
	}
	return all
}

func tournamentChange(t *tournament.Tournament, what director.Topic, staff bool) *change {
	if !staff {
		t = t.Public()
	}
	event := string(what)
	if what == director.TopicTournament {
		event = eventState
	}
	return &change{subject: t, since: -1, version: t.Version, events: []string{event}}
}
