package api_test

import (
	"encoding/hex"
	"net/http"
	"testing"
	"time"

	"quatuor/engine/chance"
	"quatuor/engine/table"
)

// TestAGameThatIsNotDealtYet looks at the page of a game whose seats add to its seed, from its creation to its end.
func TestAGameThatIsNotDealtYet(t *testing.T) {
	f := newFurnished(t)
	nonces := []chance.Nonce{{1, 0xee}, {2, 0xee}}
	server := f.open(table.NewGame{
		ID: "pool", Variant: "quiwin/duel", Players: []string{"p1", "p2"}, Controls: []string{"none"}, Nonces: true,
	}).Game.SeedHex
	send := func(seat int8, do func(n table.Nonce) (*table.Snapshot, error)) {
		t.Helper()
		n := nonces[seat-1]
		nonce := table.Nonce{Act: table.Act{Game: "pool", Seat: seat}, Nonce: n, Commitment: n.Commitment()}
		_, err := do(nonce)
		f.do(err)
	}
	commit := func(n table.Nonce) (*table.Snapshot, error) {
		return f.tables.CommitNonce(t.Context(), f.tables.Arrive("pool"), n)
	}
	reveal := func(n table.Nonce) (*table.Snapshot, error) {
		return f.tables.SendNonce(t.Context(), f.tables.Arrive("pool"), n)
	}
	look := func(as string, has, lacks []string) {
		t.Helper()
		wellFormed(t, string(f.get("/games/pool", as).want(t, http.StatusOK).has(t, has...).lacks(t, lacks...).raw))
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
	f.act("pool", 1, f.tables.Resign)
	look("", []string{"Seed of the shuffle", "The server’s part of it", server, "<code>quatuor verify FILE</code>"}, nil)
}

// TestAGameWithoutWhatASeatAdds lets one seat's time pass: the page shows it, and the consequence.
func TestAGameWithoutWhatASeatAdds(t *testing.T) {
	f := newFurnished(t)
	f.open(table.NewGame{
		ID: "pool", Variant: "quiwin/duel", Players: []string{"p1", "p2"}, Controls: []string{"none"}, Nonces: true,
	})
	own := chance.Nonce{7}
	act := table.Nonce{Act: table.Act{Game: "pool", Seat: 1}, Nonce: own, Commitment: own.Commitment()}
	_, err := f.tables.CommitNonce(t.Context(), f.tables.Arrive("pool"), act)
	f.do(err)
	has := func(texts ...string) {
		t.Helper()
		wellFormed(t, string(f.get("/games/pool", "").want(t, http.StatusOK).has(t, texts...).raw))
	}
	has("whoever has sent nothing by then has no part in the shuffle", "Nothing has arrived yet.", "It is bound to a number")
	f.pass(11 * time.Minute)
	_, err = f.tables.SendNonce(t.Context(), f.tables.Arrive("pool"), act)
	f.do(err)
	has(
		"Nothing: it sent no commitment in time",
		"sent nothing for the shuffle in time", "Commitment to the shuffle", hex.EncodeToString(own[:]),
	)
}
