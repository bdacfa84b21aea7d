// Package clock is the arithmetic of game clocks: time controls and the clocks of a game as immutable values.
//
// Nothing here reads the time. Every time is an argument: an int64 of milliseconds on a scale that the caller chooses
// (the tables use milliseconds since 1970, UTC). All arithmetic is exact in whole milliseconds.
//
// # Time controls
//
//	control = "none" | N "days" | stage *( ":" stage )
//	stage   = [ moves "/" ] base [ "+" inc | "d" delay | "b" bonus | "y" periods "x" period ]
//
// How R, the time that a seat has left at the start of its turn, changes when the turn lasted e:
//
//	300          sudden death       R − e                                    flag at start + R
//	300+3        Fischer            R − e + inc                              flag at start + R
//	300d5        simple delay       R − max(0, e − delay)                    flag at start + delay + R
//	300b5        Bronstein          R − e + min(e, bonus)                    flag at start + R
//	600y5x30     byo-yomi           R − e while e ≤ R; then whole periods    flag at start + R + periods · period
//	40/5400:1800 stages             by the stage's rule; the next base is added with the last move of a stage
//	3days        correspondence     3 days after every move                  flag at start + R
//	none         no clock           –                                        never
//
// # What ends, keeps or starts a turn
//
//	event                             the seat's turn
//	its own move                      ends: charged, with increment or bonus; a new one if it is awaited again
//	others' events, still awaited     goes on
//	others' events, awaited no more   withdrawn: charged, without increment, bonus, lag credit or new days
//	pause and resume                  stopped in between; what it used so far is kept
//	set or add by the arbiter         goes on from the new time, with nothing used and its delay afresh
//	its flag, or leaving the game     over, with all clocks of that seat: it shows 0
//
// A move at the deadline is in time, even if it is judged later. Before an event at time t is judged, every flag with a
// deadline before t has fallen. [State.Advance] does that for clocks alone; a game with rules about the seats awaited
// after a flag calls [State.Next] and [State.Fall], flag by flag.
package clock
