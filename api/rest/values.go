package rest

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/botid"
	"quatuor/tournament"
)

// optional returns a pointer to v, or nil for a zero value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// valueOf dereferences a pointer; nil is the zero value.
func valueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

const (
	defaultLimit = 50
	maxItems     = 200
)

// pageLength returns how many items to list.
func pageLength(limit *int) int {
	if limit == nil {
		return defaultLimit
	}
	return min(*limit, maxItems)
}

// cut returns a page of an in-memory list, and the cursor of the next page: the key of the last item, so that changes
// before it do not shift pages. Without a limit the page goes to the end of the list.
func cut[T any](list []T, limit *int, cursor *string, key func(T) string) (page []T, next string, err error) {
	if cursor != nil {
		at := slices.IndexFunc(list, func(item T) bool { return key(item) == *cursor })
		if at < 0 {
			return nil, "", badCursor{}
		}
		list = list[at+1:]
	}
	if limit == nil || len(list) <= *limit {
		return list, "", nil
	}
	return list[:*limit], key(list[*limit-1]), nil
}

// nextLink returns the Link header that names the next page, nil on the last page. query holds the list's own filters;
// empty values are left out.
func nextLink(path, next string, limit *int, query map[string]string) *string {
	if next == "" {
		return nil
	}
	values := url.Values{"cursor": {next}}
	if limit != nil {
		values.Set("limit", strconv.Itoa(*limit))
	}
	for key, value := range query {
		if value != "" {
			values.Set(key, value)
		}
	}
	link := "</api/v1" + path + "?" + values.Encode() + `>; rel="next"`
	return &link
}

// tournamentTag returns the entity tag of a tournament as the client sees it.
func tournamentTag(ctx context.Context, t *tournament.Tournament) string {
	return command.TournamentTag(auth.From(ctx), t)
}

// playerRef names a player; nil for an open seat.
func playerRef(id string, names map[string]string) *gen.PlayerRef {
	if id == "" {
		return nil
	}
	return &gen.PlayerRef{ID: id, Name: nameOf(id, names), Bot: optional(botid.HasAccount(id))}
}

// playerRefs returns references to players, none of them "".
func playerRefs(ids []string, names map[string]string) []gen.PlayerRef {
	refs := make([]gen.PlayerRef, len(ids))
	for i, id := range ids {
		refs[i] = *playerRef(id, names)
	}
	return refs
}

// nameOf returns a player's name, or the id if the name is unknown.
func nameOf(id string, names map[string]string) string {
	if name, ok := names[id]; ok {
		return name
	}
	return id
}
