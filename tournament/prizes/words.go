package prizes

import (
	"fmt"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// Of distributes a tournament's prizes by its standings. born returns the known years of birth of players by their ids;
// ages are counted in the year of the tournament's start (UTC). Teams have no age.
func Of(t *tournament.Tournament, s *standings.Standings, born map[string]int) (Distribution, error) {
	year := time.UnixMilli(t.StartedAt).UTC().Year()
	ages := make(map[string]int, len(t.Entries))
	for _, e := range t.Entries {
		if len(e.Members) == 1 && born[e.Members[0]] > 0 {
			ages[e.ID] = year - born[e.Members[0]]
		}
	}
	if len(t.Prizes.Categories) == 0 {
		return Distribution{}, nil
	}
	return Distribute(Contenders(s, ages), t.Prizes.Categories, RulesFor(t))
}

// Aged returns the players with years of birth that matter for a tournament's prizes, or nil.
func Aged(t *tournament.Tournament) []string {
	var ids []string
	for _, c := range t.Prizes.Categories {
		if c.AgeFrom == 0 && c.AgeTo == 0 {
			continue
		}
		for _, e := range t.Entries {
			if len(e.Members) == 1 {
				ids = append(ids, e.Members[0])
			}
		}
		return ids
	}
	return nil
}

// Money formats an amount, the smallest coin being a hundredth: "350", "87.50".
func Money(amount int64) string {
	if amount%100 == 0 {
		return fmt.Sprint(amount / 100)
	}
	return fmt.Sprintf("%d.%02d", amount/100, amount%100)
}

// Words returns how an award came about under the rules.
func (a Award) Words(rules Rules) string {
	out := fmt.Sprintf("Place %d.", a.Place)
	if a.Level > 1 {
		out = fmt.Sprintf("Place %d, shared by %d.", a.Place, a.Level)
	}
	if a.Sharers > 1 && a.Amount > 0 {
		with := "the same points"
		if rules.Sharing == ByRank {
			with = "the same rank"
		}
		places := fmt.Sprintf("%d with %s take the places %d to %d", a.Sharers, with, a.First, a.First+a.Sharers-1)
		if rules.Sharing == Hort {
			out += " " + places + ": half of the prize of one’s own place, and an equal part of the other halves (Hort system)."
		} else {
			out += " " + places + " and share their prizes equally."
		}
	}
	if a.Text != "" && a.Level > 1 {
		out += " What cannot be shared is drawn by lot among them."
	}
	return out
}

// Words returns which prize a contender did not get, and why.
func (w Waiver) Words() string {
	if w.Amount > 0 {
		return fmt.Sprintf("%s in %s goes to the next: one prize each, and the one in %s is kept.", Money(w.Amount),
			w.Category, w.For)
	}
	return fmt.Sprintf("The prize in %s goes to the next: one prize each, and the one in %s is kept.", w.Category, w.For)
}
