package main

import (
	"github.com/alecthomas/kong"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/manual"
)

// manualCmd writes the documents that packages install beside the program.
type manualCmd struct {
	Folder string `arg:"" help:"Folder to write to." type:"existingdir"`
}

// Run writes the man page and the completions of the shells.
func (c manualCmd) Run(k *kong.Kong) error { return manual.Write(c.Folder, k.Model, app.Version()) }
