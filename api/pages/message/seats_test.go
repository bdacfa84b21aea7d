package message_test

import (
	"testing"

	"quatuor/api/pages/message"
	"quatuor/engine/sentence"
	"quatuor/tournament/pairing"
)

// TestReasonsHaveTheSeatsOfTheGame in sentences within sentences, too, and in each language.
func TestReasonsHaveTheSeatsOfTheGame(t *testing.T) {
	due := sentence.New("mildly %s", pairing.SeatWord(pairing.Black))
	why := sentence.Join(" ", sentence.New("%s is due %s, %s %s", "Ada", due, "Bob", due), sentence.New("%s has %s", "Ada",
		pairing.SeatWord(pairing.White)))
	if english := why.String(); english != "Ada is due mildly Black, Bob mildly Black Ada has White" {
		t.Errorf("where there is no game: %s", english)
	}
	for _, test := range []struct{ language, variant, want string }{
		{"en", "quixo/duel", "Ada is due mildly ○ Circle, Bob mildly ○ Circle Ada has × Cross"},
		{"en", "quits/duel", "Ada is due mildly “Second”, Bob mildly “Second” Ada has “First”"},
		{"de", "quiwin/duel", "Ada steht „Reihe 2“ (schwach) zu, Bob „Reihe 2“ (schwach) Ada hat „Reihe 1“"},
		{"fr", "quixo/duel", "Ada devrait avoir ○ Rond (faiblement), Bob ○ Rond (faiblement) Ada a × Croix"},
	} {
		if got := string(message.Load().Match(test.language).TellSeats(test.variant, why)); got != test.want {
			t.Errorf("%s in %s: %s", test.variant, test.language, got)
		}
	}
}
