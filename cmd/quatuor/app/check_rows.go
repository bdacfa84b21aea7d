package app

import (
	"context"
	"fmt"
)

// readRows reports the rows that cannot be read, each by its place. Whatever is compared after it reads them too, so
// it returns an error if there are any.
func (c *checker) readRows(ctx context.Context) error {
	damages, err := c.db.Damages(ctx)
	if err != nil {
		return err
	}
	unreadable := 0
	for _, d := range damages {
		c.fault("%s", d)
		if d.Unreadable {
			unreadable++
		}
	}
	if unreadable > 0 {
		return fmt.Errorf("%d things are not as they should be, and nothing else was compared, because %d of them cannot be "+
			"read; a backup from before may be sound (quatuor restore checks it first)", c.faults, unreadable)
	}
	return nil
}
