package tournament

// Taken returns the number of entries that hold a place: all that have not withdrawn, including teams that wait for a
// member and the organiser's entries. A team counts once.
func (t *Tournament) Taken() int {
	taken := 0
	for _, e := range t.Entries {
		if e.Status != Withdrawn {
			taken++
		}
	}
	return taken
}

// PlacesLeft returns how many more entries players may register themselves. It is 0 where there is no limit, and where
// the organiser has entered more than there are places.
func (t *Tournament) PlacesLeft() int { return max(0, t.MaxEntries-t.Taken()) }

// Full reports whether all places are taken. The organiser may still enter players, and reinstate those that withdrew.
func (t *Tournament) Full() bool { return t.MaxEntries > 0 && t.PlacesLeft() == 0 }
