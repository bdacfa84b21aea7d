package rest

import (
	"archive/zip"
	"bytes"
	"context"
	"embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/text/language"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/api/internal/attachment"
	"quatuor/api/internal/limit"
	"quatuor/api/internal/sheet"
	"quatuor/engine/record"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/director"
	"quatuor/tournament/slip"
)

// exportRate limits the exports of an account's data: an export reads all of its games.
var exportRate = limit.Rate{Interval: time.Minute, Burst: 3}

//go:embed readme
var readmes embed.FS

// readmeLanguages are those of the README in an export; the first is for readers of others.
var readmeLanguages = []language.Tag{language.English, language.German, language.French}

// ExportMe exports the stored data of the account's owner.
func (a *API) ExportMe(ctx context.Context, _ gen.ExportMeIn) (gen.ExportMeOut, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ExportOwnData); err != nil {
		return nil, err
	}
	if v := a.exports.Take(who.AccountID); !v.OK {
		return nil, &auth.LimitError{Verdict: v}
	}
	owner, err := a.People.Account(ctx, who.AccountID)
	return &ownData{API: a, ctx: ctx, who: who, owner: owner}, err
}

// ownData is an export that is written file by file, game by game, so that it takes as little memory for many games as
// for few. Everything is read as the owner may see it.
type ownData struct {
	*API
	ctx   context.Context //nolint:containedctx // it is as short as a request
	who   auth.Identity
	owner account.Account
	zip   *zip.Writer
}

// VisitExportMeResponse writes the archive. After an error its directory is missing, and programs refuse it.
func (d *ownData) VisitExportMeResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", attachment.Disposition("quatuor-"+d.Now().UTC().Format(time.DateOnly)+".zip"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	d.zip = zip.NewWriter(w)
	for _, write := range []func() error{d.readme, d.account, d.entries, d.seasons, d.games, d.ratings, d.log} {
		if err := write(); err != nil {
			return err
		}
	}
	return d.zip.Close()
}

// readme explains the files, in the owner's language.
func (d *ownData) readme() error {
	_, best, _ := language.NewMatcher(readmeLanguages).Match(append(preferred(d.owner.Language),
		preferred(d.request.Languages)...)...)
	text, err := readmes.ReadFile("readme/" + readmeLanguages[best].String() + ".txt")
	if err != nil {
		return err
	}
	now := d.Now().UTC().Format(time.RFC3339)
	return d.file("README.txt", bytes.Replace(text, []byte("{{TIME}}"), []byte(now), 1))
}

// preferred reads an Accept-Language header, or a tag; unreadable parts are no preference.
func preferred(header string) []language.Tag {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return nil
	}
	return tags
}

// file writes a file.
func (d *ownData) file(name string, content []byte) error {
	f, err := d.zip.Create(name)
	if err == nil {
		_, err = f.Write(content)
	}
	return err
}

// json writes a file with a single value.
func (d *ownData) json(name string, value any) error {
	f, err := d.zip.Create(name)
	if err != nil {
		return err
	}
	out := json.NewEncoder(f)
	out.SetIndent("", "  ")
	return out.Encode(value)
}

// table writes a CSV file; rows calls its argument for each row, and stops at its first error.
func (d *ownData) table(name string, head []string, rows func(add func(...any) error) error) error {
	f, err := d.zip.Create(name)
	if err != nil {
		return err
	}
	out := csv.NewWriter(f)
	_ = out.Write(head) // the writer keeps its first error
	err = rows(func(cells ...any) error {
		return out.Write(each(cells, func(c any) string { return sheet.Harmless(fmt.Sprint(c)) }))
	})
	out.Flush()
	return errors.Join(err, out.Error())
}

// moment formats a time; "" for 0.
func moment(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339)
}

// account writes the account with its sessions and tokens, and the player.
func (d *ownData) account() error {
	var blocked []string
	if d.who.PlayerID != "" {
		blocks, err := d.People.Blocks(d.ctx, d.who.PlayerID)
		if err != nil {
			return err
		}
		for _, b := range blocks {
			blocked = append(blocked, b.Blocked)
		}
	}
	body := map[string]any{"account": accountBody(d.owner), "language": d.owner.Language, "blocked_players": blocked}
	if d.Mail != nil {
		email, err := d.email(d.ctx, d.who.AccountID)
		if err != nil {
			return err
		}
		body["email"] = email
	}
	if err := d.json("account.json", body); err != nil {
		return err
	}
	sessions, err := d.Guard.Sessions(d.ctx, d.who)
	if err != nil {
		return err
	}
	tokens, err := d.Guard.APITokens(d.ctx, d.who.AccountID)
	if err != nil {
		return err
	}
	named := each(tokens, func(t account.Credential) map[string]any {
		return map[string]any{
			"id": t.ID, "name": t.Name, "scopes": t.Scopes, "created_at": moment(t.CreatedAt), "expires_at": moment(t.ExpiresAt),
			"used_at": moment(t.UsedAt), "tournament": t.Tournament,
		}
	})
	err = errors.Join(d.json("sessions.json", each(sessions, sessionView)), d.json("tokens.json", named), d.webhooks())
	if err != nil {
		return err
	}
	if d.who.PlayerID == "" {
		return nil
	}
	p, err := d.People.Player(d.ctx, d.who.PlayerID)
	if err != nil {
		return err
	}
	return d.json("player.json", player(d.who, p))
}

// webhooks writes the webhooks, without their secrets.
func (d *ownData) webhooks() error {
	have, err := d.Hooks.Store.Of(d.ctx, d.who.AccountID)
	if err != nil {
		return err
	}
	return d.json("webhooks.json", d.API.webhooks(d.ctx, have))
}

// boardOf is a board of the player.
type boardOf struct {
	round, seat int
	pairing     tournament.Pairing
}

// eachEntry calls yield for each entry of the player in a tournament, and each team that the player leads, as the player may see it.
func (d *ownData) eachEntry(yield func(t *tournament.Tournament, e tournament.Entry) error) error {
	if d.who.PlayerID == "" {
		return nil
	}
	tournaments := all(func(cursor string) ([]director.Summary, string, error) {
		return d.TournamentList.List(d.ctx, director.Filter{Player: d.who.PlayerID, Leads: true}, maxItems, cursor)
	})
	for listed, err := range tournaments {
		if err != nil {
			return err
		}
		t, err := d.visible(d.ctx, listed.ID)
		if errors.Is(err, tournament.ErrNotFound) { // a draft, which is its organiser's
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range t.Entries {
			if !slices.Contains(e.Members, d.who.PlayerID) && !e.Leads(d.who.PlayerID) {
				continue
			}
			if err := yield(t, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// boardsOf returns the boards of an entry in the published rounds. In a tournament of teams they are the player's
// boards of matches; captains and deputies get their team's matches too.
func boardsOf(t *tournament.Tournament, e tournament.Entry, player string) (boards []boardOf) {
	for _, r := range t.Rounds[:t.PublishedRounds()] {
		for _, p := range r.Pairings {
			i := slices.Index(p.Seats, e.ID)
			if i < 0 {
				continue
			}
			if t.Teams == nil || e.Leads(player) {
				boards = append(boards, boardOf{r.Number, i + 1, p})
			}
			for k, b := range p.Boards {
				if b.Players[i] == player {
					boards = append(boards, boardOf{r.Number, i + 1, tournament.Pairing{Board: slip.Number(p.Board, k+1)}})
				}
			}
		}
	}
	return boards
}

// entryRows are the rows of the tables about tournaments. They are kept until all tournaments have been read, because an
// archive is written file by file.
type entryRows struct{ entries, reports, calls [][]any }

// entries writes the tournaments, with the records, reports and calls at the player's boards.
func (d *ownData) entries() error {
	var rows entryRows
	err := d.eachEntry(func(t *tournament.Tournament, e tournament.Entry) error {
		rows.entries = append(rows.entries, []any{t.ID, t.Name, t.Status, e.Name, e.Club, e.Rating, e.Number, e.Status})
		boards := boardsOf(t, e, d.who.PlayerID)
		return errors.Join(d.hall(t, boards), d.reports(&rows, t, boards), d.calls(&rows, t, boards))
	})
	if err != nil {
		return err
	}
	return errors.Join(
		d.rows("entries.csv", rows.entries, "tournament", "name", "status", "entry", "club", "rating", "number", "entry_status"),
		d.rows("reports.csv", rows.reports, "tournament", "round", "board", "seat", "reported", "at"),
		d.rows("calls.csv", rows.calls, "tournament", "round", "board", "seat", "kind", "text", "status", "at"),
	)
}

// rows writes a CSV file of rows that have been read.
func (d *ownData) rows(name string, rows [][]any, head ...string) error {
	return d.table(name, head, func(add func(...any) error) error {
		for _, row := range rows {
			if err := add(row...); err != nil {
				return err
			}
		}
		return nil
	})
}

// hall writes the records of games in the hall.
func (d *ownData) hall(t *tournament.Tournament, boards []boardOf) error {
	for _, b := range boards {
		if b.pairing.Record == "" {
			continue
		}
		text, err := d.Tournaments.BoardRecord(d.ctx, t, b.round, b.pairing.Board)
		if err != nil {
			return err
		}
		name := "hall/" + t.ID + "-" + boardName(b.round, b.pairing.Board) + ".record"
		if err := d.file(name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// reports adds the results that the player has reported.
func (d *ownData) reports(rows *entryRows, t *tournament.Tournament, boards []boardOf) error {
	for _, b := range boards {
		reports, err := d.Tournaments.Slips.Reports(d.ctx, t.ID, b.round)
		if err != nil {
			return err
		}
		for _, r := range reports {
			if r.Board == b.pairing.Board && r.Seat == b.seat {
				rows.reports = append(rows.reports, []any{t.ID, b.round, slip.Label(t, r.Board), r.Seat, r.Verdict, moment(r.At)})
			}
		}
	}
	return nil
}

// calls adds the player's calls for the arbiter.
func (d *ownData) calls(rows *entryRows, t *tournament.Tournament, boards []boardOf) error {
	calls, err := d.Tournaments.Slips.Calls(d.ctx, t.ID)
	if err != nil {
		return err
	}
	for _, c := range calls {
		own := slices.ContainsFunc(boards, func(b boardOf) bool {
			return b.round == c.Round && b.pairing.Board == c.Board && b.seat == c.Seat
		})
		if own {
			rows.calls = append(rows.calls, []any{t.ID, c.Round, slip.Label(t, c.Board), c.Seat, c.Kind, c.Word, c.Status, moment(c.At)})
		}
	}
	return nil
}

// games writes a list of the games on the server, and their records.
func (d *ownData) games() error {
	head := []string{"game", "variant", "status", "rated", "created_at", "finished_at"}
	err := d.table("games.csv", head, func(add func(...any) error) error {
		return d.eachGame(func(s *table.Snapshot) error {
			g := &s.Game
			return add(g.ID, g.Variant, g.Status, g.Rated, moment(g.CreatedAt), moment(g.FinishedAt))
		})
	})
	if err != nil {
		return err
	}
	return d.eachGame(func(s *table.Snapshot) error {
		rec, err := d.recordOf(d.ctx, s, "")
		if err != nil {
			return err
		}
		return d.file("games/"+s.Game.ID+".record", record.Append(nil, rec))
	})
}

// eachGame calls yield for each game of the player, as the player may see it. Games in the hall are in the records of
// their boards.
func (d *ownData) eachGame(yield func(*table.Snapshot) error) error {
	if d.who.PlayerID == "" {
		return nil
	}
	games := all(func(cursor string) ([]table.Game, string, error) {
		return d.GameList.List(d.ctx, table.Filter{Player: d.who.PlayerID}, maxItems, cursor)
	})
	for g, err := range games {
		if err != nil {
			return err
		}
		s, err := d.look(d.ctx, g.ID)
		if err != nil {
			return err
		}
		if err := yield(s); err != nil {
			return err
		}
	}
	return nil
}

// ratings writes the current ratings, and how they came about.
func (d *ownData) ratings() error {
	if d.who.PlayerID == "" {
		return nil
	}
	lists, err := d.Ratings.OfPlayer(d.ctx, d.who.PlayerID)
	if err != nil {
		return err
	}
	ratings := each(lists, func(r ledger.Ranked) []any { return []any{r.List, r.Rating.Value, r.Rating.Games, r.Rank} })
	if err := d.rows("ratings.csv", ratings, "list", "rating", "games", "rank"); err != nil {
		return err
	}
	head := []string{"list", "game", "before", "after", "expected", "score", "at"}
	return d.table("rating-history.csv", head, func(add func(...any) error) error {
		for _, r := range lists {
			rows, err := d.Ratings.History(d.ctx, r.List, d.who.PlayerID)
			if err != nil {
				return err
			}
			for _, row := range rows {
				err := add(row.List, row.GameID, row.Before, row.After, row.Expected, row.Score, moment(row.At))
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// log writes the entries of the admin log about the account and the player in turn.
func (d *ownData) log() error {
	list := []gen.AdminLogEntry{}
	for _, id := range slices.Compact([]string{d.who.AccountID, d.who.PlayerID}) {
		if id == "" {
			continue
		}
		entries := all(func(cursor string) ([]adminlog.Entry, string, error) {
			return d.People.AdminLog(d.ctx, adminlog.Filter{Person: id}, maxItems, cursor)
		})
		for e, err := range entries {
			if err != nil {
				return err
			}
			list = append(list, adminLogEntry(e))
		}
	}
	return d.json("admin-log.json", list)
}
