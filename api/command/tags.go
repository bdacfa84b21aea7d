package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

// VersionTag returns the entity tag of something that counts its versions.
func VersionTag(version int64) string { return `"v` + strconv.FormatInt(version, 10) + `"` }

// ShownTag returns the entity tag of something that counts its versions: its version for viewers of all of it, for
// all others a digest of the part that they are shown, because a version also counts hidden changes.
func ShownTag(all bool, version int64, shown any) string {
	if all {
		return VersionTag(version)
	}
	return Tag(shown)
}

// TournamentTag returns the entity tag of a viewer's view of a tournament: the staff's changes with every version, the
// public's with every public version.
func TournamentTag(who auth.Identity, t *tournament.Tournament) string {
	if access.Staff(who, t) {
		return VersionTag(t.Version)
	}
	return publicTag(t)
}

func publicTag(t *tournament.Tournament) string {
	return `"p` + strconv.FormatInt(t.PublicVersion, 10) + `"`
}

// Tag returns the entity tag of something that counts no versions: a digest of what it is made of.
func Tag(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("command: " + err.Error()) // plain values always encode
	}
	sum := sha256.Sum256(text)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// EntryTag returns the tag of what a form shows of an entry: whether it is checked in is no part of it, so that two
// arbiters can check in while a third corrects names.
func EntryTag(e tournament.Entry) string {
	e.Present, e.Tonight = false, 0
	return Tag(e)
}

// BoardTag returns the tag of the seats and the result of a board, with a dot between.
func BoardTag(pair tournament.Pairing) string {
	var adjudicated, rated bool
	if r := pair.Result; r != nil {
		adjudicated, rated = r.Adjudicated, r.Rated
	}
	return `"` + shortDigest(pair.Seats) + "." + shortDigest(pair.Text(), pair.Adjourned, adjudicated, rated) + `"`
}

// RoundTag returns the tag of the pairings of a round: results do not change it.
func RoundTag(r tournament.Round) string {
	values := []any{r.Number, r.Status == tournament.Paired}
	for _, pair := range r.Pairings {
		values = append(values, pair.Seats, pair.Bye)
	}
	return `"` + shortDigest(values...) + `"`
}

// shortDigest returns a digest of plain values, long enough for the states of a board.
func shortDigest(values ...any) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic("command: " + err.Error()) // plain values always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
