// Package systems reads the operator's configuration of rating systems by list, and ensures that a list is never rated
// by two systems.
//
// The file is JSON. The first entry with a pattern that fits a list counts; a list that none fits is rated with Elo in
// club mode.
//
//	{"lists": [
//	  {"list": "quiwin-*", "system": "glicko2", "set": {"tau": 0.5}},
//	  {"list": "quits-blitz", "system": "plackett-luce"},
//	  {"list": "*", "system": "elo-club", "pair_limit": {"games": 20, "period": "month"},
//	   "bands": [{"from": 2000, "title": "Expert"}, {"from": 1700, "title": "Class A"}],
//	   "active_days": 365, "provisional": 10}
//	]}
//
// A pattern is a family and a class of speed, or "*" in the place of either, or "*" alone. Validation is strict:
// unknown and duplicate members, unknown and invalid figures, and patterns that can match nothing are errors that
// explain what would be right.
package systems
