// Package systems reads which rating system rates which list, from a file that the operator of an installation writes, and
// sees to it that a list is never rated by two systems.
//
// The file is JSON. The first entry whose pattern fits a list counts; a list that none fits is rated with Elo in club mode.
//
//	{"lists": [
//	  {"list": "quiwin-*", "system": "glicko2", "set": {"tau": 0.5}},
//	  {"list": "quits-blitz", "system": "plackett-luce"},
//	  {"list": "*", "system": "elo-club", "pair_limit": {"games": 20, "period": "month"},
//	   "bands": [{"from": 2000, "title": "Expert"}, {"from": 1700, "title": "Class A"}],
//	   "active_days": 365, "provisional": 10}
//	]}
//
// A pattern is a family and a class of speed, or "*" in the place of either, or "*" alone. Nothing that is unknown is
// passed over: a member that does not exist, one that stands twice, a figure that the system does not have or that makes no
// sense, and a pattern that can fit nothing are errors that say what would be right.
package systems
