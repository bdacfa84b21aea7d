package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/app"
)

// Example starts the program on an empty database, requests a variant's opening moves as a client, and shows what a
// refusal looks like.
func Example() {
	server, stop := start()
	defer stop()
	ctx := context.Background()
	c := client.New(server, http.DefaultTransport)

	var shown struct {
		Position string              `json:"position"`
		Legal    map[string][]string `json:"legal"`
	}
	record := map[string]any{"variant": "quits/short", "moves": []string{"a2-b3"}}
	if err := c.Post(ctx, "/replay", record, &shown); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(shown.Position)
	fmt.Println(len(shown.Legal["2"]), "moves for seat 2")

	var refused *client.Problem
	err := c.Get(ctx, "/games/no-such-game", nil)
	fmt.Println(errors.As(err, &refused), refused.Status, refused.Type)
	// Output:
	// ...2./...22/.1.../.1.../.1... 2 - 0,0 0
	// 11 moves for seat 2
	// true 404 /problems/not-found
}

// start runs the program on an empty database.
func start() (address string, stop func()) {
	dir, err := os.MkdirTemp("", "quatuor-example-*")
	if err != nil {
		panic(err)
	}
	a, err := app.New(context.Background(), app.Config{
		Storage: app.Storage{Data: dir}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(a.Handler)
	return server.URL, func() {
		server.Close()
		a.Close()
		_ = os.RemoveAll(dir)
	}
}
