package main

import (
	"context"

	"quatuor/cmd/quatuor/app"
)

// publishCmd writes tournaments as files.
type publishCmd struct {
	storage `embed:""`

	Folder     string   `arg:"" help:"Folder to write to: empty, missing, or written by this command before." type:"path" name:"folder"`
	Tournament []string `help:"Tournament to publish, by its id; all that are public if left out." placeholder:"ID"`
}

// Run writes the files, whether the service runs on the data or not.
func (c publishCmd) Run(ctx context.Context, s streams) error {
	db, err := c.openToRead(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return app.Publish(ctx, db, c.Folder, c.Tournament, s)
}
