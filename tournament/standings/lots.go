package standings

import "quatuor/tournament"

// lot is the last resort of article 4.2.
func lot(b *book, page int, _ modifiers) value {
	if b.lots == nil {
		ids := make([]string, len(b.pages))
		for i, p := range b.pages {
			ids[i] = p.entry.ID
		}
		b.lots = tournament.Lots(b.seed, ids)
	}
	place := int64(b.lots[page])
	return value{key: -place, text: whole(place)}
}
