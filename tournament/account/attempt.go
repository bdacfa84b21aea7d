package account

// Charge is an attempt against a limit, counted by all instances together: the generic cell rate algorithm, each
// attempt moving the theoretical arrival time of its key by Interval. Times are in microseconds.
type Charge struct {
	Key       string // hash of the limited subject; charges made together are ordered by key
	Interval  int64  // emission interval
	Tolerance int64  // of a burst, no less than Interval
}

// Debt is the result of a charge.
type Debt struct {
	Counted bool
	Ahead   int64 // microseconds until the theoretical arrival time
}
