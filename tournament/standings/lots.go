package standings

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
)

// lots is the last resort of article 4.2.
func lots(b *book, group []int) []value {
	if b.lots == nil {
		b.lots = drawLots(b.seed, b.pages)
	}
	values := make([]value, len(group))
	for i, page := range group {
		values[i] = value{key: -int64(b.lots[page]), text: strconv.Itoa(b.lots[page])}
	}
	return values
}

// drawLots gives every page its place in the drawing: the order of the SHA-256 of seed and entry id, so that anybody
// who knows the seed can repeat it, and nobody can foretell it before the seed is stored at the start.
func drawLots(seed string, pages []page) []int {
	drawn := make([]string, len(pages))
	order := make([]int, len(pages))
	for i, p := range pages {
		sum := sha256.Sum256([]byte("lots\x00" + seed + "\x00" + p.entry.ID))
		drawn[i], order[i] = hex.EncodeToString(sum[:]), i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(drawn[x], drawn[y]) })
	place := make([]int, len(pages))
	for i, page := range order {
		place[page] = i + 1
	}
	return place
}
