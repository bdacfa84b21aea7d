package message_test

import (
	"strings"
	"testing"

	"quatuor/api/pages/message"
	"quatuor/engine/sentence"
	"quatuor/tournament"
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

// TestPointsInSentences are written like those in tables.
func TestPointsInSentences(t *testing.T) {
	score := sentence.New("%s have %s and %s points", "Ada and Bob", tournament.Points(35), tournament.Points(23))
	for language, want := range map[string]string{"en": "Ada and Bob have 3½ and 2.3 points", "de": "3½ und 2,3", "fr": "3½ et 2,3"} {
		if got := message.Load().Match(language).Told(score); !strings.Contains(got, want) {
			t.Errorf("%s: %s", language, got)
		}
	}
}
