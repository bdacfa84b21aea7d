package quivive_test

import (
	"strings"
	"testing"
)

func TestParseRefusesWhatNoGameShows(t *testing.T) {
	const duel, melee = 0, 2
	for _, tc := range []struct {
		table    int
		position string
		why      string // part of the message
	}{
		{duel, "", "fields"},
		{duel, "111/11111/1111111/1111111/1111111/11111/111 1 build -", "4 fields"},
		{melee, "111/11111/1111111/1111111/1111111/11111/111 1 build", "3 fields"},
		{duel, "111/11111/1111111/1111111/11111/111 1 build", "6 ranks"},
		{duel, "1b11b/00000/000000/1000001/1a000001a/00000/000 1 play", "should read"},
		{duel, "111/11111/1111111/11111111/1111111/11111/111 1 build", "rank 4"},
		{duel, "111/11111/1111111/1114111/1111111/11111/111 1 build", "rank 4"},
		{duel, "111/11111/1111111/111c111/1111111/11111/111 1 build", "rank 4"},
		{duel, "111/11111/1111111/1111111/1111111/11111/111 3 build", "seat"},
		{duel, "111/11111/1111111/1111111/1111111/11111/111 2 build", "should be 1"},
		{duel, "111/11111/1111111/1111111/1111111/11111/111 1 place", "phase"},
		{duel, "111/11111/1111111/1113111/1111111/11111/111 1 build", "heights"},
		{duel, "111/11111/1111111/1110111/1111111/11111/111 1 build", "heights"},
		{duel, "111/11111/1111111/1111a111/1111111/11111/111 1 build", "pawns"},
		{duel, "111/11111/2222222/1111111/3331111/11111/111 1 pawns", "heights"},
		{duel, "111/11111/2222221/1111111/3a331111/11111/111 1 pawns", "should be 2"},
		{duel, "111/11111/2222221/1111111/3a3a31111/11111/111 1 pawns", "cannot have 2 pawns"},
		{duel, "111/11111/2222221/1111111/3a3b3a1b111/11111/111 1 pawns", "side 2 cannot have 2 pawns"},
		{duel, "1b11b/00000/0000000/1000001/1a000000a/00000/000 2 play", "no podium"},
		{duel, "1b11b/00000/0000000/1000001/1a000001a/00000/000 2 play", "should be 1"},
		{duel, "1b11b/00000/0000000/1000001/1a000000/00001a/010 1 play", "cannot move"},
		{duel, "1b11b/00000/0000000/1000001/1a1a00001a/00000/000 1 play", "cannot have 3 pawns"},
		{duel, "101/00000/0000000/1a000001/1000001a/00000/000 =1,2:line play", "does not end"},
		{duel, "101/00000/0000000/1a000001/1000001a/00000/000 =1,1:last play", "ranks"},
		{duel, "101/00000/0000000/1a000001/1000001a/00000/000 =1,2:length play", "ranks"},
		{duel, "101/00000/0000000/1a000001/1000001a/00000/000 =2,1:last play", "cannot have"},
		{duel, "111/11111/1111111/1111111/1111111/11111/111 =1,2:last build", "does not end"},
		{melee, "1b00/00000/0000000/1000000/1a000001/00000/000 1 play -", "cannot have 0 pawns"},
		{melee, "1b00/00000/0000000/1000000/1a000001/00000/000 1 play 3,3", "different seats"},
		{melee, "1b00/00000/0000000/1000000/1000001/00000/000 2 play 3,1", "cannot be 2"},
		{melee, "1b00/00000/0000000/1000000/1000001/00000/000 =2,1,3:time play 1,3", "do not fit"},
		{melee, "1b00/00000/0000000/1000000/1a000001/00000/000 =1,2,3:last play 3", "do not fit"},
		{melee, "111/11111/2222221/1111111/33311a11/11111/111 1 pawns -", "cannot have 1 pawns"},
	} {
		tb := tables(t)[tc.table]
		if s, err := tb.rules.Parse(tb.setup, tc.position); err == nil || s != nil || !strings.Contains(err.Error(), tc.why) {
			t.Errorf("%q: state %v, error %v; want %q in it", tc.position, s, err, tc.why)
		}
	}
}
