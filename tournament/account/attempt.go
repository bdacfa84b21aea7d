package account

// Charge is one attempt of a kind of which only so many are allowed, counted by all instances together: the generic cell rate
// algorithm, by which a key owes for a time for each attempt that it made. Times are in microseconds.
type Charge struct {
	Key  string // whose attempt it is; a hash. Charges that are made together come in the order of their keys
	Cost int64  // how long it is owed for
	Room int64  // how much may be owed: no less than Cost
}

// Debt is what came of a charge.
type Debt struct {
	Counted bool
	Owed    int64 // by the key now, in microseconds
}
