package standings

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// lot is the last resort of article 4.2.
func lot(b *book, page int, _ modifiers) value {
	if b.lots == nil {
		ids := make([]string, len(b.pages))
		for i, p := range b.pages {
			ids[i] = p.entry.ID
		}
		b.lots = Lots(b.seed, ids)
	}
	place := int64(b.lots[page])
	return value{key: -place, text: whole(place)}
}

// Lots returns the places of entries in the drawing of lots: the order of the SHA-256 of seed and entry id. With the seed
// anyone can repeat it; it cannot be foretold before the seed is stored at the start.
func Lots(seed string, ids []string) []int {
	drawn := make([][sha256.Size]byte, len(ids))
	order := make([]int, len(ids))
	for i, id := range ids {
		drawn[i] = sha256.Sum256([]byte("lots\x00" + seed + "\x00" + id))
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return bytes.Compare(drawn[x][:], drawn[y][:]) })
	place := make([]int, len(ids))
	for i, page := range order {
		place[page] = i + 1
	}
	return place
}
