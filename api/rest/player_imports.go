package rest

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// What a table of players may hold at most.
const (
	maxImportedPlayers = 10_000
	maxLineFaults      = 100
	maxName            = 200 // characters
)

// ImportPlayers enters many players, all or none.
func (a *API) ImportPlayers(ctx context.Context, r gen.ImportPlayersRequestObject) (gen.ImportPlayersResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.CreatePlayers); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	players, err := readPlayers(text)
	if err != nil {
		return nil, err
	}
	if base := idOf(who, "players", r.Params.IdempotencyKey, string(text)); base != "" {
		for i := range players {
			players[i].ID = uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, base, i)).String()
		}
		// They came in one step, if an earlier request got as far as that.
		if first, err := a.People.Player(ctx, players[0].ID); err == nil {
			return importedPlayers(who, first.CreatedAt, players), nil
		} else if !errors.Is(err, club.ErrNotFound) {
			return nil, err
		}
	}
	now := a.Now().UnixMilli()
	for i := range players {
		p := &players[i]
		if p.ID == "" {
			p.ID = uuid.Must(uuid.NewV7()).String()
		}
		p.CreatedBy, p.CreatedAt, p.Version = who.AccountID, now, 1
	}
	if err := a.People.CreatePlayer(ctx, players...); err != nil {
		return nil, err
	}
	return importedPlayers(who, now, players), nil
}

func importedPlayers(who auth.Identity, at int64, players []club.Player) gen.ImportPlayers201JSONResponse {
	out := gen.ImportPlayers201JSONResponse{Items: make([]gen.Player, len(players))}
	for i, p := range players {
		p.CreatedAt = at
		out.Items[i] = player(who, p)
	}
	return out
}

// playerTable is a table of players being read.
type playerTable struct {
	columns []string
	faults  []FieldError
	seen    map[string]int // lines by what they say
}

// readPlayers reads a table of players. The error names every line that is at fault.
func readPlayers(text []byte) ([]club.Player, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, invalid("", "the table is not in UTF-8; save it as UTF-8")
	}
	header, _, _ := bytes.Cut(text, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(text))
	if bytes.Contains(header, []byte(";")) && !bytes.Contains(header, []byte(",")) {
		r.Comma = ';'
	}
	r.TrimLeadingSpace = true
	columns, err := r.Read()
	if err != nil {
		return nil, invalid("/lines/1", "the first line names the columns: name, and any of club, birth_year and rating lists")
	}
	t := playerTable{seen: map[string]int{}}
	if err := t.head(columns); err != nil {
		return nil, err
	}
	players, err := t.rows(r)
	if err != nil {
		return nil, err
	}
	return players, t.verdict(len(players))
}

// head reads the names of the columns.
func (t *playerTable) head(columns []string) error {
	for _, c := range columns {
		c = strings.ToLower(strings.TrimSpace(c))
		switch {
		case slices.Contains(t.columns, c):
			return invalid("/lines/1", fmt.Sprintf("there are two columns %q", c))
		case c != "name" && c != "club" && c != "birth_year" && !knownList(c):
			return invalid("/lines/1", fmt.Sprintf("there is no column %q; the columns are name, club, birth_year and rating lists, such as %s", c, exampleList()))
		}
		t.columns = append(t.columns, c)
	}
	if !slices.Contains(t.columns, "name") {
		return invalid("/lines/1", "a column called name is needed")
	}
	return nil
}

// exampleList returns the id of a rating list that there can be.
func exampleList() string {
	family, _, _ := strings.Cut(catalog.IDs()[0], "/")
	return ledger.ListID(family, clock.Blitz)
}

// knownList reports whether there can be a rating list of this id.
func knownList(id string) bool {
	for _, variant := range catalog.IDs() {
		family, _, _ := strings.Cut(variant, "/")
		for _, class := range []string{clock.Bullet, clock.Blitz, clock.Rapid, clock.Classical, clock.Correspondence, clock.Untimed} {
			if id == ledger.ListID(family, class) {
				return true
			}
		}
	}
	return false
}

// rows reads the lines below the head.
func (t *playerTable) rows(r *csv.Reader) ([]club.Player, error) {
	var players []club.Player
	for {
		cells, err := r.Read()
		var syntax *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return players, nil
		case errors.As(err, &syntax):
			return nil, invalid(fmt.Sprintf("/lines/%d", syntax.Line), fmt.Sprintf("the line cannot be read: %v; the first line names %d columns",
				syntax.Err, len(t.columns)))
		case err != nil:
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if len(players) == maxImportedPlayers {
			return nil, invalid(fmt.Sprintf("/lines/%d", line), fmt.Sprintf("at most %d players can be entered at once", maxImportedPlayers))
		}
		players = append(players, t.player(line, cells))
	}
}

// player reads one line.
func (t *playerTable) player(line int, cells []string) club.Player {
	var p club.Player
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		fault := func(format string, args ...any) {
			t.faults = append(t.faults, FieldError{fmt.Sprintf("/lines/%d/%s", line, t.columns[i]), fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...)})
		}
		switch column := t.columns[i]; column {
		case "name":
			name, err := wording.Line.Clean(cell, maxName)
			if p.Name = name; err != nil {
				fault("the name cannot be taken: %v", err)
			}
		case "club":
			club, err := wording.Line.Optional(cell, maxName)
			if p.Club = club; err != nil {
				fault("the club cannot be taken: %v", err)
			}
		case "birth_year":
			year, err := strconv.Atoi(cell)
			if cell != "" && (err != nil || year < 1900 || year > 2100) {
				fault("%q is no year of birth from 1900 to 2100", cell)
			}
			p.BirthYear = year
		default:
			value, err := strconv.ParseFloat(cell, 64)
			switch {
			case cell == "":
			case err != nil || math.IsNaN(value) || value < 0 || value > 5000:
				fault("%q is no rating from 0 to 5000", cell)
			default:
				if p.Rating == nil {
					p.Rating = map[string]float64{}
				}
				p.Rating[column] = value
			}
		}
	}
	key := fmt.Sprintf("%q %q %d", p.Name, p.Club, p.BirthYear)
	if first, twice := t.seen[key]; twice {
		t.faults = append(t.faults, FieldError{fmt.Sprintf("/lines/%d", line), fmt.Sprintf("line %d is the player of line %d again", line, first)})
	} else {
		t.seen[key] = line
	}
	return p
}

// verdict refuses a table with faults, or without players.
func (t *playerTable) verdict(players int) error {
	if players == 0 {
		return invalid("", "there is no player below the line that names the columns")
	}
	if len(t.faults) == 0 {
		return nil
	}
	first := t.faults[0].Detail
	if len(t.faults) > 1 {
		first += fmt.Sprintf("; and %d more", len(t.faults)-1)
	}
	return &Refusal{Err: fmt.Errorf("%w: %s", ErrInvalid, first), Fields: t.faults[:min(len(t.faults), maxLineFaults)]}
}
