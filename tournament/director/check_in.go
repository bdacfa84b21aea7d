package director

import (
	"quatuor/tournament"
	"quatuor/tournament/presence"
)

// OpenCheckIn opens the check-in, or opens it again; reset discards earlier check-ins.
func OpenCheckIn(reset bool) Act {
	return plain(tournament.ActOpenCheckIn, with(presence.OpenCheckIn, reset))
}

// CloseCheckIn closes the check-in: absent entries are not paired from now on.
var CloseCheckIn = plain(tournament.ActCloseCheckIn, presence.CloseCheckIn)

// CancelCheckIn does without a check-in: all entries count as present.
var CancelCheckIn = plain(tournament.ActCancelCheckIn, presence.CancelCheckIn)

// SetPresent checks an entry in, or notes that it is not there.
func SetPresent(entry string, present bool) Act {
	return plainOf(presenceKind(present), entry, with2(presence.SetPresent, entry, present))
}

// CheckSelfIn checks an entry in for a member, while the check-in is open.
func CheckSelfIn(entry, player string, present bool) Act {
	return plainOf(presenceKind(present), entry, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return presence.CheckSelfIn(t, entry, player, present)
	})
}

// Announce records whether an entry comes to the next evening of a Keizer season; player is the member that announces
// it, "" for an arbiter.
func Announce(entry, player string, a presence.Announcement) Act {
	return Act{
		entry: tournament.Act{Kind: presenceKind(a.Comes), Entry: entry},
		step: func(do doing, t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
			if player == "" {
				return presence.Announce(t, entry, a)
			}
			return presence.AnnounceSelf(t, entry, player, a, do.now())
		},
	}
}

func presenceKind(present bool) tournament.ActKind {
	if present {
		return tournament.ActPresent
	}
	return tournament.ActAbsent
}
