package account

import "time"

// Charge is one attempt of a kind of which only so many are allowed, counted by all instances together: the generic cell rate
// algorithm, by which a key owes for a time for each attempt that it made.
type Charge struct {
	Key  string        // whose attempt it is; a hash. Charges that are made together come in the order of their keys
	Cost time.Duration // how long it is owed for
	Room time.Duration // how much may be owed: no less than Cost
}

// Debt is what came of a charge.
type Debt struct {
	Counted bool
	Owed    time.Duration // by the key now
}
