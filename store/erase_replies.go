package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"quatuor/store/internal/db"
)

// eraseOwnReplies deletes the answers that are kept for the person's own requests, which can no longer be repeated.
func (e *erasing) eraseOwnReplies() error {
	var own []credentialRow
	if err := e.tx.Select("id", "family").Find(&own, "account_id = ?", e.Account).Error; err != nil {
		return err
	}
	owners := []string{"account/" + e.Account}
	for _, c := range own {
		owners = append(owners, "token/"+c.ID, "token/"+c.Family)
	}
	for part := range db.Chunks(owners) {
		if err := e.tx.Delete(&replyRow{}, "owner IN ?", part).Error; err != nil {
			return err
		}
	}
	return nil
}

// eraseReplies drops the answers to others that name the person. Their rows stay, without status, headers and body: a
// request that is repeated was carried out, and must neither be carried out again nor be answered in other words.
// Encrypted answers cannot be searched, and go with their age.
func (e *erasing) eraseReplies() error {
	holds := "position( ?::bytea IN body) > 0" // gorm takes "(?" for a list
	if e.tx.Name() == db.SQLite {
		holds = "instr(body, ?) > 0"
	}
	known := map[string]bool{}
	for _, id := range slices.Concat(e.ids, e.scope) {
		known[id] = true
	}
	for _, member := range e.entries {
		known[member.EntryID] = true
	}
	for _, spelled := range e.names.inJSON() {
		var rows []replyRow
		if err := e.tx.Where(holds, []byte(spelled)).Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			if !e.names.inReply(r.Body, known) {
				continue
			}
			err := e.tx.Select("status", "header", "body").Updates(&replyRow{Owner: r.Owner, Key: r.Key}).Error
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// inJSON returns the names as they may be written in JSON texts.
func (n names) inJSON() (spelled []string) {
	for _, name := range n.list {
		for _, html := range []bool{false, true} {
			var b bytes.Buffer
			encoder := json.NewEncoder(&b)
			encoder.SetEscapeHTML(html)
			if encoder.Encode(name) == nil { // texts always encode
				spelled = append(spelled, strings.Trim(strings.TrimSpace(b.String()), `"`))
			}
		}
	}
	slices.Sort(spelled)
	return slices.Compact(spelled)
}

// inReply reports whether an answer names the person: it has an id of the person, its entries or its tournaments, and a
// text with any of the names. A name alone may be another person's, or a word.
func (n names) inReply(body []byte, known map[string]bool) bool {
	var decoded any
	if json.Unmarshal(body, &decoded) != nil {
		return false // encrypted answers, and others that are not JSON, hold no id
	}
	var id, name bool
	eachText(decoded, func(text string) {
		id = id || known[text]
		name = name || slices.Contains(n.list, text) || n.replace(text) != text
	})
	return id && name
}

// eachText calls yield with every text of a decoded JSON value.
func eachText(value any, yield func(string)) {
	switch value := value.(type) {
	case string:
		yield(value)
	case []any:
		for _, item := range value {
			eachText(item, yield)
		}
	case map[string]any:
		for _, item := range value {
			eachText(item, yield)
		}
	}
}
