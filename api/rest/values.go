package rest

import (
	"maps"
	"slices"

	"quatuor/api/gen"
	"quatuor/engine/botid"
)

// optional returns a pointer to v, or nil for a zero value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// some returns a pointer to a list, or nil for an empty list.
func some[T any](list []T) *[]T {
	if len(list) == 0 {
		return nil
	}
	return &list
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

// linked returns the header that names the next page of the request's list; nothing on the last page.
func (a *API) linked(next string) gen.Linked {
	if next == "" {
		return gen.Linked{}
	}
	query := a.request.URL.Query()
	maps.DeleteFunc(query, func(_ string, values []string) bool { return values[0] == "" })
	query.Set("cursor", next)
	link := "<" + a.request.URL.EscapedPath() + "?" + query.Encode() + `>; rel="next"`
	return gen.Linked{Link: &link}
}

// each returns the views of a list's items.
func each[T, V any](list []T, view func(T) V) []V {
	views := make([]V, len(list))
	for i, item := range list {
		views[i] = view(item)
	}
	return views
}

// done answers the success of a command, whatever it returns.
func done[T any](_ T, err error) (gen.Executed, error) { return gen.Executed{}, err }

// retyped returns texts as those of another type.
func retyped[V, T ~string](list []T) []V {
	return each(list, func(text T) V { return V(text) })
}

// playerRef names a player, by the id if the name is unknown; nil for an open seat.
func playerRef(id string, names map[string]string) *gen.PlayerRef {
	if id == "" {
		return nil
	}
	name, known := names[id]
	if !known {
		name = id
	}
	return &gen.PlayerRef{ID: id, Name: name, Bot: optional(botid.HasAccount(id))}
}

// playerRefs returns references to players, none of them "".
func playerRefs(ids []string, names map[string]string) []gen.PlayerRef {
	return each(ids, func(id string) gen.PlayerRef { return *playerRef(id, names) })
}
