package main

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"testing"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
)

// TestLadderOverKills kills the server after every act on a ladder: nothing is lost, the places stay, and `quatuor season
// ladder` computes the same from what is exported.
func TestLadderOverKills(t *testing.T) {
	skipInShort(t, "kills servers")
	data, ctx := t.TempDir(), t.Context()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open")
	ada, bob, cleo := p.Register(ctx, "ada", "Ada L."), p.Register(ctx, "bob", "Bob M."), p.Register(ctx, "cleo", "Cleo N.")
	root := p.Client()
	if err := root.Login(ctx, "olga", crashtest.Password); err != nil {
		t.Fatal(err)
	}
	var l struct {
		ID string `json:"id"`
	}
	type list struct {
		Items []struct {
			ID    string   `json:"id"`
			Order []string `json:"order"`
		} `json:"items"`
	}
	var open, before, after list
	restart := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		p.Kill()
		p = serve(t, data)
		for _, c := range []*client.Client{ada.Client, bob.Client, cleo.Client, root} {
			c.Base = p.URL
		}
		if l.ID != "" {
			if err := root.Get(ctx, "/ladders/"+l.ID+"/challenges", &open); err != nil {
				t.Fatal(err)
			}
		}
	}
	restart(root.Post(ctx, "/ladders", map[string]any{
		"name": "Club", "variant": "quixo/duel", "time_control": "none", "venue": "hall",
	}, &l))
	path := "/ladders/" + l.ID
	for _, each := range []harness.Player{ada, bob, cleo} {
		restart(each.Post(ctx, path+"/members", map[string]any{}, nil))
	}
	restart(cleo.Post(ctx, path+"/challenges", map[string]any{"player_id": ada.ID}, nil))
	challenge := path + "/challenges/" + open.Items[0].ID
	restart(ada.Post(ctx, challenge+"/accept", nil, nil))
	restart(ada.Put(ctx, challenge+"/result", map[string]any{"score": "1"}, nil))
	restart(cleo.Put(ctx, challenge+"/result", map[string]any{"score": "1"}, nil))
	restart(root.Get(ctx, path+"/log", &before))
	restart(root.Get(ctx, path+"/log", &after))
	want := []string{cleo.ID, ada.ID, bob.ID}
	if len(open.Items) > 0 || len(after.Items) != 1 || !reflect.DeepEqual(before, after) ||
		!reflect.DeepEqual(after.Items[0].Order, want) {
		t.Fatalf("the log is %+v, and was %+v; the order should be %v", after, before, want)
	}
	answer, err := root.Send(ctx, "GET", path+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	exported, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := run([]string{"season", "ladder"}, bytes.NewReader(append(exported, '\n')), &out, &errs); status != exitOK {
		t.Fatalf("season ladder ends with %d: %s", status, &errs)
	}
	var computed struct {
		Order []string `json:"order"`
	}
	if err := json.Unmarshal(out.Bytes(), &computed); err != nil || !reflect.DeepEqual(computed.Order, want) {
		t.Errorf("season ladder has %v, %v; want %v, from %s", computed.Order, err, want, exported)
	}
	p.Stop()
	if said, err := command(t, "check", "--data", data).CombinedOutput(); err != nil {
		t.Errorf("check: %v\n%s", err, said)
	}
}
