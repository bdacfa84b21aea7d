package teams

import (
	"fmt"

	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// FieldOfReport returns the field of a report of teams: after all rounds that are over or under way.
func FieldOfReport(r *trf.TeamReport) Field {
	f := Field{Table: r.Table(), Rounds: r.Rounds, Scoring: r.Scoring(), Primary: r.Primary()}
	unranked := 0
	for i, outcomes := range r.Outcomes() {
		line := r.Teams[i]
		if line.Rank == "" {
			unranked++
		}
		f.Teams = append(f.Teams, Team{
			ID: fmt.Sprint(line.Number), Number: line.Number, Name: line.Name,
			Bonus: r.BonusOf(line.Number, trf.EveryRound), Rounds: outcomes,
		})
	}
	if f.Table && unranked < len(f.Teams) {
		for i := range f.Teams {
			f.Teams[i].Annulled = r.Teams[i].Rank == "" && 2*played(f.Teams[i]) < r.Format().Cycles()*(len(f.Teams)-1)
		}
	}
	return f
}

// played returns the number of matches that a team played.
func played(t Team) (n int) {
	for _, o := range t.Rounds {
		if o.Kind == team.Played {
			n++
		}
	}
	return n
}
