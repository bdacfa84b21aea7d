package store

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"

	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing"
)

// names finds the names of a person in texts that people or the service wrote. A name of several words is found between
// any other words. A single one, such as a login, may be a word of the language or another person's: it is found where
// it stands alone, as a whole text, a line, or an item of a list.
type names struct {
	list  []string // as they may be written: plain, in JSON, in HTML
	found *regexp.Regexp
}

// newNames returns the names, of which some may be empty or the same.
func newNames(list []string) names {
	n := names{}
	for _, name := range list {
		inJSON, err := json.Marshal(name)
		if err != nil {
			continue // a text always encodes
		}
		for _, spelled := range []string{name, strings.Trim(string(inJSON), `"`), html.EscapeString(name)} {
			if spelled != "" && !slices.Contains(n.list, spelled) {
				n.list = append(n.list, spelled)
			}
		}
	}
	// the longest first: one name may begin another
	slices.SortFunc(n.list, func(a, b string) int { return len(b) - len(a) })
	var loose, alone []string
	for _, name := range n.list {
		if strings.Contains(name, " ") {
			loose = append(loose, regexp.QuoteMeta(name))
		}
		alone = append(alone, regexp.QuoteMeta(name))
	}
	pattern := `(^|["\n]|, )(` + strings.Join(alone, "|") + `)($|["\n]|, )`
	if len(loose) > 0 {
		pattern = `(^|[^\pL\pN])(` + strings.Join(loose, "|") + `)($|[^\pL\pN])|` + pattern
	}
	if len(n.list) > 0 {
		n.found = regexp.MustCompile("(?i)" + pattern)
	}
	return n
}

// replace returns a text with another name in the place of each of these.
func (n names) replace(text, with string) string {
	if n.found == nil {
		return text
	}
	for range 2 { // neighbours share the character between them
		text = n.found.ReplaceAllStringFunc(text, func(match string) string {
			m := n.found.FindStringSubmatch(match)
			before, after := m[1], m[3]
			if len(m) > 4 {
				before, after = before+m[4], after+m[6]
			}
			return before + with + after
		})
	}
	return text
}

// patterns returns LIKE patterns that find texts with one of the names.
func (n names) patterns() []string {
	patterns := make([]string, len(n.list))
	for i, name := range n.list {
		patterns[i] = literalPattern(name)
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

// written are the columns of texts that may name a person, apart from those that erasing knows by their rows.
var written = []struct {
	table       string
	keys, texts []string
	played      bool // only in the person's games: the table is large
}{
	{
		table: "tournament_acts", keys: []string{"id"},
		texts: []string{"before_result", "after_result", "why", "said", "undo"},
	},
	{table: "result_changes", keys: []string{"id"}, texts: []string{"before_result", "after_result", "why", "said"}},
	{table: "pairings", keys: []string{"tournament_id", "round", "board"}, texts: []string{"result", "earlier"}},
	{table: "rating_marks", keys: []string{"id"}, texts: []string{"reason"}},
	{table: "arbiter_calls", keys: []string{"id"}, texts: []string{"word"}},
	{table: "games", keys: []string{"id"}, texts: []string{"outcome"}, played: true},
	{table: "lines", keys: []string{"game_id", "n"}, texts: []string{"text", "said"}, played: true},
}

// eraseTexts replaces the names in what was written.
func (e *erasing) eraseTexts() error {
	for _, w := range written {
		conditions, args := []string{}, []any{}
		for _, column := range w.texts {
			for _, pattern := range e.names.patterns() {
				conditions, args = append(conditions, "lower("+column+") LIKE ? ESCAPE '!'"), append(args, pattern)
			}
		}
		where := "(" + strings.Join(conditions, " OR ") + ")"
		if w.played {
			where += " AND " + w.keys[0] + " IN (SELECT game_id FROM game_players WHERE player_id = ?)"
			args = append(args, e.Player)
		}
		var rows []map[string]any
		err := e.tx.Table(w.table).Select(slices.Concat(w.keys, w.texts)).Where(where, args...).Find(&rows).Error
		if err != nil {
			return err
		}
		for _, row := range rows {
			update := e.tx.Table(w.table)
			for _, key := range w.keys {
				update = update.Where(key+" = ?", row[key])
			}
			texts := map[string]any{}
			for _, column := range w.texts {
				if text, is := row[column].(string); is { // not NULL
					texts[column] = e.names.replace(text, e.name)
				}
			}
			if err := update.Updates(texts).Error; err != nil {
				return err
			}
			if id, is := row["tournament_id"].(string); is { // it is kept in memory, too
				if err := newEdition(e.tx, id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eraseFiles removes the person from the files that tournaments were imported from, and from what rounds were paired
// from.
func (e *erasing) eraseFiles() error {
	for _, member := range e.entries {
		var inputs []snapshotRow
		if err := e.tx.Find(&inputs, "tournament_id = ?", member.TournamentID).Error; err != nil {
			return err
		}
		for i := range inputs {
			text, err := pairing.EraseClub(inputs[i].Text, member.EntryID)
			if err != nil {
				return err
			}
			if text == inputs[i].Text {
				continue
			}
			inputs[i].Text = text
			if err := e.tx.Select("text").Updates(&inputs[i]).Error; err != nil {
				return err
			}
		}
		var files []originalRow
		if err := e.tx.Find(&files, "tournament_id = ?", member.TournamentID).Error; err != nil {
			return err
		}
		for i := range files {
			if err := e.eraseFile(&files[i], member.EntryID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *erasing) eraseFile(row *originalRow, entry string) error {
	file := exchange.Original{Text: row.Report, Entries: row.Entries}
	was, err := file.Erase(entry, e.name)
	if err != nil {
		return err
	}
	e.names = newNames(append(slices.Clone(e.names.list), was)) // "Lovelace, Ada", as other programs write names
	row.Report = []byte(e.names.replace(string(file.Text), e.name))
	return e.tx.Select("report").Updates(row).Error
}

// eraseRecords replaces the names in records of games in the hall. Each is stored under the digest of its text.
func (e *erasing) eraseRecords() error {
	for _, id := range e.tournaments() {
		var records []hallRecordRow
		if err := e.tx.Find(&records, "tournament_id = ?", id).Error; err != nil {
			return err
		}
		for _, r := range records {
			text := e.names.replace(r.Text, e.name)
			if text == r.Text {
				continue
			}
			next := tournament.NewRecordText(text)
			if err := db.CreateMissing(e.tx, hallRecordRow{id, next.Digest, next.Text}); err != nil {
				return err
			}
			here := e.tx.Where("tournament_id = ?", id).Session(&gorm.Session{})
			err := here.Model(&pairingRow{}).Where("record = ?", r.Digest).Update("record", next.Digest).Error
			if err != nil {
				return err
			}
			if err := here.Delete(&hallRecordRow{}, "digest = ?", r.Digest).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// eraseReplies replaces the names in answers to others that are kept for repeated requests.
func (e *erasing) eraseReplies() error {
	holds := "position( ?::bytea IN body) > 0" // gorm takes "(?" for a list
	if e.tx.Name() == db.SQLite {
		holds = "instr(body, ?) > 0"
	}
	for _, name := range e.names.list {
		var rows []replyRow
		if err := e.tx.Where(holds, []byte(name)).Find(&rows).Error; err != nil {
			return err
		}
		for i := range rows {
			rows[i].Body = []byte(e.names.replace(string(rows[i].Body), e.name))
			if err := e.tx.Select("body").Updates(&rows[i]).Error; err != nil {
				return err
			}
		}
	}
	return nil
}
