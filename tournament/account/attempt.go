package account

// Charge is one attempt of a kind of which only so many are allowed, counted by all instances together: the generic
// cell rate algorithm, each attempt moving the theoretical arrival time of its key by Cost. Times are in microseconds.
type Charge struct {
	Key  string // hash of the limited subject; charges made together are ordered by key
	Cost int64  // emission interval
	Room int64  // burst, no less than Cost
}

// Debt is the result of a charge.
type Debt struct {
	Counted bool
	Owed    int64 // microseconds until the theoretical arrival time
}
