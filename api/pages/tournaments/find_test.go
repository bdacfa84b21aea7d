package tournaments_test

import (
	"fmt"
	"slices"
	"testing"

	"quatuor/api/pages/tournaments"
	"quatuor/tournament"
)

func TestMark(t *testing.T) {
	html := tournaments.Mark(`<tr data-n="1 12"><td>1</td></tr><tr data-n="2"></tr><tr data-n="12">`, []int{12})
	want := `<tr class="me" data-n="1 12"><td>1</td></tr><tr data-n="2"></tr><tr class="me" data-n="12">`
	if string(html) != want {
		t.Errorf("%s", html)
	}
	if html := tournaments.Mark(`<tr data-n="`, []int{1}); html != `<tr data-n="` {
		t.Errorf("%s", html)
	}
}

func TestFind(t *testing.T) {
	tuesday := &tournament.Tournament{}
	for i, name := range []string{
		"Ada Lovelace", "Charles Babbage", "Émilie du Châtelet", "Sofja Kowalewskaja", "Srinivasa Ramanujan",
		"Maria-Magdalena von Waldenburg-Zeil", "Paul Erdős", "Emmy Noether",
	} {
		tuesday.Entries = append(tuesday.Entries, tournament.Entry{
			ID: fmt.Sprint("e", i+1), Number: i + 1, Name: name, Members: []string{fmt.Sprint("p", i+1)},
			Status: tournament.Confirmed,
		})
	}
	for _, c := range []struct {
		text, player string
		asked        bool
		want         []int
	}{
		{"", "", false, nil},
		{"", "p3", false, []int{3}},
		{"", "p3", true, nil},
		{"3", "", true, []int{3}},
		{"99", "", true, nil},
		{"EMILIE", "", true, []int{3}},
		{" erdos ", "p1", true, []int{7}},
		{"o", "", true, []int{1, 4, 6, 7, 8}},
		{"nobody at all", "p1", true, nil},
	} {
		if got := tournaments.Find(tuesday, c.text, c.asked, c.player); !slices.Equal(got.Numbers, c.want) {
			t.Errorf("%q of %q: %v, want %v", c.text, c.player, got.Numbers, c.want)
		}
	}
}
