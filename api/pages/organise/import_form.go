package organise

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/exchange"
)

// importForm is the form with which a tournament is taken over from a report file.
type importForm struct {
	forms.TournamentForm
	Typed url.Values // what stood in one that was not carried out, nil without
}

// Formats returns the formats that a report file supports.
func (importForm) Formats() []tournament.Format {
	return []tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.DoubleRoundRobin}
}

// importedBody is what the page about an imported tournament shows.
type importedBody struct {
	*tournament.Tournament
	Notes   []sentence.Sentence
	Checked bool // nothing is stored
}

// importTournament imports a tournament from a report file, or previews the import.
func (p *Pages) importTournament(c echo.Context) error {
	who, ok, err := p.mayCreate(c)
	if !ok {
		return err
	}
	check := c.FormValue("check") != ""
	t, notes, err := p.importFile(c, who, check)
	if err == nil {
		return p.Answer(c, http.StatusOK, "imported", kit.Frame{Section: "tournaments", Body: importedBody{t, notes, check}})
	}
	alert, err := p.alertOf(c, err)
	if err != nil {
		return err
	}
	typed := url.Values{"key": {c.FormValue("key")}}
	return p.showNew(c, http.StatusUnprocessableEntity, who, newBody{
		Form: forms.New(p.Kit, p.usualSettings(), typed), Import: importForm{Typed: c.Request().Form}, Alert: alert,
	})
}

func (p *Pages) importFile(c echo.Context, who auth.Identity, check bool) (*tournament.Tournament, []sentence.Sentence, error) {
	key, err := uuid.Parse(c.FormValue("key"))
	if err != nil {
		return nil, nil, kit.ErrUnreadable
	}
	text, err := reportFile(c)
	if err != nil {
		return nil, nil, err
	}
	o, err := p.importOptions(c)
	if err != nil {
		return nil, nil, err
	}
	id := ""
	if !check {
		id = uuid.NewSHA1(uuid.NameSpaceOID, []byte("import\n"+who.AccountID+"\n"+key.String())).String()
	}
	return p.Commands.Import(c.Request().Context(), id, text, o, check)
}

// reportFile returns the file of the form.
func reportFile(c echo.Context) ([]byte, error) {
	file, err := c.FormFile("file")
	if err != nil {
		return nil, tournament.Fault("report", "choose a report file (TRF)")
	}
	opened, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return io.ReadAll(opened)
}

// importOptions returns what the form says beside the file.
func (p *Pages) importOptions(c echo.Context) (exchange.Options, error) {
	form := c.Request().Form
	o := exchange.Options{
		Name: form.Get("name"), Variant: form.Get("variant"),
		Format: tournament.Format(form.Get("format")), TimeControl: strings.TrimSpace(form.Get("control")),
		Rated: form.Get("rated") != "", NamesOnly: form.Get("names_only") != "", AutoRounds: form.Get("auto") != "",
	}
	if other := forms.ReadControl(form.Get("other_control")); other != "" {
		o.TimeControl = other
	}
	in := &forms.FieldReader{Form: form}
	if o.Rounds = in.Whole("rounds", 200); len(in.Faults) > 0 {
		return o, in.Faults
	}
	if codes := forms.TieBreakCodes(form.Get("tie_breaks")); len(codes) > 0 {
		o.TieBreaks = codes
	}
	o.Options = forms.New(p.Kit, tournament.Settings{Variant: o.Variant}, nil).ChosenOptions(form)
	var err error
	o.Players, err = p.knownPlayers(c, form.Get("known"))
	return o, err
}

// maxKnown is how many players of a file may be named, as over REST.
const maxKnown = 9999

// knownPlayers reads which players of a file are here already: a line for each, with the number in the file, and the
// player's id, the address of the player's page, or the name if only one player has it.
func (p *Pages) knownPlayers(c echo.Context, text string) (map[int]string, error) {
	known := map[int]string{}
	var ids []string
	lines := map[string]int{} // of the ids
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		digits, who, _ := strings.Cut(strings.ReplaceAll(line, "=", " "), " ")
		number, err := strconv.Atoi(digits)
		who = strings.TrimSpace(who)
		switch _, twice := known[number]; {
		case err != nil || number < 1 || number > 9999 || who == "":
			return nil, tournament.Fault("known", "line %d: write the number in the file, a space and the player, such as %q", i+1, "7 Anna Berg")
		case twice:
			return nil, tournament.Fault("known", "line %d: number %d stands there twice", i+1, number)
		case len(known) == maxKnown:
			return nil, tournament.Fault("known", "at most %d players can be named", maxKnown)
		}
		id, err := p.playerCalled(c, who, i+1)
		if err != nil {
			return nil, err
		}
		known[number], lines[id] = id, i+1
		ids = append(ids, id)
	}
	players, err := p.Players.Players(c.Request().Context(), ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if _, ok := players[id]; !ok {
			return nil, tournament.Fault("known", "line %d: there is no such player", lines[id])
		}
	}
	return known, nil
}

// playerCalled returns the id of a player who is written as an id, as the address of a page, or by a name that no other
// has.
func (p *Pages) playerCalled(c echo.Context, who string, line int) (string, error) {
	if _, after, ok := strings.Cut(who, "/players/"); ok {
		id, _, _ := strings.Cut(after, "/")
		id, _, _ = strings.Cut(id, "?")
		return id, nil
	}
	if _, err := uuid.Parse(who); err == nil {
		return who, nil
	}
	found := ""
	cursor := ""
	for {
		list, next, err := p.Players.ListPlayers(c.Request().Context(), club.PlayerFilter{Name: who}, kit.PageLength, cursor)
		if err != nil {
			return "", fmt.Errorf("find a player by name: %w", err)
		}
		for _, player := range list {
			switch {
			case !strings.EqualFold(player.Name, who):
			case found != "":
				return "", tournament.Fault("known", "line %d: several players are called %q; write the address of the player's page", line, who)
			default:
				found = player.ID
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if found == "" {
		return "", tournament.Fault("known", "line %d: no player is called %q", line, who)
	}
	return found, nil
}
