// Package clip shortens texts for problem documents.
package clip

import "unicode/utf16"

// Text returns a text cut to limit UTF-16 units, the ellipsis among them; it has no more characters than that.
func Text(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	units, end := 0, -1
	for i, r := range text {
		if units += utf16.RuneLen(r); end < 0 && units >= limit {
			end = i
		}
		if units > limit {
			return text[:end] + "…"
		}
	}
	return text
}
