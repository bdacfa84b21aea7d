package standings

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// lot is the last resort of article 4.2.
func lot(b *book, page int, _ modifiers) value {
	if b.lots == nil {
		b.lots = drawLots(b.seed, b.pages)
	}
	place := int64(b.lots[page])
	return value{key: -place, text: whole(place)}
}

// drawLots returns the places of the pages in the drawing of lots: the order of the SHA-256 of seed and entry id. With
// the seed anyone can repeat it; it cannot be foretold before the seed is stored at the start.
func drawLots(seed string, pages []page) []int {
	drawn := make([][sha256.Size]byte, len(pages))
	order := make([]int, len(pages))
	for i, p := range pages {
		drawn[i] = sha256.Sum256([]byte("lots\x00" + seed + "\x00" + p.entry.ID))
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return bytes.Compare(drawn[x][:], drawn[y][:]) })
	place := make([]int, len(pages))
	for i, page := range order {
		place[page] = i + 1
	}
	return place
}
