package kit

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/engine/botid"
)

// Session returns the visitor's identity. An anonymous visitor is redirected to the login page; then ok is false.
func (k *Kit) Session(c echo.Context) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if !who.Anonymous() {
		return who, true, nil
	}
	target := "/login?next=" + c.Path()
	if c.Request().Method != http.MethodGet {
		target = "/login"
	}
	return who, false, c.Redirect(http.StatusSeeOther, target)
}

// ToLogin redirects to the login page, which continues to next.
func (k *Kit) ToLogin(c echo.Context, next string) error {
	return c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape(next))
}

// VisitingPlayer returns the visitor's identity, if it may play; otherwise it has responded, and ok is false.
func (k *Kit) VisitingPlayer(c echo.Context, back string) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if who.Anonymous() {
		return who, false, k.ToLogin(c, back)
	}
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil || who.PlayerID == "" {
		return who, false, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return who, true, nil
}

// Person is a player's name and id; the zero Person is an open seat.
type Person struct{ ID, Name string }

// Bot returns the level of a bot, 0 for a player. A bot has no page.
func (p Person) Bot() int { return botid.Level(p.ID) }

// People maps ids to names.
type People map[string]string

// Look fetches the names of players in a single query. Empty and repeated ids, and those of bots, are skipped.
func (k *Kit) Look(ctx context.Context, ids ...string) (People, error) {
	found, err := k.Found(ctx, ids...)
	names := make(People, len(found))
	for id, p := range found {
		names[id] = p.Name
	}
	return names, err
}

// Person returns the player or bot with an id; the name of a player not found is the id.
func (l People) Person(id string) Person {
	if level := botid.Level(id); level > 0 {
		return Person{id, botid.Name(level)}
	}
	if name, ok := l[id]; ok {
		return Person{id, name}
	}
	return Person{id, id}
}

// LongestName is the maximum length of a name in a search, characters.
const LongestName = 200
