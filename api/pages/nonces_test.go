package pages

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"quatuor/engine/chance"
	"quatuor/engine/table"
)

// TestAGameThatIsNotDealtYet looks at the page of a game whose seats add to its seed, from its creation to its end.
func TestAGameThatIsNotDealtYet(t *testing.T) {
	w := newTown(t).furnish()
	nonces := []chance.Nonce{{1, 0xee}, {2, 0xee}}
	games, err := w.Open(t.Context(), table.NewGame{
		ID: "pool", Variant: "quiwin/duel", Players: []string{"p1", "p2"},
		Controls: []string{"none"}, Nonces: true, Start: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	send := func(seat int8, do func(n table.Nonce) (*table.Snapshot, error)) {
		t.Helper()
		n := nonces[seat-1]
		nonce := table.Nonce{Act: table.Act{Game: "pool", Seat: seat}, Nonce: n, Commitment: n.Commitment()}
		if _, err := do(nonce); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(n table.Nonce) (*table.Snapshot, error) { return w.CommitNonce(t.Context(), w.Arrive("pool"), n) }
	reveal := func(n table.Nonce) (*table.Snapshot, error) { return w.SendNonce(t.Context(), w.Arrive("pool"), n) }
	server := games[0].Game.SeedHex
	look := func(as string, has, lacks []string) {
		t.Helper()
		html := w.page("/games/pool", as)
		for _, text := range has {
			if !strings.Contains(html, text) {
				t.Errorf("%q does not see %q in\n%s", as, text, html)
			}
		}
		for _, text := range lacks {
			if strings.Contains(html, text) {
				t.Errorf("%q sees %q in\n%s", as, text, html)
			}
		}
		wellFormed(t, html)
	}
	first := hex.EncodeToString(nonces[0][:])
	secrets := []string{server, first, "tiles in hand"}
	waiting := []string{
		"Nothing has been dealt yet", "Deadline:", "Commitment to the server’s part", "to add to the shuffle",
	}
	look("", waiting, append(secrets, "Commitment to the shuffle"))
	send(1, commit)
	look("", append(waiting, nonces[0].Commitment(), "is bound to a number"), secrets)
	send(2, commit)
	send(1, reveal)
	look("", append(waiting, nonces[0].Commitment()), secrets)
	look("p1", append(waiting, first), []string{server, "tiles in hand"})
	send(2, reveal)
	look("", []string{first, "Commitment to the shuffle", "tiles in hand", "Commitment to the server’s part"}, []string{
		"Nothing has been dealt", "Hand of seat", server,
	})
	w.act("pool", 1, w.Resign)
	look("", []string{"Seed of the shuffle", "The server’s part of it", server, "<code>quatuor verify FILE</code>"}, nil)
}

// TestAGameWithoutWhatASeatAdds lets one seat's time pass: the page shows it, and the consequence.
func TestAGameWithoutWhatASeatAdds(t *testing.T) {
	w := newTown(t).furnish()
	if _, err := w.Open(t.Context(), table.NewGame{
		ID: "pool", Variant: "quiwin/duel", Players: []string{"p1", "p2"},
		Controls: []string{"none"}, Nonces: true, Start: true,
	}); err != nil {
		t.Fatal(err)
	}
	own := chance.Nonce{7}
	act := table.Nonce{Act: table.Act{Game: "pool", Seat: 1}, Nonce: own, Commitment: own.Commitment()}
	if _, err := w.CommitNonce(t.Context(), w.Arrive("pool"), act); err != nil {
		t.Fatal(err)
	}
	has := func(texts ...string) {
		t.Helper()
		html := w.page("/games/pool", "")
		for _, text := range texts {
			if !strings.Contains(html, text) {
				t.Errorf("there is no %q in\n%s", text, html)
			}
		}
		wellFormed(t, html)
	}
	has("whoever has sent nothing by then has no part in the shuffle", "Nothing has arrived yet.", "It is bound to a number")
	w.now = w.now.Add(11 * time.Minute)
	if _, err := w.SendNonce(t.Context(), w.Arrive("pool"), act); err != nil {
		t.Fatal(err)
	}
	has(
		"Nothing: it sent no commitment in time",
		"sent nothing for the shuffle in time", "Commitment to the shuffle", hex.EncodeToString(own[:]),
	)
}
