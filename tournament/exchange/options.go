// Package exchange imports tournaments from report files (package trf) and exports them.
//
// A report and a tournament do not hold the same information. The organiser sets what a report leaves open ([Options]);
// the rest of a report (city, arbiters, titles, ids, unknown lines) stays in the file, which is kept unchanged
// ([Original]) and used again for the export.
//
// How the cells of past rounds are imported and exported:
//
//	cell              here                                          written as
//	1 = 0             a result of the points that go with it        1 = 0
//	W D L             the same                                      the letter of the file, while the result is unchanged
//	0 on both sides   a game that both lost                         0
//	+ -               a forfeit; - on both sides a double forfeit   + -
//	+ or -, alone     a full- or zero-point bye                     the letter of the file
//	H F U Z           a bye: half-, full-point, allocated, zero     H F U Z
//	blank             a zero-point bye; in a round-robin nothing    blank, where the file left it so
//	opponent, blank   an open game, before the last round adjourned the same
//
// In rounds to come, H, F and Z cells and lines 240 are byes on request; a player with Z in all of them has
// withdrawn. Results with other points than those of the point system become lines 299.
package exchange

import (
	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// Options are the organiser's settings for an import. Only Variant is required; the others default to those of the
// file.
type Options struct {
	Name        string
	Variant     string
	Format      tournament.Format
	Rounds      int
	TimeControl string
	Options     map[string]string
	TieBreaks   []string // nil keeps those of the file
	Rated       bool     // of the games still to come: imported games are never rated here
	AutoRounds  bool

	// Players maps numbers in the file to existing players. All others are new: a name alone does not identify a player.
	Players map[int]string
	// NamesOnly creates entries with names only, without players: all games are played over the board.
	NamesOnly bool
}

// Original is the imported file of a tournament.
type Original struct {
	Text    []byte   // unchanged
	Entries []string // entry ids, in the order of the numbers in the file
}

// read returns the file's content; nil without a file.
func (o *Original) read() (*trf.Report, error) {
	if o == nil {
		return nil, nil //nolint:nilnil // a tournament that was started here has none
	}
	return trf.Reread(o.Text)
}
