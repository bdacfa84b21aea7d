package director

import (
	"context"
	"errors"
	"maps"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/team"
)

// follow applies the effects of a stored change: it notifies, opens and aborts games, and pairs the next round if that
// is automatic. from is the tournament before the change, nil if it is new. It returns the tournament after the
// effects. Effects that fail are repeated by [Director.CatchUp].
func (d *Director) follow(
	ctx context.Context, from *tournament.Tournament, next *tournament.Revision,
) *tournament.Tournament {
	for {
		t := next.Tournament
		if !t.Format.Continuous() {
			d.notify(from, next)
		}
		if err := d.applyToGames(ctx, t, touched(next.Delta)); err != nil {
			d.repairLater(t.ID)
			d.Log.Error("a tournament's games could not be opened or broken off; trying again",
				"tournament", t.ID, "error", err)
		}
		if t.Format.Continuous() { // its pages take players to their games at once
			d.notify(from, next)
		}
		if !due(t) {
			return t
		}
		more, err := d.advance(ctx, t)
		if err != nil {
			if !errors.Is(err, tournament.ErrUnpairable) {
				d.repairLater(t.ID)
			}
			d.Log.Error("a tournament's next round could not be started by itself", "tournament", t.ID, "error", err)
			return t
		}
		if more == nil {
			return t
		}
		from, next = t, more
	}
}

// due reports whether the next round is paired automatically now. The first round never is: the organiser starts play.
func due(t *tournament.Tournament) bool {
	n := len(t.Rounds)
	return t.AutoRounds && n > 0 && t.Rounds[n-1].Status == tournament.Complete && t.CanPair() == nil
}

// advance pairs and stores the next round, retrying if another process was faster; nil means that no round is due.
func (d *Director) advance(ctx context.Context, t *tournament.Tournament) (*tournament.Revision, error) {
	do := doing{Director: d, Order: Order{By: tournament.ServerAccount}, ctx: ctx}
	for range tries {
		if !due(t) {
			return nil, nil
		}
		next, err := do.nextRound(t)
		if err != nil {
			return nil, err
		}
		next.Delta.Acts = []tournament.Act{{
			Kind: tournament.ActPair, By: tournament.ServerAccount, At: d.now(), Round: len(next.Rounds),
		}}
		next.Succeed(t)
		err = d.Store.Save(ctx, next.Tournament, t.Version, next.Delta)
		if err == nil {
			return next, nil
		}
		if !errors.Is(err, tournament.ErrStale) {
			return nil, err
		}
		t, err = d.Store.Load(ctx, t.ID)
		if err != nil {
			return nil, err
		}
	}
	return nil, tournament.ErrStale
}

// touched returns the pairings that a change wrote.
func touched(delta tournament.Delta) []tournament.RoundPairing {
	out := slices.Clone(delta.Pairings)
	for _, r := range delta.Rounds {
		if r.Status == tournament.Paired {
			continue
		}
		for _, p := range r.Pairings {
			out = append(out, tournament.RoundPairing{Round: r.Number, Pairing: p})
		}
	}
	return out
}

// applyToGames opens the games that pairings await, and aborts the games of pairings decided by hand. It is idempotent.
func (d *Director) applyToGames(
	ctx context.Context, t *tournament.Tournament, pairings []tournament.RoundPairing,
) error {
	var openings []Opening
	var errs []error
	for _, p := range pairings {
		for _, duel := range t.Duels(p.Pairing) {
			switch {
			case duel.ID == "":
			case duel.Result == nil:
				openings = append(openings, opening(t, p, duel))
			case t.Format.Continuous() && duel.Result.Void():
				errs = append(errs, d.Tables.Abort(ctx, duel.ID, sentence.Fixed("the game does not count in the arena")))
			case duel.Result.Source == tournament.ByArbiter:
				errs = append(errs, d.Tables.Abort(ctx, duel.ID, sentence.New("the arbiter decided: %s", duel.Result.Text())))
			}
		}
	}
	if len(openings) > 0 && t.Status == tournament.Running {
		errs = append(errs, d.Tables.Open(ctx, openings))
	}
	return errors.Join(errs...)
}

func opening(t *tournament.Tournament, p tournament.RoundPairing, g tournament.Duel) Opening {
	return Opening{
		GameID: g.ID, TournamentID: t.ID, Round: p.Round, Board: p.Pairing.Board, Variant: g.Variant,
		Players: g.Players, TimeControl: g.TimeControl, Options: g.Options, Rated: g.Rated, Play: t.Play,
		Start: team.StartOf(t, p.Round, p.Pairing),
	}
}

// notify reports the parts that changed: all of them to staff, those that the public can see to the public.
func (d *Director) notify(from *tournament.Tournament, next *tournament.Revision) {
	t, delta := next.Tournament, next.Delta
	if delta.Unseen {
		return
	}
	for _, topic := range topics(delta) {
		d.Notifier.TournamentChanged(t, topic, Staff)
	}
	var boards []tournament.News
	if t.Teams != nil {
		boards = tournament.BoardNews(from, touched(delta))
	}
	matches := tournament.MatchNews(t, delta, boards)
	for _, n := range matches {
		d.Notifier.TournamentChanged(t, MatchTopic(n), Staff)
	}
	if from != nil && from.PublicVersion == t.PublicVersion {
		return
	}
	for _, topic := range topics(published(from, t, delta)) {
		d.Notifier.TournamentChanged(t, topic, Public)
	}
	for _, n := range matches {
		if n.Kind != tournament.NewsLineUp {
			d.Notifier.TournamentChanged(t, MatchTopic(n), Public)
		}
	}
}

func topics(delta tournament.Delta) []Topic {
	switch {
	case len(delta.Rounds)+len(delta.RemovedRounds)+len(delta.Pairings) == 0:
		return []Topic{TopicTournament}
	case len(delta.Changes) > 0 || len(delta.Rounds) > 0:
		return []Topic{TopicPairings, TopicStandings}
	}
	return []Topic{TopicPairings}
}

// published returns the part of a change in rounds that are published, or were before it.
func published(from, t *tournament.Tournament, delta tournament.Delta) tournament.Delta {
	last := t.PublishedRounds()
	if from != nil {
		last = max(last, from.PublishedRounds())
	}
	delta.Changes = t.PublicChanges(delta.Changes)
	hidden := func(n int) bool { return n > last }
	delta.Rounds = slices.DeleteFunc(slices.Clone(delta.Rounds), func(r tournament.Round) bool { return hidden(r.Number) })
	delta.RemovedRounds = slices.DeleteFunc(slices.Clone(delta.RemovedRounds), hidden)
	delta.Pairings = slices.DeleteFunc(slices.Clone(delta.Pairings),
		func(p tournament.RoundPairing) bool { return hidden(p.Round) })
	return delta
}

// repairLater has the next CatchUp repeat the effects of a tournament's changes.
func (d *Director) repairLater(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pendingRepair[id] = true
}

// takePendingRepair returns the tournaments to be repaired, and clears the list.
func (d *Director) takePendingRepair() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := slices.Collect(maps.Keys(d.pendingRepair))
	clear(d.pendingRepair)
	return ids
}
