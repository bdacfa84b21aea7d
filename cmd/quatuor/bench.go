package main

import (
	"context"
	"time"

	"quatuor/cmd/quatuor/bench"
)

// benchCmd measures a server through real HTTP, with as many clients as connections.
type benchCmd struct {
	What        string        `help:"What to measure: ${enum}." enum:"moves,flags,spectators,accounts,growth,readers,deadlines,ends,hall" default:"moves"`
	Server      []string      `help:"Address of a server with open registration, such as http://127.0.0.1:8080; without it one is started. Several, separated by commas, are instances of one service: the players of a game, and its readers, are spread over them." placeholder:"URL"`
	Connections int           `help:"Clients at once, each with a connection of its own; for readers, games at once." default:"64"`
	Duration    time.Duration `help:"How long each measurement lasts." default:"5s"`
	Runs        int           `help:"How often everything is measured." default:"1"`
	NoGroup     bool          `help:"Give every write a transaction of its own, to see what sharing them is worth. Only without --server."`
	Clocks      int           `help:"For flags: number of further clocks that run." default:"10000"`
	FlagRate    int           `help:"For flags: how many fall in a second." default:"1250"`
	Spectators  int           `help:"For spectators, and for streams of accounts: how many there are." default:"5000"`
	Games       int           `help:"For growth: how many games the smallest database holds; the others hold ten and a hundred times as many." default:"1000"`
	HallGames   int           `help:"For hall, on one core: how many games run." default:"500"`
	HallReaders int           `help:"For hall: how many streams of events are open." default:"2000"`
	HallPlayers int           `help:"For hall: how many players a tournament has." default:"200"`
	Profile     string        `help:"For moves: write a CPU profile of the server while they are played to this file. Only without --server." type:"path" placeholder:"FILE"`
	JSON        bool          `name:"json" help:"Print one line of JSON for each measurement instead of a table."`
}

// Run measures and prints.
func (c benchCmd) Run(ctx context.Context, s streams) error {
	return bench.Run(ctx, bench.Config(c), s)
}
