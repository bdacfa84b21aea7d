package organise

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/exchange"
	"quatuor/tournament/trf"
)

// importForm is the form for importing a tournament from a report file.
type importForm struct {
	forms.TournamentForm
	Typed url.Values // input of a form that was refused, nil for none
}

// Formats returns the formats that a report file supports.
func (importForm) Formats() []tournament.Format {
	return tournament.FormatsWith(func(f tournament.Format) bool {
		return f.Reported() && (f.RoundRobin() || f.Arrivals())
	})
}

// importedBody holds the data of the page about an imported tournament.
type importedBody struct {
	command.ImportedTournament
	Checked bool        // nothing is stored
	Fields  [][2]string // to be sent again with the confirmation
	Large   bool        // the file is too large to be among them
}

// importedLines are the lines of a kind.
type importedLines struct {
	trf.Use
	Meaning string // the code of the text that explains it, "" for none
}

// Kinds returns the lines of the file with the same treatment.
func (b importedBody) Kinds(treatment string) (out []importedLines) {
	for _, u := range b.Lines {
		if string(u.Treatment) != treatment {
			continue
		}
		line := importedLines{u, cmp.Or(sameLines[u.Code], u.Code)}
		if !slices.Contains(explainedLines, line.Meaning) {
			line.Meaning = ""
		}
		out = append(out, line)
	}
	return out
}

// explainedLines are the codes that the texts explain.
var explainedLines = []string{
	"001", "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "142", "152", "162",
	"182", "192", "202", "212", "222", "240", "250", "260", "299", "013", "###", "300", "310", "320", "330", "352", "362",
}

// sameLines are codes of other programs by those that mean the same.
var sameLines = map[string]string{
	"XXR": "142", "XXC": "152", "XXA": "250", "XXP": "260", "XXZ": "240",
	"XXS": "162", "BBW": "162", "BBD": "162", "BBL": "162", "BBU": "162", "BBZ": "162", "BBF": "162",
}

// maxCarried is the greatest length of a file that the page for confirmation carries.
const maxCarried = 1 << 20

// carried returns the fields of a form for an import to be sent again, with the file.
func carried(form url.Values, file []byte) (fields [][2]string, large bool) {
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if name != "check" && name != "report" {
			fields = append(fields, [2]string{name, form.Get(name)})
		}
	}
	if len(file) > maxCarried {
		return fields, true
	}
	return append(fields, [2]string{"report", base64.StdEncoding.EncodeToString(file)}), false
}

// importTournament previews the import of a tournament from a report file, or carries it out.
func (p *Pages) importTournament(c echo.Context) error {
	who, ok, err := p.mayCreate(c)
	if !ok {
		return err
	}
	b := importedBody{Checked: c.FormValue("check") != ""}
	text, err := reportFile(c)
	if err == nil {
		b.ImportedTournament, err = p.importFile(c, text, b.Checked)
	}
	if err == nil {
		if b.Checked {
			b.Fields, b.Large = carried(c.Request().Form, text)
		}
		return p.Answer(c, http.StatusOK, "imported", kit.Frame{Section: "tournaments", Body: b})
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

func (p *Pages) importFile(c echo.Context, text []byte, check bool) (out command.ImportedTournament, err error) {
	in := command.TournamentReport{Text: text, Check: check}
	if in.ID, err = kit.FormID(c, "import", c.FormValue("key")); err != nil {
		return out, err
	}
	if in.Options, err = p.importOptions(c); err != nil {
		return out, err
	}
	if check {
		in.ID = ""
	}
	return command.ImportTournament.Run(c.Request().Context(), p.Commands, in)
}

// reportFile returns the file of the form: the chosen file, or its copy in the page for confirmation.
func reportFile(c echo.Context) ([]byte, error) {
	if text := c.FormValue("report"); text != "" {
		file, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, kit.ErrUnreadable
		}
		return file, nil
	}
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

// importOptions returns the form's options, apart from the file.
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
	o.Rounds = in.Whole("rounds", 200)
	if len(in.Faults) > 0 {
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

// maxKnown is the maximum number of players of a file that may be named, as over REST.
const maxKnown = 9999

// knownPlayers reads the players of a file that are here already: a line for each, with the number in the file, and the
// player's id, the address of the player's page, or the name if a single player has it.
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

// playerCalled returns the id of a player written as an id, as the address of a page, or by a unique name.
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
