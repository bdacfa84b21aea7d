package ledger

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestReadGiven(t *testing.T) {
	known := func(list string) bool { return list == "quixo-blitz" || list == "quits-rapid" }
	got, err := ReadGiven([]byte("\ufeffList,player,rating,deviation\nquixo-blitz, p1 ,1630.5,80\nquits-rapid,p1,1500,\n"),
		known)
	want := []GivenRating{{"p1", "quixo-blitz", 1630.5, 80, 2}, {"p1", "quits-rapid", 1500, 0, 3}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v", got, err)
	}
	const head = "player,list,rating,deviation\n"
	for _, tt := range []struct{ text, want string }{
		{"", "the first line must be"},
		{head, "no line after the first"},
		{"player,list\n", "the column rating is missing"},
		{"player,list,rating,elo\n", `not "elo"`},
		{"player,player,list,rating\n", `each once`},
		{head + "p1,quixo-blitz,-5,\n", `line 2: rating: "-5" is not a number from 1 to 10000`},
		{head + "p1,quixo-blitz,NaN,\n", `"NaN" is not a number`},
		{head + "p1,quixo-blitz,+Inf,\n", `"+Inf" is not a number`},
		{head + "p1,quixo-blitz,1e9,\n", `"1e9" is not a number`},
		{head + "p1,quixo-blitz,1500,-1\n", "deviation:"},
		{head + "p1,chess-blitz,1500,\n", `there cannot be a list "chess-blitz"`},
		{head + ",quixo-blitz,1500,\n", "the id of the player is missing"},
		{head + "p1,quixo-blitz,1500,\np1,quixo-blitz,1600,\n", "line 3: player p1 stands in quixo-blitz on line 2 already"},
		{head + "p1,quixo-blitz\n", "wrong number of fields"},
		{head + "p1,quixo-blitz," + strings.Repeat("9", 400) + ",\n", "is not a number"},
		{head + many20k(), "more than 20000 lines"},
	} {
		if _, err := ReadGiven([]byte(tt.text), known); !errors.Is(err, ErrGiven) ||
			!strings.Contains(err.Error(), tt.want) || len(err.Error()) > 300 {
			t.Errorf("%.80q: %v, not %q", tt.text, err, tt.want)
		}
	}
}

func many20k() string {
	var b strings.Builder
	for i := range MaxGiven + 1 {
		fmt.Fprintf(&b, "p%d,quixo-blitz,1500,\n", i)
	}
	return b.String()
}
