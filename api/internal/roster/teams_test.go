package roster_test

import (
	"strings"
	"testing"

	"quatuor/api/internal/roster"
)

func TestReadTeams(t *testing.T) {
	teams, err := roster.ReadTeams("Blue Team: Anna Berg 1650, Bert Carl\r\n\n Red :Dorn, C; Edel, D 900 ; \n", 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []roster.Team{
		{"Blue Team", []roster.Name{{Name: "Anna Berg", Rating: 1650}, {Name: "Bert Carl"}}},
		{"Red", []roster.Name{{Name: "Dorn, C"}, {Name: "Edel, D", Rating: 900}}},
	}
	if len(teams) != len(want) {
		t.Fatalf("%v", teams)
	}
	for i := range want {
		if teams[i].Name != want[i].Name || len(teams[i].Players) != 2 || teams[i].Players[0] != want[i].Players[0] ||
			teams[i].Players[1] != want[i].Players[1] {
			t.Errorf("read %v, want %v", teams[i], want[i])
		}
	}
	for text, says := range map[string]string{
		"":                             "at least one team",
		"Anna, Bert":                   "line 1: write the name of the team, a colon and its 2 players",
		"\nBlue: Anna":                 "line 2: 1 players are named for Blue, and a team has 2",
		"Blue: Anna, Bert, Carl":       "3 players are named",
		": Anna, Bert":                 "the name of the team cannot be taken",
		"Blue: Anna, anna":             "anna is named twice in Blue",
		"Blue: Anna 9999, Bert":        "no rating from 1 to 5000",
		"Blue: An\u202ena, Bert":       "the name cannot be taken",
		strings.Repeat("x:a,b\n", 501): "501 teams are too many",
	} {
		if _, err := roster.ReadTeams(text, 2); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v, want %q", text, err, says)
		}
	}
}
