// Package elo rates games by Elo's method in club mode: after every game, without rounding.
//
// For two sides of strength a and b, with d = a − b limited to ±400, the expected score of the first is E = 1 / (1 +
// 10^(−d/400)). With n sides each is compared with each other: S is 1 against a side of worse rank, ½ against equal
// rank and 0 against better rank, and the side changes by K / (n − 1) · Σ (S − E). The strength of a side is the mean
// of its members' ratings, its K the mean of theirs, and every member changes by the change of the side.
//
// A player starts at 1500. K depends on the player's record before the game:
//
//	2400 was reached at some time     10, for good
//	else fewer than 30 rated games    40
//	else                              20
//
// so that the first 30 games count with K 40 and the 31st is the first with K 20, unless 2400 comes earlier. A rating
// that is 2400 or more counts as having reached it, even if no game brought it there.
package elo
