package record_test

import (
	"strconv"
	"strings"
	"testing"

	"quatuor/engine/record"
)

// TestFaults makes single changes to a good record, and checks the fault's text and place.
func TestFaults(t *testing.T) {
	for _, test := range []struct{ file, old, changed, want string }{
		{"quixo", `"quixo/duel"`, `"quixo/solo"`, `10: unknown variant "quixo/solo"; there are`},
		{"quixo", `max_plies=200`, `steps=forward`, `11: quixo/duel has no option "steps"`},
		{"quixo", "[Seat2 \"Bob M.\"]\n", "[Seat2 \"Bob M.\"]\n[Seat3 \"Cleo\"]\n[TimeControl3 \"600\"]\n", `7: quixo/duel is played with 2 seats`},
		{"quixo", "[Rated \"yes\"]", "[Seed \"" + strings.Repeat("ab", 32) + "\"]", `14: quixo/duel has no chance in it`},
		{"quixo", "2. a1-a5", "2. a1-c3", `23: move 2, a1-c3: `},
		{"quixo", "2. a1-a5", "2. 1:a1-a5", `23: move 2, 1:a1-a5: seat 1 is not awaited now; it is seat 2's turn`},
		{"quixo", "2. a1-a5", "2. pass", `23: move 2, pass: `},
		{"quixo", "[%pos o.x../", "[%pos x.x../", `23: move 2, a1-a5: it leads to the position o.x../...../...../...../..... 1, not x.x../`},
		{"quixo", "1:!offer {[%at 2026-11-21T18:00:12.000Z]}", "1:!resignation {[%at 2026-11-21T18:00:12.000Z]}", `25: 2:!decline after move 2: the game is over by then (resignation)`},
		{"quixo", "2:!decline", "3:!decline", `25: 3:!decline after move 2: there is no seat 3 in this game`},
		{"quixo", "!pause", "!resume", `28: !resume after move 3: there is no pause to resume from`},
		{"quixo", "!resume", "!pause", `29: !pause after move 3: the game is paused already`},
		{"quixo", "!resume {[%at 2026-11-21T18:12:00.000Z]}\n", "", `29: move 4, b1-b5: the game is paused`},
		{"quixo", "[%clk 0:09:54.750]", "[%clk 0:09:54.751]", `23: move 2, a1-a5: it leaves seat 2 with 0:09:54.750 on the clock, not 0:09:54.751`},
		{"quixo", "[%emt 0:00:31]", "[%emt 0:00:30]", `30: move 4, b1-b5: it took 0:00:31, not 0:00:30`},
		{"quixo", "[%for 0:01:12.345]", "[%for 0:01:17]", `26: !outage after move 2: it began at 2026-11-21T18:00:13.000Z, before what stands above it (2026-11-21T18:00:14.500Z)`},
		{"quixo", "18:00:12.000Z", "18:00:08.000Z", `24: 1:!offer after move 2: it came at 2026-11-21T18:00:08.000Z, before what stands above it (2026-11-21T18:00:09.250Z)`},
		{"quixo", `TimeControl2 "600"`, `TimeControl2 "5"`, `23: move 2, a1-a5: time was up before that; the flag of seat 2 fell at 2026-11-21T18:00:09.000Z`},
		{"quixo", `TimeControl2 "600"`, `TimeControl2 "none"`, `23: move 2, a1-a5: seat 2 plays without a clock`},
		{"quixo", `"oox../`, `"xox../`, `18: the moves lead to oox../`},
		{"quixo", "\n1,1\n", "\n1,2\n", `9: the moves end the game with 1,1 (agreement), not with 1,2`},
		{"quixo", `"agreement"`, `"length"`, `17: the game ends by agreement, not by length`},
		{"quixo", "!agreement {[%by 1] [%at 2026-11-21T18:12:58.000Z]}\n", "", `9: the game is not over after the last move, but the result is 1,1`},
		{"over-the-board", "2:!resignation", "", `5: the game is not over`},
		{"over-the-board", "2:!resignation 1,2", "1:!time 1,2", `5: the moves end the game with 2,1 (time), not with 1,2`},
		{"quits-four", "2:!time {[%at 2026-11-21T18:00:57.987Z]}", "2:!time {[%at 2026-11-21T18:00:57.986Z]}", `52: 2:!time after move 35: its flag did not fall then; the flag of seat 2 fell at 2026-11-21T18:00:57.987Z`},
		{"quits-four", "2:!time {[%at 2026-11-21T18:00:57.987Z]}\n", "", `52: move 36, 3:a3>e3: seat 3 is not awaited now`},
		{"quivive-aborted", `"aborted"`, `"unfinished"`, `17: the game was broken off, so it must be aborted`},
		{"quivive-aborted", "the hall closes}\n", "the hall closes}\n1:!offer {[%at 2026-11-21T18:00:30.884Z]}\n", `41: 1:!offer after move 20: the game was broken off before that`},
		{"quiwin", "1. 2:g22", "1. g22", `19: move 1, g22: a move of quiwin/duel names its seat`},
		{"quiwin", "1. 2:g22", "1. 2:y23", `32: move 14, 2:y23: y23 is not legal: there is no y23 in your hand; legal: g22 o25`},
		{"quiwin", `[Commitment "6`, `[Commitment "7`, `9: the game's seed has the commitment 630a22`},
	} {
		text := recordFile(t, test.file)
		if !strings.Contains(text, test.old) {
			t.Fatalf("%s lacks %q", test.file, test.old)
		}
		text = strings.Replace(text, test.old, test.changed, 1)
		if test.changed == "\n1,2\n" {
			text = strings.Replace(text, `[Result "1,1"]`, `[Result "1,2"]`, 1)
		}
		r, lines, err := record.NewReader(strings.NewReader(text)).Next()
		if err != nil {
			t.Errorf("%s with %q: %v", test.file, test.changed, err)
			continue
		}
		if !hasFault(record.Check(r).Faults, lines, test.want) {
			t.Errorf("%s with %q for %q: faults %v, want %s", test.file, test.changed, test.old, record.Check(r).Faults,
				test.want)
		}
	}
}

// hasFault looks for a fault at a line, written "line: beginning of the message".
func hasFault(faults []record.Fault, lines record.Lines, want string) bool {
	for _, f := range faults {
		if strings.HasPrefix(strconv.Itoa(lines.Of(f))+": "+f.Message, want) {
			return true
		}
	}
	return false
}

// TestNotes: what cannot be judged is no fault, but a note.
func TestNotes(t *testing.T) {
	for _, test := range []struct{ file, old, changed, want string }{
		{"running", "", "", "the seed is shown when the game is over"},
		{"over-the-board", "[Termination \"resignation\"]\n", "", "the tag Termination is missing; it would be resignation"},
		{"quixo", "2:!decline {[%at 2026-11-21T18:00:14.500Z]}", "2:!decline", "the clocks were not checked: line 4 of the moves"},
		{"quixo", "[%clk 0:04:59]", "[%clk 0:04:58]", "the clocks after that were not checked"},
		{"quixo", "4. b1-b5", "4. c3-c4", "the 2 lines after that were not judged"},
		{"quixo", "4. b1-b5", "4. ?", "move 4 is not told; the moves from there on were not judged"},
	} {
		text := strings.Replace(recordFile(t, test.file), test.old, test.changed, 1)
		report := record.Check(parse(t, text))
		if notes := strings.Join(report.Notes, "\n"); !strings.HasPrefix(notes, test.want) {
			t.Errorf("%s with %q: notes %q, faults %v; want %q", test.file, test.changed, report.Notes, report.Faults, test.want)
		}
	}
}
