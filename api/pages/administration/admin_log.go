package administration

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/wording"
)

// adminLogBody holds the data of the page of the audit log.
type adminLogBody struct {
	Person string
	Kind   adminlog.Kind
	Kinds  []adminlog.Kind
	Lines  []adminLogLine
	Next   string // address of the next page
}

// adminLogLine is an act of administration.
type adminLogLine struct {
	adminlog.Entry
	Link   string // to its subject, "" for none
	Values []adminLogValue
}

// adminLogValue is a value that was changed, or stated.
type adminLogValue struct {
	Name, Before, After string
	Named               bool // there is a text for the name
}

// adminLogNames are the names of values that have a text.
var adminLogNames = []string{
	"role", "uses", "expires", "name", "club", "birth_year", "count", "players", "merged", "merged_id", "games", "entries", "rounds", "reason",
	"tournament", "from", "until", "variant", "status", "arbiters", "invitation", "language", "time_zone", "registration", "reach",
	"welcome", "imprint",
}

func (p *Pages) adminLog(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ReadAdminLog); !ok {
		return err
	}
	person, err := wording.Line.Optional(c.QueryParam("person"), kit.LongestName)
	kind := adminlog.Kind(c.QueryParam("kind"))
	if err != nil || kind != "" && !slices.Contains(adminlog.Kinds, kind) {
		return p.Error(c, http.StatusBadRequest)
	}
	body := adminLogBody{Person: person, Kind: kind, Kinds: adminlog.Kinds}
	filter := adminlog.Filter{Kind: kind, Person: person}
	entries, next, err := p.AccountList.AdminLog(c.Request().Context(), filter, kit.PageLength, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	if next != "" {
		body.Next = "/admin/log?" + url.Values{"person": {person}, "kind": {string(kind)}, "cursor": {next}}.Encode()
	}
	for _, e := range entries {
		body.Lines = append(body.Lines, adminLogLine{Entry: e, Link: subjectLink(&e), Values: adminLogValues(&e)})
	}
	return p.Show(c, "admin-log", "", body)
}

// subjectLink returns the page of an act's subject.
func subjectLink(e *adminlog.Entry) string {
	switch {
	case e.About.ID == "" || e.Kind == adminlog.TournamentDeleted:
	case e.About.Kind == adminlog.OfPlayer:
		return "/players/" + e.About.ID
	case e.About.Kind == adminlog.OfTournament:
		return "/tournaments/" + e.About.ID
	case e.About.Kind == adminlog.OfAccount:
		return "/admin?" + url.Values{"q": {e.About.Name}}.Encode()
	}
	return ""
}

// adminLogValues returns the values of an entry, those with a text first.
func adminLogValues(e *adminlog.Entry) (values []adminLogValue) {
	all := maps.Clone(e.Before)
	if all == nil {
		all = adminlog.Values{}
	}
	maps.Copy(all, e.After)
	for _, name := range adminLogNames {
		if _, has := all[name]; has {
			values = append(values, adminLogValue{name, e.Before[name], e.After[name], true})
			delete(all, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		values = append(values, adminLogValue{strings.TrimPrefix(name, "rating "), e.Before[name], e.After[name], false})
	}
	return values
}

// Moment returns a value that is a time as ms UTC, 0 for all others.
func (v adminLogValue) Moment() int64 {
	if !slices.Contains([]string{"expires", "from", "until"}, v.Name) {
		return 0
	}
	at, err := time.Parse(time.RFC3339, v.Before+v.After)
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}
