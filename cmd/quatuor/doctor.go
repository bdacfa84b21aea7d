package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/doctor"
	"quatuor/store"
)

// doctorCmd finds faults of an installation.
type doctorCmd struct {
	storage      `embed:""`
	backupFolder `embed:""`

	Listen      string `help:"Address on which the service listens, as for serve." default:"127.0.0.1:8080" placeholder:"ADDR"`
	LAN         bool   `name:"lan" help:"The local network is to reach the service."`
	PublicURL   string `help:"Address under which people reach the service, as for serve." placeholder:"URL"`
	AcceptClock bool   `help:"Accept the clock of this machine, which the last heartbeat is ahead of: the open games go on by it. The service must be stopped."`

	BaseURL string `help:"Address to go through instead, such as that of a proxy." placeholder:"URL"`
}

// errUnsound is the error of a broken installation.
var errUnsound = errors.New("something is broken")

// Run examines the data and the way to the service, and prints a line for each check.
func (c doctorCmd) Run(ctx context.Context, s streams) error {
	dir, err := c.folder("quatuor check, quatuor ready and the database's own tools")
	if err != nil {
		return err
	}
	if c.AcceptClock {
		if err := acceptClock(ctx, dir, s.Out); err != nil {
			return err
		}
	}
	installed := c.plain().Examination(c.keeper(ctx, dir))
	installed.Thorough = true
	found := installed.Examine(ctx)
	c.Data = dir
	if found[len(found)-1].Check != "data" {
		running, err := store.InUse(dir)
		if err != nil {
			return err
		}
		way := doctor.Way{
			Running: running, Listen: c.Listen, LAN: c.LAN, Base: cmp.Or(c.BaseURL, c.PublicURL),
			Private: app.PrivateAddress(), Client: http.DefaultClient,
		}
		found = append(found, way.Examine(ctx)...)
	}
	for _, f := range found {
		fmt.Fprintf(s.Out, "%-7s %-9s %s\n", f.Verdict, f.Check, f.What)
		if f.Verdict == doctor.Broken {
			err = errUnsound
		}
	}
	return err
}

// acceptClock has the games that are not over go on by this machine's clock.
func acceptClock(ctx context.Context, dir string, out io.Writer) (err error) {
	if _, err := os.Stat(store.DatabaseFile(dir)); err != nil {
		return fmt.Errorf("there is no database whose clock could be accepted: %w", err)
	}
	db, err := store.Open(ctx, store.Config{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	games, by, err := db.Games().SetBack(ctx, time.Now().UnixMilli())
	if err != nil {
		return err
	}
	if by == 0 {
		fmt.Fprintln(out, "the last heartbeat is not ahead of the clock; nothing was changed")
		return nil
	}
	fmt.Fprintf(out, "the clock is accepted: it is %s behind the last heartbeat, and %d open games were set back by that\n",
		time.Duration(by)*time.Millisecond, games)
	return nil
}
