// Package danish_test adds a format that the program does not know, the Danish system, by tests alone: its row, its
// pairing system and its texts. The acts of an evening show that nothing else has to be changed for a format.
package danish_test

import (
	"quatuor/api/contract"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/pairing"
)

// danish is the format in which neighbours in the standings meet, whether they have met before or not.
const danish tournament.Format = "danish"

func init() {
	tournament.Formats = append(tournament.Formats, tournament.Traits{
		Format: danish, Late: tournament.LateByes, DrawsColour: true, Adjourns: true,
		Report: tournament.Report{Kind: "Individual: Danish", System: "OTHER_DANISH"},
	})
	contract.Values["TournamentFormat"] = append(contract.Values["TournamentFormat"], string(danish))
	director.Systems[danish] = func(*tournament.Tournament) pairing.Pairer { return pairer{} }
}
