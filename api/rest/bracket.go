package rest

import (
	"context"

	"quatuor/api/gen"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
	"quatuor/tournament/team"
)

// GetBracket shows the bracket of a knock-out.
func (a *API) GetBracket(ctx context.Context, r gen.GetBracketIn) (gen.GetBracketOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	if !t.Format.Eliminates() {
		return nil, tournament.Refuse(
			tournament.ErrNotFound, "a bracket; only a %s has one, and this is a %s", tournament.Knockout, t.Format,
		)
	}
	return bracketView(t), nil
}

// bracketView returns the bracket with the results of the published rounds.
func bracketView(t *tournament.Tournament) gen.Bracket {
	v := bracketViewer{t, t.Numbered()}
	b := knockout.Of(pairing.HistoryOf(t, t.PublishedRounds()+1))
	out := gen.Bracket{Rounds: make([]gen.BracketRound, len(b.Rounds))}
	for i, matches := range b.Rounds {
		round := gen.BracketRound{
			Number: i + 1, Name: knockout.Name(i+1, len(b.Rounds)), Matches: make([]gen.BracketMatch, len(matches)),
		}
		for j, m := range matches {
			round.Matches[j] = v.match(m)
			if i+1 < len(b.Rounds) {
				round.Matches[j].Next = &gen.BracketPlace{Round: i + 2, Place: j/2 + 1}
			} else if m.Winner > 0 {
				out.Winner = new(entryRef(v.entries[m.Winner-1]))
			}
		}
		out.Rounds[i] = round
	}
	if b.Third != nil {
		out.ThirdPlace = new(v.match(*b.Third))
	}
	return out
}

// bracketViewer renders matches; it indexes the tournament's entries by number.
type bracketViewer struct {
	t       *tournament.Tournament
	entries []tournament.Entry
}

func (v bracketViewer) match(m knockout.Match) gen.BracketMatch {
	out := gen.BracketMatch{
		Round: m.Round, Place: optional(m.Place), Board: optional(m.Board), Entries: make([]gen.BracketEntry, 2),
		Free: optional(m.Free()), Winner: v.id(m.Winner), Loser: v.id(m.Loser),
		ForfeitedByBoth: optional(!m.Free() && m.Winner == knockout.NoEntry),
	}
	for side, n := range m.Entries {
		out.Entries[side] = v.entry(m, side, n)
	}
	if p, err := v.t.Pairing(m.Paired, m.Board); err == nil {
		out.Seats, out.Result = &p.Seats, optional(p.Text())
		if v.t.Legs() > 1 {
			out.PairedIn = &m.Paired
		}
		if p.Result != nil {
			out.Reason = optional(p.Result.Reason)
			if d := decisionOf(v.t, m.Paired, p); !d.IsZero() {
				out.Reason = new(d.String())
			}
		}
		out.Games = some(gameViews(v.t, p))
	}
	return out
}

// decisionOf returns the decision of a match of teams; nothing for other formats.
func decisionOf(t *tournament.Tournament, round int, p tournament.Pairing) sentence.Sentence {
	if t.Teams == nil {
		return sentence.Sentence{}
	}
	return team.Of(t).Decision(t, round, p).Text
}

// entry is a side of a match: 0 is the upper side.
func (v bracketViewer) entry(m knockout.Match, side, number int) gen.BracketEntry {
	switch {
	case number > 0:
		return gen.BracketEntry{Entry: new(entryRef(v.entries[number-1]))}
	case number == knockout.NoEntry:
		return gen.BracketEntry{Nobody: new(true)}
	case m.Place == 0:
		return gen.BracketEntry{LoserOf: &gen.BracketPlace{Round: m.Round - 1, Place: side + 1}}
	}
	return gen.BracketEntry{WinnerOf: &gen.BracketPlace{Round: m.Round - 1, Place: 2*m.Place - 1 + side}}
}

func (v bracketViewer) id(number int) *string {
	if number <= 0 {
		return nil
	}
	return &v.entries[number-1].ID
}

// gameViews lists the games of a pairing.
func gameViews(t *tournament.Tournament, p tournament.Pairing) []gen.PairingGame {
	return each(t.GamesOf(p), func(g tournament.MatchGame) gen.PairingGame {
		return gen.PairingGame{
			GameID: g.ID, Number: max(1, g.Number), Kind: string(g.Kind),
			Seats: g.Seats, TimeControl: g.Control, Reason: optional(g.Reason), Result: optional(g.Result),
		}
	})
}
