package administration

import "context"

// Installation reports the state of the service to its admins.
type Installation interface {
	State(ctx context.Context) State
	// StartCheck starts a check of the whole database in the background, unless a check is running.
	StartCheck()
	// Findings returns the service's findings about its own installation; nil with PostgreSQL.
	Findings(ctx context.Context) []Finding
}

// State is a snapshot of the service's state.
type State struct {
	Version  string
	Postgres bool  // backups are left to PostgreSQL's own tools
	Backup   int64 // time of the last backup, ms UTC; 0 for none
	Free     int64 // bytes on the disk of the data folder, 0 where that is not known
	Total    int64
	Data     int64 // bytes of the database, 0 where that is not known
	Check    CheckState
}

// CheckState is the outcome of the last check, or that it is under way. The zero CheckState is before the first.
type CheckState struct {
	Running bool
	At      int64 // when it ended, ms UTC
	Good    bool
	Text    string // its report
}
