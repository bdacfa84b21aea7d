package moves_test

import (
	"encoding/hex"
	"net/http"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/engine/chance"
	"quatuor/engine/table"
)

// TestAGameThatIsNotDealtYet looks at the page of a game with nonces of its seats, from its creation to its end.
func TestAGameThatIsNotDealtYet(t *testing.T) {
	f := apitest.NewFurnished(t)
	nonces := []chance.Nonce{{1, 0xee}, {2, 0xee}}
	server := f.Open(table.NewGame{
		ID: "pool", Variant: "quiwin/duel", Players: []string{"p1", "p2"}, Controls: []string{"none"}, Nonces: true,
	}).Game.SeedHex
	send := func(seat int8, do func(n table.Nonce) (*table.Snapshot, error)) {
		t.Helper()
		n := nonces[seat-1]
		nonce := table.Nonce{Act: table.Act{Game: "pool", Seat: seat}, Nonce: n, Commitment: n.Commitment()}
		_, err := do(nonce)
		f.Do(err)
	}
	commit := func(n table.Nonce) (*table.Snapshot, error) {
		return f.Tables.CommitNonce(t.Context(), f.Tables.Arrive("pool"), n)
	}
	reveal := func(n table.Nonce) (*table.Snapshot, error) {
		return f.Tables.SendNonce(t.Context(), f.Tables.Arrive("pool"), n)
	}
	look := func(as string, has, lacks []string) {
		t.Helper()
		apitest.WellFormed(t, string(f.Get("/games/pool", as).Want(t, http.StatusOK).Has(t, has...).Lacks(t, lacks...).Raw))
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
	f.Act("pool", 1, f.Tables.Resign)
	look("", []string{"Seed of the shuffle", "The server’s part of it", server, "<code>quatuor verify FILE</code>"}, nil)
}

// TestAGameWithoutWhatASeatAdds lets the time of a seat's nonce pass: the page shows it, and the consequence.
func TestAGameWithoutWhatASeatAdds(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Open(table.NewGame{
		ID: "pool", Variant: "quiwin/duel", Players: []string{"p1", "p2"}, Controls: []string{"none"}, Nonces: true,
	})
	own := chance.Nonce{7}
	act := table.Nonce{Act: table.Act{Game: "pool", Seat: 1}, Nonce: own, Commitment: own.Commitment()}
	_, err := f.Tables.CommitNonce(t.Context(), f.Tables.Arrive("pool"), act)
	f.Do(err)
	has := func(texts ...string) {
		t.Helper()
		apitest.WellFormed(t, string(f.Get("/games/pool", "").Want(t, http.StatusOK).Has(t, texts...).Raw))
	}
	has("whoever has sent nothing by then has no part in the shuffle", "Nothing has arrived yet.",
		"It is bound to a number")
	f.Pass(11 * time.Minute)
	_, err = f.Tables.SendNonce(t.Context(), f.Tables.Arrive("pool"), act)
	f.Do(err)
	has(
		"Nothing: it sent no commitment in time",
		"sent nothing for the shuffle in time", "Commitment to the shuffle", hex.EncodeToString(own[:]),
	)
}
