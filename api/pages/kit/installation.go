package kit

import (
	"context"
)

// Installation is the service as its operator sees it.
type Installation interface {
	State(ctx context.Context) State
	// StartCheck begins a check of everything that is stored, unless one is under way.
	StartCheck()
}

// State is how the service is at a moment.
type State struct {
	Version  string
	Postgres bool  // backups are made by PostgreSQL's own programs
	Backup   int64 // when the last one was made, ms UTC; 0 for none
	Free     int64 // bytes on the disk of the data folder, 0 where that is not known
	Total    int64
	Data     int64 // bytes of the database, 0 where that is not known
	Check    CheckState
}

// CheckState is how the last check ended, or that it is under way. The zero CheckState is before the first.
type CheckState struct {
	Running bool
	At      int64 // when it ended, ms UTC
	Good    bool
	Text    string // what it found
}
