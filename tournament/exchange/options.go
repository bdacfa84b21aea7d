// Package exchange takes tournaments over from report files (package trf) and writes them as such.
//
// A report and a tournament do not say the same things. What a report leaves open is for the organiser to say
// ([Options]); what it says beyond a tournament stays in the file, which is kept as it came ([Original]) and looked at
// again when the tournament is written: city, arbiters, titles, ids, lines that nobody knows.
//
// What the cells of rounds that have been played become, and come back as:
//
//	cell              here                                          written as
//	1 = 0             a result of the points that go with it        1 = 0
//	W D L             the same                                      the letter of the file, while the result stands
//	0 on both sides   a game that both lost                         0
//	+ -               a forfeit; - on both sides a double one       + -
//	+ or -, alone     a full- or zero-point bye                     the letter of the file
//	H F U Z           a bye: half-, full-point, allocated, zero     H F U Z
//	blank             a zero-point bye; in a round-robin nothing    blank, where the file left it so
//	opponent, blank   an open game, before the last round adjourned the same
//
// Of the rounds to come H, F and Z cells and lines 240 are byes on request; who has Z in all of them has withdrawn.
// Whatever else than the point system says a result has counted goes into lines 299.
package exchange

import (
	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// Options are what an organiser says about a tournament that is taken over. Only Variant must be said; what is left
// out is taken from the file.
type Options struct {
	Name        string
	Variant     string
	Format      tournament.Format
	Rounds      int
	TimeControl string
	Options     map[string]string
	TieBreaks   []string // nil takes those of the file
	Rated       bool     // of the games still to come: what was played elsewhere is never rated here
	AutoRounds  bool

	// Players names the players who are here already, by their numbers in the file. All others are new: a name alone
	// tells nobody from somebody else.
	Players map[int]string
	// NamesOnly makes entries of names, without players: everything is played over the board.
	NamesOnly bool
}

// Original is the file from which a tournament was taken over.
type Original struct {
	Text    []byte   // as it came
	Entries []string // entry ids, in the order of the numbers in the file
}

// read returns the file's content; nil if there is no file.
func (o *Original) read() (*trf.Report, error) {
	if o == nil {
		return nil, nil //nolint:nilnil // a tournament that was started here has none
	}
	return trf.Read(o.Text)
}
