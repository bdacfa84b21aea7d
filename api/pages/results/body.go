// Package results makes the tables of a tournament that pages, frames on other sites and sheets of paper show: the
// pairings of a round with their results, standings, crosstables, players and matches of teams.
package results

import (
	"context"

	"github.com/labstack/echo/v4"
	"quatuor/api/pages/bracket"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
	"quatuor/tournament/standings"
)

// Body holds the tables of a tournament after a round.
type Body struct {
	*tournament.Tournament
	Shown        int // the round of the pairings that are shown, 0 before the first
	Latest       int // the latest round that the visitor may see
	Unpublished  bool
	Staff        bool // the visitor is of the tournament's staff
	Done, Boards int  // games of the round shown
	Tables       bool
	Pairings     []PairingLine
	Standings    *standings.Standings // after the round shown, nil before the first
	AsOf         AsOf                 // the results that the standings and the crosstable count
	Bracket      *bracket.Body        // of a knock-out that has started
	Crosstable   crosstableBody
	Players      []PlayerLine

	In *message.Printer // the reader's language
}

// Requested returns the tournament and round that a request names, as the visitor may see them.
func Requested(c echo.Context, k *kit.Kit) (Body, error) {
	t, staff, err := k.VisibleTournament(c)
	if err != nil {
		return Body{}, err
	}
	round, err := kit.RoundParam(c)
	if err != nil {
		return Body{}, err
	}
	return Of(t, staff, round)
}

// Of returns a round of a tournament and its progress, without tables; 0 means the latest round. Staff see a round before
// it is published.
func Of(t *tournament.Tournament, staff bool, round int) (Body, error) {
	b := Body{Tournament: t, Latest: t.PublishedRounds(), Shown: round, Staff: staff}
	if staff {
		b.Latest = len(t.Rounds)
	}
	if round == 0 {
		b.Shown = b.Latest
	}
	if b.Shown > b.Latest {
		return b, kit.ErrMissing
	}
	if b.Shown > 0 {
		shown := b.Rounds[b.Shown-1]
		b.Unpublished = shown.Status == tournament.Paired
		b.Done, b.Boards = Progress(shown)
	}
	b.AsOf = AsOfRound(t, min(b.Shown, t.PublishedRounds()))
	return b, nil
}

// Knockout reports whether the page shows a bracket, and standings by how far each entry came.
func (b Body) Knockout() bool { return b.Format.Eliminates() }

// IsArena reports whether the page shows an arena, which has no rounds.
func (b Body) IsArena() bool { return b.Format.Continuous() }

// ArenaRows returns the standings of an arena.
func (b Body) ArenaRows() ([]ArenaRow, error) { return ArenaRows(b.Tournament) }

// RoundName returns the name of a round of a knock-out.
func (b Body) RoundName(round int) string {
	return bracket.RoundOf(b.In, b.Tournament, round)
}

// LostIn returns the name of the round of the bracket that knocked an entry out.
func (b Body) LostIn(round int) string {
	stage, _ := b.LegOf(round)
	return bracket.RoundName(b.In, stage, b.RoundCount/b.Legs())
}

// FillRound adds the pairings of the round shown and the standings after it; of an arena it adds the standings alone.
func (b *Body) FillRound(ctx context.Context, k *kit.Kit) error {
	if !b.IsArena() {
		if err := b.FillPairings(ctx, k); err != nil {
			return err
		}
	}
	return b.FillStandings()
}

// FillStandings adds the standings after the round shown, as far as it is published.
func (b *Body) FillStandings() (err error) {
	if b.AsOf.Round > 0 {
		b.Standings, err = standings.After(b.Tournament, b.AsOf.Round)
	}
	return err
}

// BonusLine is a penalty or a bonus of a team.
type BonusLine struct {
	Name  string
	Bonus tournament.Bonus
}

// BonusLines lists the penalties and bonuses that the standings count.
func (b Body) BonusLines() (list []BonusLine) {
	for _, bonus := range b.Bonuses {
		if e, ok := b.Entry(bonus.Entry); ok && bonus.After <= b.AsOf.Round {
			list = append(list, BonusLine{e.Name, bonus})
		}
	}
	return list
}

// Tournaments holds the list of tournaments, as their page and a publication show it.
type Tournaments struct {
	Drafts []director.Summary // for their staff
	Create bool               // the visitor may create tournaments
	Lines  []director.Summary
	Sort   string // the order, "" by state
	Next   string // cursor
	Series []series.Settings

	Ladders []ladder.Settings
	Leagues []league.Settings
	Seasons []series.Season
	Season  kit.Season
}

// AsOf is the progress of a table: after a round, or after some of its results.
type AsOf struct {
	Round, Done, Boards int
	Arena               bool // which has no rounds
}

// AsOfRound returns the progress of a table that counts all rounds up to this round.
func AsOfRound(t *tournament.Tournament, round int) AsOf {
	if round == 0 {
		return AsOf{}
	}
	done, boards := Progress(t.Rounds[round-1])
	return AsOf{Round: round, Done: done, Boards: boards, Arena: t.Format.Continuous()}
}

// Whole reports whether all results of the round are in.
func (a AsOf) Whole() bool { return a.Done == a.Boards }

// Words returns it as text.
func (a AsOf) Words(in *message.Printer) string {
	if a.Arena {
		return kit.Say(in, "tournament.after_games", "Count", a.Done)
	}
	if a.Whole() {
		return kit.Say(in, "tournament.after_round", "Round", a.Round)
	}
	return kit.Say(in, "tournament.after_results", "Done", a.Done, "Boards", a.Boards, "Round", a.Round)
}

// Progress counts the games of a round that have a result, and all of them; byes are none.
func Progress(r tournament.Round) (done, all int) {
	for _, pairing := range r.Pairings {
		if pairing.Bye != tournament.NoBye {
			continue
		}
		all++
		if pairing.Result != nil {
			done++
		}
	}
	return done, all
}
