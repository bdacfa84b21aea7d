package paper

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Publication is a set of tournaments as files that need no server: every page that the public can read of them, with
// their games, made by the same code as on the server, without scripts and forms, with relative links.
type Publication struct {
	*kit.Kit
	echo *echo.Echo
	in   *message.Printer
	of   map[string]bool // the paths of pages that belong to it, but for those below a tournament
	ids  []string

	series  []series.Settings // with a tournament of the publication
	leagues []league.Settings
	seasons []series.Season
	ladders []ladder.Settings // all, or those of the seasons if tournaments were named
}

// site is all pages, mounted like those of a server.
type site interface{ Mount(e *echo.Echo) }

// Publish prepares the publication of tournaments, all that are public if none is named, in the club's language. The
// pages must have been made without a Guard. The error wraps tournament.ErrNotFound for a tournament that is not
// public.
func Publish(ctx context.Context, p *kit.Kit, all site, ids []string) (*Publication, error) {
	if p.Guard != nil {
		return nil, fmt.Errorf("pages: what is published must not depend on who is logged in")
	}
	b := &Publication{
		Kit: p, echo: echo.New(), in: p.Texts.Match(p.Club(ctx).Language),
		of: map[string]bool{"/": true, "/tournaments": true},
	}
	all.Mount(b.echo)
	every := len(ids) == 0
	if every {
		var err error
		if ids, err = publicIDs(ctx, p); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		t, err := p.Tournaments.Tournament(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("the tournament %q: %w", id, err)
		}
		if t.Status == tournament.Draft {
			return nil, tournament.Refuse(tournament.ErrNotFound, "a public tournament %q", id)
		}
		b.ids = append(b.ids, t.ID)
		b.of["/rules/"+message.Family(t.Variant)] = true
		for _, round := range t.Public().Rounds {
			for _, pair := range round.Pairings {
				for _, g := range t.GamesOf(pair) {
					b.of["/games/"+g.ID] = true
				}
			}
		}
	}
	if err := b.addSeries(ctx); err != nil {
		return nil, err
	}
	if err := b.addLeagues(ctx); err != nil {
		return nil, err
	}
	if err := b.addSeasons(ctx); err != nil {
		return nil, err
	}
	return b, b.addLadders(ctx, every)
}

// addLadders adds the ladders that belong to a season of the publication, or all of them.
func (b *Publication) addLadders(ctx context.Context, every bool) error {
	all, err := b.Commands.Seasons.ListLadders(ctx)
	for _, l := range all {
		counts := func(s series.Season) bool {
			return slices.ContainsFunc(s.Parts, func(p series.SeasonPart) bool { return p.Kind == series.OfLadder && p.ID == l.ID })
		}
		if every || slices.ContainsFunc(b.seasons, counts) {
			b.ladders, b.of["/ladders/"+l.ID] = append(b.ladders, l), true
		}
	}
	return err
}

// addLeagues adds the confirmed seasons of leagues that have a published tournament as a division.
func (b *Publication) addLeagues(ctx context.Context) error {
	all, err := b.Commands.Seasons.ListLeagues(ctx, "")
	if err != nil {
		return err
	}
	for _, l := range all {
		_, plans, err := b.Commands.Seasons.League(ctx, l.ID)
		if err != nil {
			return err
		}
		for _, plan := range plans {
			if plan.Confirmed && slices.ContainsFunc(plan.State.Divisions, func(d league.Division) bool { return slices.Contains(b.ids, d.Tournament) }) {
				b.of[fmt.Sprintf("/leagues/%s/seasons/%d", l.ID, plan.Number)] = true
				if !b.of["/leagues/"+l.ID] {
					b.leagues, b.of["/leagues/"+l.ID] = append(b.leagues, l), true
				}
			}
		}
	}
	return nil
}

// addSeasons adds the seasons with a published part.
func (b *Publication) addSeasons(ctx context.Context) error {
	all, err := b.Commands.Seasons.ListSeasons(ctx)
	if err != nil {
		return err
	}
	for _, s := range all {
		t, err := b.Commands.Reading(ctx).Season(ctx, s.ID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(t.Tournaments(), func(id string) bool { return slices.Contains(b.ids, id) }) {
			continue
		}
		b.seasons, b.of["/seasons/"+s.ID], b.of["/seasons"] = append(b.seasons, s), true, true
		for _, st := range t.Standings {
			b.of["/seasons/"+s.ID+"/players/"+st.Player] = true
		}
	}
	return nil
}

// addSeries adds the series that count a published tournament.
func (b *Publication) addSeries(ctx context.Context) error {
	all, err := b.Commands.Seasons.ListSeries(ctx)
	for _, s := range all {
		if slices.ContainsFunc(s.Parts, func(p series.Part) bool { return slices.Contains(b.ids, p.Tournament) }) {
			b.series, b.of["/series/"+s.ID] = append(b.series, s), true
		}
	}
	return err
}

// publicIDs lists all public tournaments.
func publicIDs(ctx context.Context, p *kit.Kit) (ids []string, err error) {
	for cursor := ""; ; {
		page, next, err := p.TournamentList.List(ctx, director.Filter{Status: director.PublicStatuses}, kit.PageLength, cursor)
		if err != nil {
			return nil, err
		}
		for _, line := range page {
			ids = append(ids, line.ID)
		}
		if cursor = next; cursor == "" {
			return ids, nil
		}
	}
}

// Files makes the files and passes each to keep; names are relative and have slashes. index.html comes last.
func (b *Publication) Files(ctx context.Context, keep func(name string, content []byte) error) error {
	var queue []string
	for _, id := range b.ids {
		queue = append(queue, "/tournaments/"+id)
	}
	for _, s := range b.series {
		queue = append(queue, "/series/"+s.ID)
	}
	for _, l := range b.leagues {
		queue = append(queue, "/leagues/"+l.ID)
	}
	for _, s := range b.seasons {
		queue = append(queue, "/seasons/"+s.ID)
	}
	for _, l := range b.ladders {
		queue = append(queue, "/ladders/"+l.ID)
	}
	made := map[string]bool{"index.html": true}
	for len(queue) > 0 {
		address := queue[0]
		queue = queue[1:]
		name, ok := b.file(address)
		if !ok || made[name] {
			continue
		}
		made[name] = true
		content, kind, err := b.get(ctx, address)
		if err != nil {
			return err
		}
		if strings.HasPrefix(kind, "text/html") {
			var links []string
			content, links = b.rewrite(content, address, name)
			queue = append(queue, links...)
		}
		if err := keep(name, content); err != nil {
			return err
		}
	}
	return b.index(ctx, made, keep)
}

// index writes the list of tournaments, and the files that only it needs.
func (b *Publication) index(ctx context.Context, made map[string]bool, keep func(string, []byte) error) error {
	body := results.Tournaments{Series: b.series, Leagues: b.leagues, Seasons: b.seasons, Ladders: b.ladders}
	for _, id := range b.ids {
		t, err := b.Tournaments.Tournament(ctx, id)
		if err != nil {
			return err
		}
		body.Lines = append(body.Lines, director.SummaryOf(t.Public()))
	}
	main, err := b.Render(b.in, "tournaments", "main", body)
	if err != nil {
		return err
	}
	page, err := b.Render(b.in, "tournaments", "layout", kit.Frame{
		Site: b.Club(ctx).Name, Section: "tournaments", Body: body, Main: template.HTML(main), // as the template made it
	})
	if err != nil {
		return err
	}
	content, links := b.rewrite(page, "/", "index.html")
	for _, link := range links {
		if name, ok := b.file(link); ok && !made[name] && strings.HasPrefix(name, "static/") {
			made[name] = true
			asset, _, err := b.get(ctx, link)
			if err != nil {
				return err
			}
			if err := keep(name, asset); err != nil {
				return err
			}
		}
	}
	return keep("index.html", content)
}

// page is a response in memory.
type page struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (p *page) Header() http.Header { return p.header }

func (p *page) WriteHeader(status int) { p.status = status }

func (p *page) Write(b []byte) (int, error) { return p.body.Write(b) }

// get requests an address as an anonymous visitor.
func (b *Publication) get(ctx context.Context, address string) (content []byte, kind string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept-Language", b.in.Language())
	answer := &page{header: http.Header{}, status: http.StatusOK}
	b.echo.ServeHTTP(answer, request)
	if answer.status != http.StatusOK {
		return nil, "", fmt.Errorf("the page %s answers %d", address, answer.status)
	}
	return answer.body.Bytes(), answer.header.Get("Content-Type"), nil
}

// below are the pages of a tournament that are published, without its address.
var below = regexp.MustCompile(`^(|/crosstable|/history|/prizes|/players/\d+|/standings/\d+|/rounds/\d+/explain)$`)

// wanted are the query parameters that select a published page.
var wanted = []string{"all", "round", "tab", "to", "year"}

// file returns the name of the file that an address leads to, without the anchor; false if it is not published.
func (b *Publication) file(address string) (name string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" {
		return "", false
	}
	query := u.Query()
	switch rest, found := strings.CutPrefix(u.Path, "/tournaments/"); {
	case u.Path == "/" || u.Path == "/tournaments":
		return "index.html", true
	case strings.HasPrefix(u.Path, "/static/"):
		return "static/" + path.Base(u.Path), true
	case found:
		id, sub, _ := strings.Cut(rest, "/")
		if sub != "" {
			sub = "/" + sub
		}
		calendar := strings.HasSuffix(id, ".ics")
		if !slices.Contains(b.ids, strings.TrimSuffix(id, ".ics")) || calendar && sub != "" || !below.MatchString(sub) {
			return "", false
		}
		if calendar {
			return "tournaments/" + id, true
		}
		name = "tournaments/" + id + cmp.Or(sub, "/index")
	case b.of[u.Path]:
		name = strings.TrimPrefix(u.Path, "/")
		if len(query) > 0 && strings.HasPrefix(name, "games/") {
			return "", false // a game at an earlier move
		}
	default:
		return "", false
	}
	for _, key := range wanted {
		if value := query.Get(key); value != "" && kit.Word.MatchString(value) && !strings.HasPrefix(name, "rules/") {
			name += "_" + key + "-" + value
		}
	}
	return name + ".html", true
}

// dropped are elements that need the server, by name; "" means any class.
var dropped = map[string][]string{
	"script": {""}, "form": {""}, "nav": {"nav", "downloads", "stepping"}, "a": {"who"}, "div": {"online"},
}

// drops reports whether an element is left out of published pages.
func drops(token html.Token) bool {
	classes, known := dropped[token.Data]
	if !known {
		return false
	}
	own := ""
	for _, a := range token.Attr {
		if a.Key == "class" {
			own = a.Val
		}
	}
	return slices.Contains(classes, "") ||
		slices.ContainsFunc(strings.Fields(own), func(c string) bool { return slices.Contains(classes, c) })
}

// rewrite makes links relative, and removes dead links and elements that need the server. It returns the addresses of
// the files that the page links to.
func (b *Publication) rewrite(content []byte, address, name string) (out []byte, links []string) {
	var to bytes.Buffer
	base, _ := url.Parse(address)
	skipping, depth := "", 0
	for tokens := html.NewTokenizer(bytes.NewReader(content)); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return to.Bytes(), links
		}
		raw := bytes.Clone(tokens.Raw())
		token := tokens.Token()
		switch {
		case skipping != "":
			if token.Data == skipping && kind == html.StartTagToken {
				depth++
			} else if token.Data == skipping && kind == html.EndTagToken {
				if depth--; depth == 0 {
					skipping = ""
				}
			}
		case kind == html.StartTagToken && drops(token):
			skipping, depth = token.Data, 1
		case kind == html.StartTagToken && b.online(token):
		case kind == html.StartTagToken || kind == html.SelfClosingTagToken:
			changed, link := b.relink(&token, base, name)
			if link != "" {
				links = append(links, link)
			}
			if changed {
				raw = []byte(token.String())
			}
			to.Write(raw)
		default:
			to.Write(raw)
		}
	}
}

// online reports whether a void element refers to the server.
func (b *Publication) online(token html.Token) bool {
	for _, a := range token.Attr {
		if token.Data == "meta" && (a.Key == "property" || a.Key == "name" && strings.HasPrefix(a.Val, "twitter:")) ||
			token.Data == "link" && a.Key == "rel" && a.Val == "alternate" {
			return true
		}
	}
	return false
}

// relink makes the links of an element relative to a file. It returns the address of the file that it leads to, if any.
func (b *Publication) relink(token *html.Token, base *url.URL, name string) (changed bool, link string) {
	kept := token.Attr[:0]
	for _, a := range token.Attr {
		switch a.Key {
		case "data-live":
			changed = true
			continue
		case "href", "src":
			u, err := url.Parse(a.Val)
			if err != nil {
				changed = true
				continue
			}
			if strings.HasPrefix(a.Val, "#") {
				break
			}
			target := base.ResolveReference(u)
			anchor := target.Fragment
			target.Fragment = ""
			changed = true
			if to, ok := b.file(target.String()); ok {
				link = target.String()
				a.Val = relative(name, to)
				if anchor != "" {
					a.Val += "#" + anchor
				}
				break
			}
			continue // it leads nowhere without the server
		}
		kept = append(kept, a)
	}
	token.Attr = kept
	return changed, link
}

// relative returns the relative path between two files.
func relative(from, to string) string {
	up := strings.Repeat("../", strings.Count(from, "/"))
	if dir := path.Dir(from); dir != "." && path.Dir(to) == dir {
		return path.Base(to)
	}
	return up + to
}
