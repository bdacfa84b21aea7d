// Package trials tests several instances of the program on a shared PostgreSQL: kills, freezes, crashes and promotions
// of the database, readers at other instances, moves that are made just in time, and the cost of a move and of the
// opening and the end of a game. Three processes serve a crowd of package crashtest; its checker knows what was
// acknowledged. Each trial prints a line of figures. It fails if something was lost, doubled or stale, or if a time is
// out of all proportion; times that a busy machine stretches are printed and not judged.
//
// Each trial has a short form, and a long one with QUATUOR_LONG=hours. Kills and Crashes run with each change, the
// others in their short form with QUATUOR_LONG=1. Single numbers come from QUATUOR_TRIAL_KILLS, QUATUOR_TRIAL_FREEZES,
// QUATUOR_TRIAL_CRASHES, QUATUOR_TRIAL_PROMOTIONS, QUATUOR_TRIAL_READERS, QUATUOR_TRIAL_MOVES, QUATUOR_TRIAL_ENDS,
// QUATUOR_TRIAL_LIVES and QUATUOR_TRIAL_SECONDS. The file that QUATUOR_TRIAL_RESULTS names gets a line from each.
//
// The trials send signals and read /proc, so they are for Linux.
package trials
