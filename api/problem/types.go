package problem

import (
	"maps"
	"net/http"
	"slices"
)

// Type is a type of problem, as documents name it in their member of that name: /problems/ and the slug.
type Type struct {
	Slug   string
	Status int // of the answers
}

// Types lists every type that a document can have, by slug.
func Types() []Type {
	statuses := map[string]int{cursorSlug: http.StatusBadRequest}
	for status, slug := range statusSlugs {
		statuses[slug] = status
	}
	for _, k := range kinds {
		statuses[k.slug] = k.status
	}
	types := make([]Type, 0, len(statuses))
	for _, slug := range slices.Sorted(maps.Keys(statuses)) {
		types = append(types, Type{slug, statuses[slug]})
	}
	return types
}
