package main

import (
	"encoding/json"
	"fmt"

	"quatuor/cmd/quatuor/app"
)

// versionCmd prints the program's build.
type versionCmd struct {
	JSON bool `name:"json" help:"Print JSON instead of text."`
}

// Run prints the version, the commit, and the versions of Go and SQLite.
func (c versionCmd) Run(s streams) error {
	b := app.CurrentBuild()
	if c.JSON {
		return json.NewEncoder(s.Out).Encode(b)
	}
	modified := ""
	if b.Modified {
		modified = ", modified"
	}
	_, err := fmt.Fprintf(s.Out, "quatuor %s\ncommit %s%s\n%s, SQLite %s in %s, %s\n", b.Version, b.Commit, modified,
		b.Go, b.SQLite, b.Library, b.Platform)
	return err
}
