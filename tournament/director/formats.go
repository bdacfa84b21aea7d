package director

import (
	"maps"
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/keizer"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/pairing/seatplan"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/pairing/tables"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/team"
)

// Systems has the pairing system of each format, with the regulations of a tournament. A package that adds a format adds
// its row here before tournaments are loaded.
var Systems = map[tournament.Format]func(*tournament.Tournament) pairing.Pairer{
	tournament.RoundRobin:       func(*tournament.Tournament) pairing.Pairer { return roundrobin.Pairer{} },
	tournament.DoubleRoundRobin: func(*tournament.Tournament) pairing.Pairer { return roundrobin.Pairer{Double: true} },
	tournament.Swiss:            func(*tournament.Tournament) pairing.Pairer { return swiss.Pairer{} },
	tournament.Knockout:         func(*tournament.Tournament) pairing.Pairer { return knockout.Pairer{} },
	tournament.TableSwiss:       func(t *tournament.Tournament) pairing.Pairer { return tables.Pairer{Rules: t.Rules.Tables} },
	tournament.TableRoundRobin:  func(t *tournament.Tournament) pairing.Pairer { return seatplan.Pairer{Rules: t.Rules.Tables} },
	tournament.Keizer:           func(t *tournament.Tournament) pairing.Pairer { return keizer.Pairer{Rules: t.Rules} },

	tournament.Arena: func(*tournament.Tournament) pairing.Pairer { return arena.Pairer{} },

	tournament.TeamSwiss:            teamPairer,
	tournament.TeamRoundRobin:       func(*tournament.Tournament) pairing.Pairer { return roundrobin.Pairer{} },
	tournament.TeamDoubleRoundRobin: func(*tournament.Tournament) pairing.Pairer { return roundrobin.Pairer{Double: true} },
	tournament.TeamKnockout:         func(t *tournament.Tournament) pairing.Pairer { return knockout.Pairer{Legs: t.Legs()} },
	tournament.TeamScheveningen:     scheveningen,
}

func scheveningen(t *tournament.Tournament) pairing.Pairer {
	return team.Table(t)
}

func teamPairer(t *tournament.Tournament) pairing.Pairer {
	s := team.Of(t)
	return teamswiss.Pairer{Preference: teamswiss.Preference(s.Preference), NoSecondary: s.Secondary == team.NoScore}
}

// checkFormat returns an error for a format that does not exist or does not suit the variant's shape.
func checkFormat(f tournament.Format, s tournament.Shape) error {
	if _, ok := Systems[f]; !ok {
		var playable []string
		for _, known := range slices.Sorted(maps.Keys(Systems)) {
			playable = append(playable, string(known))
		}
		return sentence.Errorf("%q is not a format that can be played here; use %s", f, strings.Join(playable, ", "))
	}
	if !f.MayHaveTables() && (s.Min > 2 || s.Max < 2) {
		return sentence.Errorf("a %s needs games between two, but this variant is for %d to %d", f, s.Min, s.Max)
	}
	if f.Teams() && s.Members != 1 {
		return sentence.Errorf("a %s needs games between two players, but this variant is for partners", f)
	}
	if f.Tables() && (s.Members != 1 || s.Min < 3 || s.Max > 5) {
		if s.Members == 2 {
			return sentence.Errorf("a %s is for players at tables of three to five; for this variant of partners choose "+
				"changing partners (pairing.tables.partners: rotate)", f)
		}
		return sentence.Errorf("a %s needs games of three to five, but this variant is for %d", f, s.Max)
	}
	pair := s.Min <= 2 && s.Max >= 2
	if f.ByEvenings() && !pair && (s.Members != 1 || s.Min < 3 || s.Max > 5) {
		return sentence.Errorf("a %s season needs games of two to five players, but this variant is for %d to %d", f, s.Min, s.Max)
	}
	if f.Continuous() && (s.Members != 1 || !pair && (s.Min < 3 || s.Max > 5)) {
		return sentence.Errorf("an %s needs games of two to five players, one to a seat, and this variant has none", f)
	}
	return nil
}

func pairerFor(t *tournament.Tournament) (pairing.Pairer, error) {
	system, ok := Systems[t.Format]
	if !ok {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "there is no pairing system for the format %q", t.Format)
	}
	return system(t), nil
}
