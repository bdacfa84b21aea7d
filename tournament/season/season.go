// Package season computes the tables that span tournaments: series, ladders, seasons of leagues, and the seasons of a
// club, which count all of them. Nothing of this is stored, so that a corrected result counts at once.
package season

import (
	"context"
	"errors"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Store keeps series, ladders, leagues and seasons. Its errors for missing rows are series.ErrNotFound, series.ErrNoSeason,
// ladder.ErrNotFound and league.ErrNotFound.
type Store interface {
	Series(ctx context.Context, id string) (series.Settings, error)
	Season(ctx context.Context, id string) (series.Season, error)

	Ladder(ctx context.Context, id string) (ladder.Settings, []ladder.Act, error)
	LadderEdition(ctx context.Context, id string) (ladder.Edition, error)
	// Games returns the existing games among some ids.
	Games(ctx context.Context, ids []string) ([]ladder.Game, error)

	League(ctx context.Context, id string) (league.Settings, []league.Plan, error)
	// SavePlan writes a league season over its version, with new tournaments of its divisions, in a transaction.
	SavePlan(ctx context.Context, p league.Plan, divisions ...director.Draft) error
	HalfMade(ctx context.Context) ([]league.HalfMade, error)
}

// People looks up players by id.
type People interface {
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
}

// Config has the dependencies of a Reader.
type Config struct {
	Store    Store
	People   People
	Director *director.Director
	Now      func() time.Time
	// EntryOf returns the entry of the player of an id in a tournament, with the rating that seeds it.
	EntryOf func(ctx context.Context, t *tournament.Tournament, id string, p club.Player) (tournament.Entry, error)
}

// Reader computes tables, and makes the tournaments of league seasons. It is safe for concurrent use.
type Reader struct {
	Config
	ladders *ladders
}

// New returns a reader.
func New(c Config) *Reader { return &Reader{c, newLadders()} }

// Viewer decides the part of tables that a person sees.
type Viewer interface {
	// Tournament returns a tournament; tournament.ErrNotFound if the viewer may not see it.
	Tournament(ctx context.Context, id string) (*tournament.Tournament, error)
	// SeesDrafts reports whether the viewer sees drafts of an account's leagues.
	SeesDrafts(organiser string) bool
}

// Reading computes tables as a viewer may see them.
type Reading struct {
	*Reader
	viewer Viewer
}

// For returns the tables as a viewer may see them.
func (r *Reader) For(v Viewer) Reading { return Reading{r, v} }

// Public returns the tables as visitors without an account see them.
func (r *Reader) Public() Reading { return r.For(public{r.Director}) }

// public is a viewer without rights.
type public struct{ *director.Director }

func (p public) Tournament(ctx context.Context, id string) (*tournament.Tournament, error) {
	t, err := p.Director.Tournament(ctx, id)
	if err == nil && t.Status == tournament.Draft {
		return nil, tournament.ErrNotFound
	}
	return t, err
}

func (public) SeesDrafts(string) bool { return false }

// memberNames returns the names of members: those of players from their records, others from their keys.
func (r *Reader) memberNames(ctx context.Context, members []string) (map[string]string, error) {
	named := map[string]string{}
	for _, member := range members {
		if name, nameless := series.Nameless(member); nameless {
			named[member] = name
		}
	}
	players, err := r.People.Players(ctx, league.PlayerIDs(members))
	for id, p := range players {
		named[id] = p.Name
	}
	return named, err
}

// standingNames returns the names of the players in standings.
func (r *Reader) standingNames(ctx context.Context, standings []series.Standing) (map[string]string, error) {
	players := make([]string, len(standings))
	for i, st := range standings {
		players[i] = st.Player
	}
	return r.memberNames(ctx, players)
}

// Series is a series with the tournaments that its viewer may see, and the standings.
type Series struct {
	series.Settings
	Events    []*tournament.Tournament // parallel to Parts, which has no hidden or deleted tournaments
	Series    series.Series
	Standings []series.Standing
	Names     map[string]string // of the players
}

// Series computes the standings of a series from the tournaments that exist and that the viewer may see.
func (r Reading) Series(ctx context.Context, id string) (s Series, err error) {
	if s.Settings, err = r.Store.Series(ctx, id); err != nil {
		return s, err
	}
	s.Series.Rules = s.Rules
	var parts []series.Part
	for _, part := range s.Parts {
		event, err := r.viewer.Tournament(ctx, part.Tournament)
		if errors.Is(err, tournament.ErrNotFound) {
			continue
		}
		if err != nil {
			return s, err
		}
		event = event.Public()
		counted, err := series.EventOf(event, part.Factor)
		if err != nil {
			return s, err
		}
		parts = append(parts, part)
		s.Events = append(s.Events, event)
		s.Series.Events = append(s.Series.Events, counted)
	}
	s.Parts = parts
	if s.Standings, err = s.Series.Standings(); err != nil {
		return s, err
	}
	s.Names, err = r.standingNames(ctx, s.Standings)
	return s, err
}
