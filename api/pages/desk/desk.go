package desk

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/arbiter"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/history"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/phones"
	"quatuor/api/pages/results"
	"quatuor/api/problem"
	"quatuor/tournament"
	"quatuor/tournament/scoring"
)

// deskTab is a tab of a tournament's desk. Its template is "desk-" and its name, and gets the deskBody.
type deskTab struct {
	name string
	fill func(p *Pages, c echo.Context, b *deskBody) error // loads the data of the tab into b.Part
}

// deskTabs returns the tabs of the desk in their order.
func deskTabs() []deskTab {
	return []deskTab{
		{"entries", (*Pages).entries},
		{"round", (*Pages).round},
		{"results", (*Pages).results},
		{"arbiter", (*Pages).arbiter},
		{"prizes", (*Pages).prizes},
		{"settings", (*Pages).settings},
	}
}

// Mount adds the pages for running tournaments.
func (p *Pages) Mount(e *echo.Echo) {
	p.Get(e, "/tournaments/:id/desk", p.desk)
	p.Post(e, "/tournaments/:id/desk/undo", command.OnTournament, p.undo)
	p.Live("/tournaments/:id/desk", kit.Soon, func(c echo.Context) []string {
		if c.QueryParam("tab") == "arbiter" { // which shows the games in play
			return []string{kit.TournamentTopic(c), kit.BoardsTopic(c)}
		}
		return []string{kit.TournamentTopic(c)}
	})
	p.mountEntries(e)
	p.mountRound(e)
	p.mountResults(e)
	p.mountSettings(e)
}

// deskBody holds the data of the desk.
type deskBody struct {
	*tournament.Tournament
	Who         auth.Identity
	Tab         string
	Tabs        []string
	Last        *forms.Act        // the act that can be undone; nil for none
	Next        *nextStep         // nil for none
	Calls       []phones.CallLine // those that no arbiter has seen; the tab Arbiter shows all of them itself
	BackupsLate bool
	ClockApart  bool          // games go by a time that is wrong
	Reprint     bool          // the latest pairings are others than this browser has opened to print
	Alert       *forms.Alert  // why a form was not carried out; nil if none was sent
	Typed       url.Values    // contents of that form
	Part        any           // the data of the tab
	Content     template.HTML // the tab
}

// May reports whether the visitor may do something with the tournament, by the name of an auth.Action.
func (b *deskBody) May(action string) bool {
	return b.Who.Can(b.Who.LevelIn(b.Tournament), auth.Action(action))
}

// Field returns the text of a field in a form that was refused, or its usual value.
func (b *deskBody) Field(name, usual string) string {
	if b.Typed.Has(name) {
		return b.Typed.Get(name)
	}
	return usual
}

// Form returns the address that a form of the desk is sent to.
func (b *deskBody) Form(name string) string { return "/tournaments/" + b.ID + "/desk/" + name }

func (p *Pages) desk(c echo.Context) error {
	t, err := p.StaffTournament(c, auth.SeeDrafts)
	if t == nil {
		return err
	}
	return p.showDesk(c, http.StatusOK, t, &deskBody{Tab: cmp.Or(c.QueryParam("tab"), firstTab(t))})
}

// firstTab returns the tab that the desk opens with: that of the work at this stage.
func firstTab(t *tournament.Tournament) string {
	if t.Status == tournament.Running {
		return "round"
	}
	return "entries"
}

// showDesk answers with a tab of the desk. b has Tab set, and Alert and Typed after a form that was not carried out.
func (p *Pages) showDesk(c echo.Context, status int, t *tournament.Tournament, b *deskBody) error {
	b.Tournament = t
	b.Who = auth.Session(c)
	b.Next = nextStepOf(t)
	b.Reprint = t.Status == tournament.Running && results.PrintedOthers(c, t)
	b.BackupsLate = p.Commands.BackupsLate(c.Request().Context())
	b.ClockApart = p.Commands.ClockApart(c.Request().Context())
	acts, err := p.Tournaments.Acts(c.Request().Context(), t.ID)
	if err != nil {
		return err
	}
	if b.Last, err = p.undoable(c, t, acts); err != nil {
		return err
	}
	if b.Calls, err = p.unseenCalls(c.Request().Context(), b); err != nil {
		return err
	}
	var fill func(*Pages, echo.Context, *deskBody) error
	for _, tab := range deskTabs() {
		b.Tabs = append(b.Tabs, tab.name)
		if tab.name == b.Tab {
			fill = tab.fill
		}
	}
	if fill == nil {
		return kit.ErrMissing
	}
	if err := fill(p, c, b); err != nil {
		return err
	}
	html, err := p.Render(p.Reader(c), "desk", "desk-"+b.Tab, b)
	if err != nil {
		return err
	}
	b.Content = template.HTML(html) // the output of a template is safe
	return p.Answer(c, status, "desk", kit.Frame{Section: "tournaments", Body: b})
}

// unseenCalls returns the calls that no arbiter has seen; none for the tab Arbiter, which lists all calls.
func (p *Pages) unseenCalls(ctx context.Context, b *deskBody) ([]phones.CallLine, error) {
	if b.Tab == "arbiter" || b.Status != tournament.Running {
		return nil, nil
	}
	calls, err := p.phones.CallLines(ctx, b.Tournament)
	return slices.DeleteFunc(calls, phones.CallLine.Seen), err
}

// undoable returns the last act if the visitor may undo it, nil otherwise.
func (p *Pages) undoable(c echo.Context, t *tournament.Tournament, acts []tournament.Act) (*forms.Act, error) {
	act, may := command.MayUndo(auth.Session(c), t, acts, p.Tournaments.Undoable(t, acts))
	if !may {
		return nil, nil
	}
	told, err := p.acts(c, t, []tournament.Act{act})
	if err != nil {
		return nil, err
	}
	return &told[0], nil
}

// acts returns acts with their texts in the visitor's language.
func (p *Pages) acts(c echo.Context, t *tournament.Tournament, acts []tournament.Act) ([]forms.Act, error) {
	logins := map[string]string{}
	out := make([]forms.Act, len(acts))
	for i, act := range acts {
		out[i] = forms.Act{Version: act.Version, At: act.At}
		line := history.ActLine(t, act, p.Reader(c))
		out[i].Text = line.Told(p.Reader(c))
		if line.Server || act.By == scoring.PlayersAccount {
			continue
		}
		var err error
		if out[i].Login, err = p.history.LoginOf(c.Request().Context(), act.By, logins); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *Pages) undo(c echo.Context) error {
	version, err := strconv.ParseInt(c.FormValue("act"), 10, 64)
	if err != nil {
		return kit.ErrUnreadable
	}
	tab := c.FormValue("tab")
	if !slices.ContainsFunc(deskTabs(), func(known deskTab) bool { return known.name == tab }) {
		return kit.ErrUnreadable
	}
	return deskRun(p, c, deskForm{tab: tab, said: "undone"}, command.Undo, given(version))
}

// deskForm is a form of the desk that carries out a command.
type deskForm struct {
	tab  string // the tab with the form, which its answer returns to
	then string // another tab to return to on success; "" for none
	said string // key of the flash message, see [kit.Kit.Back]
	// seen returns the tag of the part that the command builds on, for a form that names its subject itself; nil for the
	// tag that the form has.
	seen func(*tournament.Tournament) string
	cond func(*tournament.Tournament) error // a further condition; nil for none
}

// deskRun runs a command from a form of the desk under an optimistic lock: the form's field "seen" holds the tag of the
// part shown, or "version" the tournament's version. read parses the other fields after the check of rights.
func deskRun[In any](p *Pages, c echo.Context, f deskForm, run command.Command[In], read func(*tournament.Tournament) (In, error)) error {
	return p.doThen(c, f.tab, cmp.Or(f.then, f.tab), run.May, func(ctx context.Context, t *tournament.Tournament, version int64) (string, error) {
		in, err := read(t)
		if err != nil {
			return "", err
		}
		on := command.On{ID: t.ID, Seen: seenIn(c, version), If: f.cond, Read: t}
		if f.seen != nil {
			on.Seen = new(f.seen(t))
		}
		_, err = run.Run(ctx, p.Commands, on, in)
		return f.said, err
	})
}

// seenIn returns the tag of the state that a form has shown; nil if the form has none.
func seenIn(c echo.Context, version int64) *string {
	switch seen := c.FormValue("seen"); {
	case seen != "":
		return new(`"` + seen + `"`)
	case version != 0:
		return new(command.VersionTag(version))
	}
	return nil
}

// unquoted returns a tag as forms carry it, without its quotes.
func unquoted(tag string) string { return strings.Trim(tag, `"`) }

// given returns a constant input, for a command with an input independent of the tournament.
func given[In any](in In) func(*tournament.Tournament) (In, error) {
	return func(*tournament.Tournament) (In, error) { return in, nil }
}

// deskCommand runs a form of the desk and returns the key of the flash message. version is the version that the form
// was loaded with, 0 if it has none.
type deskCommand func(ctx context.Context, t *tournament.Tournament, version int64) (said string, err error)

// do runs a form of the desk if the visitor has the right to the action, and redirects to the tab. A refused form is
// shown again with the reason and its values.
func (p *Pages) do(c echo.Context, tab string, action auth.Action, do deskCommand) error {
	return p.doThen(c, tab, tab, action, do)
}

// doThen is do with a redirect to another tab on success.
func (p *Pages) doThen(c echo.Context, tab, then string, action auth.Action, do deskCommand) error {
	t, err := p.StaffTournament(c, action)
	if t == nil {
		return err
	}
	version := int64(0)
	if text := c.FormValue("version"); text != "" {
		if version, err = strconv.ParseInt(text, 10, 64); err != nil || version < 0 {
			return kit.ErrUnreadable
		}
	}
	said, err := do(c.Request().Context(), t, version)
	if err == nil && said == offered {
		return p.showDesk(c, http.StatusOK, t, &deskBody{Tab: tab})
	}
	if err == nil {
		return p.Back(c, "/tournaments/"+t.ID+"/desk?tab="+then+fragment(c), said)
	}
	return p.refused(c, tab, version, err)
}

// fragment returns the form's anchor as a URL fragment, "" without one.
func fragment(c echo.Context) string {
	if anchor := c.Request().Form.Get("anchor"); anchor != "" {
		return "#" + url.PathEscape(anchor)
	}
	return ""
}

// refused shows a tab again after a refused form, with the tournament's present state.
func (p *Pages) refused(c echo.Context, tab string, expected int64, refusal error) error {
	status, said, fields := problem.Explain(refusal)
	switch status {
	case http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed, http.StatusUnprocessableEntity:
	case http.StatusForbidden:
		return echo.NewHTTPError(http.StatusForbidden).SetInternal(refusal)
	default:
		return refusal
	}
	t, err := p.StaffTournament(c, auth.SeeDrafts)
	if t == nil {
		return err
	}
	b := &deskBody{Tab: tab, Alert: &forms.Alert{Said: said, Fields: fields}, Typed: c.Request().Form}
	name := "desk.refused.state"
	switch status {
	case http.StatusPreconditionFailed:
		name = "desk.refused.stale"
		if b.Alert.Meanwhile, err = p.meanwhile(c, t, expected); err != nil {
			return err
		}
	case http.StatusUnprocessableEntity:
		name = "desk.refused.invalid"
	case http.StatusNotFound:
		name = "desk.refused.gone"
	}
	if b.Alert.Title, err = p.Reader(c).Text(name); err != nil {
		return err
	}
	return p.showDesk(c, status, t, b)
}

// maxMeanwhile is the maximum number of concurrent changes listed above a refused form.
const maxMeanwhile = 10

// meanwhile returns the acts on a tournament since a version.
func (p *Pages) meanwhile(c echo.Context, t *tournament.Tournament, version int64) ([]forms.Act, error) {
	acts, err := p.Tournaments.Acts(c.Request().Context(), t.ID)
	if err != nil {
		return nil, err
	}
	acts = slices.DeleteFunc(slices.Clone(acts), func(a tournament.Act) bool { return a.Version <= version })
	return p.acts(c, t, acts[max(0, len(acts)-maxMeanwhile):])
}

// arbiterPart holds the data of the tab Arbiter: the games in play, with their clocks.
type arbiterPart struct {
	Games []arbiter.Game
	Hall  int // open boards without a game on the server
	Calls phones.CallsPart
}

func (p *Pages) arbiter(c echo.Context, b *deskBody) error {
	calls, err := p.phones.CallLines(c.Request().Context(), b.Tournament)
	if err != nil {
		return err
	}
	games, hall, err := p.games.InPlay(c.Request().Context(), b.Tournament)
	b.Part = arbiterPart{games, hall, phones.CallsPart{ID: b.ID, Tab: b.Tab, Calls: calls}}
	return err
}

// prizesPart holds the data of the tab Prizes.
type prizesPart struct {
	forms.PrizeForm
	Seen string
}

func (p *Pages) prizes(_ echo.Context, b *deskBody) error {
	b.Part = prizesPart{forms.NewPrizes(b.Prizes, b.Field), unquoted(command.Tag(b.Prizes))}
	return nil
}

func (p *Pages) savePrizes(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "prizes", said: "saved"}, command.SetPrizes,
		func(*tournament.Tournament) (tournament.Prizes, error) { return forms.ReadPrizes(c.Request().Form) })
}
