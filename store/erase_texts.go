package store

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"gorm.io/gorm"

	gamerecord "quatuor/engine/record"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/ratings"
	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing"
)

// names finds the names of a person in texts that people wrote. A name of several words is found between any other
// words. A single word, for example a login, may be a word of the language or another person's name: it is found only
// as a whole text, a line, or an item of a list. A name without letters looks like a result or a number, and is not
// searched for in texts.
type names struct {
	list  []string // all of them
	with  string   // the replacement
	found *regexp.Regexp
}

// newNames returns the names, possibly empty or repeated, with their replacement.
func newNames(list []string, with string) names {
	n := names{with: with}
	var loose, alone []string
	// the longest first: a name may begin another
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	for _, name := range list {
		if name == "" || name == with || slices.Contains(n.list, name) {
			continue
		}
		n.list = append(n.list, name)
		if !strings.ContainsFunc(name, unicode.IsLetter) {
			continue
		}
		if strings.Contains(name, " ") {
			loose = append(loose, regexp.QuoteMeta(name))
		}
		alone = append(alone, regexp.QuoteMeta(name))
	}
	pattern := `(^|["\n]|, )(` + strings.Join(alone, "|") + `)($|["\n]|, )`
	if len(loose) > 0 {
		pattern = `(^|[^\pL\pN])(` + strings.Join(loose, "|") + `)($|[^\pL\pN])|` + pattern
	}
	if len(alone) > 0 {
		n.found = regexp.MustCompile("(?i)" + pattern)
	}
	return n
}

// replace returns a decoded text without the names.
func (n names) replace(text string) string {
	if n.found == nil || text == "" {
		return text
	}
	for range 2 { // neighbours share the character between them
		next := n.found.ReplaceAllStringFunc(text, func(match string) string {
			m := n.found.FindStringSubmatch(match)
			before, after := m[1], m[3]
			if len(m) > 4 {
				before, after = before+m[4], after+m[6]
			}
			return before + n.with + after
		})
		if next == text {
			break
		}
		text = next
	}
	return text
}

// tournamentsAtOnce is the number of tournaments per statement that reads rows of them.
const tournamentsAtOnce = 50

// eraseTexts replaces the names in people's words about the person's tournaments and games: in decoded fields, and
// nowhere else.
func (e *erasing) eraseTexts() error {
	for part := range slices.Chunk(e.scope, tournamentsAtOnce) {
		in := e.tx.Where("tournament_id IN ?", part).Session(&gorm.Session{})
		for _, step := range []func(in *gorm.DB) error{
			e.erasePairings, e.eraseActs, e.eraseChanges, e.eraseCalls,
		} {
			if err := step(in); err != nil {
				return err
			}
		}
		if err := e.eraseReasons(e.tx.Where("id IN ?", part)); err != nil {
			return err
		}
		err := e.eraseLines(e.tx.Where("game_id IN (SELECT id FROM games WHERE tournament_id IN ?)", part))
		if err != nil {
			return err
		}
	}
	if e.Player != "" {
		played := e.tx.Where("game_id IN (SELECT game_id FROM game_players WHERE player_id = ?)", e.Player)
		if err := e.eraseLines(played); err != nil {
			return err
		}
	}
	return e.eraseMarks()
}

// rewriteRows writes back those rows of a query that change has changed, and reads them again.
func rewriteRows[R any](e *erasing, query *gorm.DB, change func(*R) bool, columns ...string) error {
	var rows []R
	if err := query.Find(&rows).Error; err != nil {
		return err
	}
	for i := range rows {
		if !change(&rows[i]) {
			continue
		}
		if err := e.tx.Select(columns).Updates(&rows[i]).Error; err != nil {
			return err
		}
		again := rows[i]
		if err := e.tx.Take(&again).Error; err != nil { // by its key
			return err
		}
	}
	return nil
}

// refuse has the deletion refused because of an error, nil for none.
func (e *erasing) refuse(err error) {
	if e.refused == nil {
		e.refused = err
	}
}

// note notes that something was replaced in a tournament.
func (e *erasing) note(id string, changed bool) bool {
	e.changed[id] = e.changed[id] || changed
	return changed
}

func (e *erasing) erasePairings(in *gorm.DB) error {
	worded := in.Where("adjourned <> '' OR boards IS NOT NULL OR earlier LIKE '%reason%' OR " +
		`result LIKE '%"arbiter"%' OR result LIKE '%"adjudicated"%'`)
	return rewriteRows(e, worded, func(r *pairingRow) bool {
		return e.note(r.TournamentID, (*tournament.Pairing)(&r.Pairing).Rewrite(e.names.replace))
	}, "adjourned", "boards", "earlier", "result")
}

// eraseActs replaces the names in reasons. A tournament counts as changed if its undo would bring a name back.
func (e *erasing) eraseActs(in *gorm.DB) error {
	return rewriteRows(e, in.Where("why <> '' OR said <> '' OR undo <> ''"), func(r *actRow) bool {
		if r.Act.Undo != "" {
			e.note(r.TournamentID, tournament.UndoHolds(r.Act.Undo, e.names.replace))
		}
		changed := e.note(r.TournamentID, (*tournament.Act)(&r.Act).Rewrite(e.names.replace))
		if changed {
			e.refuse(checkSaid(r.Act.Said))
		}
		return changed
	}, "why", "said")
}

func (e *erasing) eraseChanges(in *gorm.DB) error {
	return rewriteRows(e, in, func(r *changeRow) bool {
		changed := e.note(r.TournamentID, (*tournament.Change)(&r.Change).Rewrite(e.names.replace))
		if changed {
			e.refuse(checkSaid(r.Change.Said))
		}
		return changed
	}, "before_result", "after_result", "why", "said")
}

func (e *erasing) eraseCalls(in *gorm.DB) error {
	return rewriteRows(e, in.Where("word <> ''"), func(r *callRow) bool {
		word := r.Word
		r.Word = e.names.replace(word)
		return e.note(r.TournamentID, r.Word != word)
	}, "word")
}

// eraseReasons replaces the names in the reasons of penalties, bonuses and bans.
func (e *erasing) eraseReasons(in *gorm.DB) error {
	return rewriteRows(e, in.Where("bonuses IS NOT NULL OR forbidden LIKE '%why%'"), func(r *tournamentRow) bool {
		return e.note(r.Tournament.ID, (*tournament.Tournament)(&r.Tournament).Rewrite(e.names.replace))
	}, "bonuses", "forbidden")
}

// explained lists the kinds of lines with a text that is a reason, or ends with a reason.
var explained = []table.LineKind{
	table.LineLeft, table.LineAbort, table.LineAdjudication, table.LineTakeback, table.LineSet, table.LineAdd,
	table.LinePause, table.LineResume, table.LineStand, table.LineRefuse,
}

// eraseLines replaces the names in the reasons of games' lines. The word before a reason stays: programs read it.
func (e *erasing) eraseLines(of *gorm.DB) error {
	worded := of.Where("kind IN ? AND text <> ''", explained)
	return rewriteRows(e, worded, func(r *lineRow) bool {
		reason := r.Reason()
		next := reason
		if is := r.Said.Sentence(); !is.IsZero() {
			rewritten, changed := tournament.RewriteSentence(is, e.names.replace)
			if changed {
				next, r.Said = rewritten.String(), rewritten.Stored()
			}
		} else if r.By != "" {
			next = e.names.replace(reason)
		}
		r.Text = strings.TrimSuffix(r.Text, reason) + next
		return next != reason
	}, "text", "said")
}

// eraseMarks replaces the names in the reasons for not rating games of others in the person's tournaments, or games
// against the person.
func (e *erasing) eraseMarks() error {
	met, err := e.acquaintances()
	if err != nil {
		return err
	}
	return rewriteRows(e, e.tx, func(r *ratings.MarkRow) bool {
		reason := r.Reason
		if r.PlayerID == e.Player || met[r.PlayerID] || slices.Contains(e.scope, r.TournamentID) {
			r.Reason = e.names.replace(reason)
		}
		return r.Reason != reason
	}, "reason")
}

// eraseFiles removes the person from the files that tournaments were imported from, and from the input of rounds'
// pairings.
func (e *erasing) eraseFiles() error {
	for _, member := range e.entries {
		err := rewriteRows(e, e.tx.Where("tournament_id = ?", member.TournamentID), func(r *snapshotRow) bool {
			text, err := pairing.EraseClub(r.Text, member.EntryID)
			changed := err == nil && text != r.Text
			if changed {
				r.Text = text
				_, err = pairing.Read(text, "")
			}
			e.refuse(err)
			return changed
		}, "text")
		if err != nil {
			return err
		}
	}
	for _, id := range e.scope {
		err := rewriteRows(e, e.tx.Where("tournament_id = ?", id), e.eraseFile, "report")
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseFile removes the person from a file: from the lines of its entries, and by its names, with those in the file,
// from people's words in others.
func (e *erasing) eraseFile(row *originalRow) bool {
	file := exchange.Original{Text: row.Report, Entries: row.Entries}
	changed := false
	for _, member := range e.entries {
		if member.TournamentID != row.TournamentID {
			continue
		}
		was, err := file.Erase(member.EntryID, e.name)
		e.refuse(err)
		if was != "" {
			changed = true
			e.names = newNames(append(e.names.list, was), e.name) // "Lovelace, Ada", as other programs write names
		}
	}
	changed = file.Rewrite(e.names.replace) || changed
	row.Report = file.Text
	if changed {
		e.refuse(file.Check())
	}
	return e.note(row.TournamentID, changed)
}

// eraseRecords replaces the names in records of games in the hall. Each is stored under the digest of its text.
func (e *erasing) eraseRecords() error {
	for _, id := range e.scope {
		var records []hallRecordRow
		if err := e.tx.Find(&records, "tournament_id = ?", id).Error; err != nil {
			return err
		}
		for _, r := range records {
			text := gamerecord.Rewrite(r.Text, e.names.replace)
			if !e.note(id, text != r.Text) {
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

// verify loads the changed tournaments and the changed entries of the log, as the service does, so that a deletion
// never leaves unreadable data: it is refused instead, and nothing of it is stored. Other rows were read again as they
// were written.
func (e *erasing) verify() error {
	if e.refused != nil {
		return fmt.Errorf("what would be left could not be read: %w; see quatuor check", e.refused)
	}
	for _, id := range e.tournaments() {
		if _, err := loadTournament(e.tx, id); err != nil {
			return fmt.Errorf("tournament %s could not be read after it: %w; see quatuor check", id, err)
		}
	}
	var log []adminLogRow
	if err := e.tx.Find(&log, "about_id IN ? OR by_account IN ?", e.ids, e.ids).Error; err != nil {
		return fmt.Errorf("the admin log could not be read after it: %w; see quatuor check", err)
	}
	return nil
}

// checkSaid returns an error for a sentence that cannot be read.
func checkSaid(said sentence.Stored) error {
	if said != "" && said.Sentence().IsZero() {
		return fmt.Errorf("the sentence %q cannot be read", said)
	}
	return nil
}
