package history

import (
	"strings"
	"testing"

	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// TestEveryActIsTold in every language, on the desk as in the history, with the board where it was.
func TestEveryActIsTold(t *testing.T) {
	swiss, english := &tournament.Tournament{Format: tournament.Swiss}, message.Load().Match("en")
	for _, kind := range []tournament.ActKind{
		tournament.ActCreate, tournament.ActSettings, tournament.ActArbiters,
		tournament.ActOpen, tournament.ActClose, tournament.ActStart,
		tournament.ActFinish, tournament.ActArchive, tournament.ActRegister,
		tournament.ActEnter, tournament.ActCorrect, tournament.ActConfirm,
		tournament.ActAgree, tournament.ActDecline, tournament.ActWithdraw,
		tournament.ActReinstate, tournament.ActRemove, tournament.ActByes,
		tournament.ActForbid, tournament.ActEnterAll, tournament.ActOpenCheckIn,
		tournament.ActCloseCheckIn, tournament.ActCancelCheckIn,
		tournament.ActPresent, tournament.ActAbsent, tournament.ActPrizes,
		tournament.ActPair, tournament.ActDraw, tournament.ActPublish,
		tournament.ActEdit, tournament.ActDrop, tournament.ActResult, tournament.ActResults,
		tournament.ActAdjourn, tournament.ActPlayAgain, tournament.ActClear, tournament.ActRating,
		tournament.ActVenue, tournament.ActRecord, tournament.ActUndo, tournament.ActImport,
	} {
		for _, in := range message.Load().All() {
			told := ActLine(swiss, tournament.Act{Kind: kind, Round: 1, Board: 2, After: "1-0"}, in).Told(in)
			if strings.Contains(told, "history.") || !strings.Contains(told, "1") || !strings.Contains(told, "2") {
				t.Errorf("%s in %v: %q", kind, in.Tag, told)
			}
		}
	}
	for want, act := range map[string]tournament.Act{
		"Round 1, board 2: result 1 – 0":       {Kind: tournament.ActResult, Round: 1, Board: 2, After: "1-0"},
		"Round 1, board 2: result removed":     {Kind: tournament.ActClear, Round: 1, Board: 2, Before: "1-0"},
		"Round 1, board 2: played in the hall": {Kind: tournament.ActVenue, Round: 1, Board: 2, After: "hall"},
		"Round 1: draft":                       {Kind: tournament.ActDraw, Round: 1},
	} {
		if told := ActLine(swiss, act, english).Told(english); told != want {
			t.Errorf("told as %q, want %q", told, want)
		}
	}
}
