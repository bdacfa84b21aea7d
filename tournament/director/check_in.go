package director

import (
	"quatuor/tournament"
)

// OpenCheckIn opens the check-in, or opens it again; reset discards earlier check-ins.
func OpenCheckIn(reset bool) Act {
	return plain(tournament.ActOpenCheckIn, with((*tournament.Tournament).OpenCheckIn, reset))
}

// CloseCheckIn closes the check-in: absent entries are not paired from now on.
var CloseCheckIn = plain(tournament.ActCloseCheckIn, (*tournament.Tournament).CloseCheckIn)

// CancelCheckIn does without a check-in: all entries count as present.
var CancelCheckIn = plain(tournament.ActCancelCheckIn, (*tournament.Tournament).CancelCheckIn)

// SetPresent checks an entry in, or notes that it is not there.
func SetPresent(entry string, present bool) Act {
	return plainOf(presence(present), entry, with2((*tournament.Tournament).SetPresent, entry, present))
}

// CheckSelfIn checks an entry in for a member, while the check-in is open.
func CheckSelfIn(entry, player string, present bool) Act {
	return plainOf(presence(present), entry, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return t.CheckSelfIn(entry, player, present)
	})
}

// Announce records whether an entry comes to the next evening of a Keizer season; player is the member that announces
// it, "" for an arbiter.
func Announce(entry, player string, a tournament.Announcement) Act {
	return Act{
		entry: tournament.Act{Kind: presence(a.Comes), Entry: entry},
		step: func(do doing, t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
			if player == "" {
				return t.Announce(entry, a)
			}
			return t.AnnounceSelf(entry, player, a, do.now())
		},
	}
}

func presence(present bool) tournament.ActKind {
	if present {
		return tournament.ActPresent
	}
	return tournament.ActAbsent
}
