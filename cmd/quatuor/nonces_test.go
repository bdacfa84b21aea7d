package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/harness"
	"quatuor/engine/chance"
)

// TestVerifyWhatSeatsAddedToASeed kills the server before every step of a game with nonces of its seats, plays it to
// its end, and lets `quatuor verify` and `quatuor check` compute it again.
func TestVerifyWhatSeatsAddedToASeed(t *testing.T) {
	skipInShort(t, "kills servers")
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open")
	ctx := t.Context()
	ada, bob := p.Register(ctx, "ada", "Ada L."), p.Register(ctx, "bob", "Bob M.")
	var game struct {
		harness.Game
		Chance struct {
			ServerCommitment string `json:"server_commitment"`
		} `json:"chance"`
	}
	err := ada.Post(ctx, "/games", map[string]any{
		"variant": "quiwin/duel", "time_control": "300", "nonces": true,
		"seats": []map[string]string{{"player_id": ada.ID}, {"player_id": bob.ID}},
	}, &game)
	if err != nil {
		t.Fatal(err)
	}
	nonces := []chance.Nonce{{1}, {2}}
	for step := range 4 {
		seat, what, text := step%2, "commitment", nonces[step%2].Commitment()
		if step >= 2 {
			what, text = "nonce", hex.EncodeToString(nonces[seat][:])
		}
		p.Kill()
		p = serve(t, data)
		ada.Base, bob.Base = p.URL, p.URL
		if err := []harness.Player{ada, bob}[seat].Post(ctx, "/games/"+game.ID+"/nonce",
			map[string]any{"seat": seat + 1, what: text}, nil); err != nil {
			t.Fatal(err)
		}
	}
	playOut(ctx, t, game.ID, ada, bob)
	answer, err := p.Client().Send(ctx, "GET", "/games/"+game.ID+"/record", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	record, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	p.Stop()
	var out, errs bytes.Buffer
	if status := run([]string{"verify"}, bytes.NewReader(record), &out, &errs); status != exitOK {
		t.Errorf("verify ends with %d: %s%s", status, &out, &errs)
	}
	for _, want := range []string{
		"all that chance decided follows from the seed",
		"agrees: the server's seed has the commitment that was published, " + game.Chance.ServerCommitment,
		"agrees: the game's seed is made of the server's seed and of what the seats added",
		"agrees: the nonce of seat 2 has the SHA-256 " + nonces[1].Commitment(),
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("verify does not say %q:\n%s", want, &out)
		}
	}
	if said, err := command(t, "check", "--data", data).CombinedOutput(); err != nil {
		t.Errorf("check: %v\n%s", err, said)
	}
}
