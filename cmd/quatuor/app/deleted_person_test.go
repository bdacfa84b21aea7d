package app

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
)

// hintPatience is longer than a hint takes, and shorter than an instance keeps a name without a hint.
const hintPatience = 5 * time.Second

// TestADeletedPersonIsGoneFromEveryInstance: an instance that has shown a person shows the name no more once another has
// deleted the account, whatever it keeps in memory.
func TestADeletedPersonIsGoneFromEveryInstance(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL")
	}
	all := instances(t, dbtest.Cluster(t, "fsync=off").Schema(t), 2, nil)
	zyx, bob := player(t, all, "zyxelinde"), player(t, all, "bob")
	makeOrganiser(t, all, bob[0].Token)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var cup, game harness.Game
	must(bob[0].Post(t.Context(), "/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "300+3", "rated": true,
	}, &cup))
	at := "/tournaments/" + cup.ID
	must(bob[0].Post(t.Context(), at+"/open", nil, nil))
	for _, p := range [][]harness.Player{zyx, bob} {
		must(p[0].Post(t.Context(), at+"/entries", map[string]any{"player_id": p[0].ID}, nil))
	}
	for _, act := range []string{"/close", "/start", "/rounds"} {
		must(bob[0].Post(t.Context(), at+act, nil, nil))
	}
	must(bob[0].Post(t.Context(), "/games", map[string]any{
		"variant": "quixo/duel", "time_control": "300+3", "start": "now",
		"seats": []map[string]string{{"player_id": bob[0].ID}, {"player_id": zyx[0].ID}},
	}, &game))
	must(zyx[0].Post(t.Context(), "/games/"+game.ID+"/resign", map[string]any{}, nil))
	var round struct {
		Pairings []struct {
			Game string `json:"game_id"`
		} `json:"pairings"`
	}
	must(bob[0].Get(t.Context(), at+"/rounds/1", &round))
	must(zyx[0].Post(t.Context(), "/games/"+round.Pairings[0].Game+"/resign", map[string]any{}, nil))
	must(bob[0].Post(t.Context(), at+"/finish", nil, nil))

	paths := []string{
		"/players", "/players/" + zyx[0].ID, "/games/" + game.ID, at, "/games",
		"/api/v1/players", "/api/v1/players/" + zyx[0].ID, "/api/v1/games/" + game.ID, "/api/v1/games/" + game.ID + "/record",
		"/api/v1" + at, "/api/v1" + at + "/entries", "/api/v1" + at + "/standings", "/api/v1" + at + "/export?format=trf",
	}
	for _, a := range all {
		for _, path := range paths {
			if text := read(t, a.URL()+path, bob[0].Token); path != "/api/v1"+at && !strings.Contains(text, "zyxelinde") {
				t.Errorf("%s names nobody before:\n%.300s", path, text)
			}
		}
	}
	left, err := zyx[0].Send(t.Context(), http.MethodDelete, "/me", map[string]any{"password": "a long pass phrase of the club"})
	must(err)
	must(left.Body.Close())
	if left.StatusCode != http.StatusNoContent {
		t.Fatal(left.Status)
	}
	for i, a := range all {
		for _, path := range paths {
			begin := time.Now()
			for strings.Contains(read(t, a.URL()+path, bob[0].Token), "zyxelinde") {
				if time.Since(begin) > hintPatience {
					t.Fatalf("instance %d still has the name at %s", i, path)
				}
			}
		}
		if err := zyx[i].Get(t.Context(), "/me", nil); err == nil {
			t.Errorf("instance %d still knows the account", i)
		}
	}
}

// read returns an address's answer to the owner of a token.
func read(t *testing.T, address, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v\n%s", address, answer.Status, err, text)
	}
	return string(text)
}
