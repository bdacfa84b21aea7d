package tournament

import (
	"encoding/json"
	"slices"

	"quatuor/engine/sentence"
)

// Rewrite replaces the reasons that people gave for penalties, bonuses and bans, and reports whether any changed.
func (t *Tournament) Rewrite(replace func(string) string) (changed bool) {
	t.Bonuses, t.Forbidden = slices.Clone(t.Bonuses), slices.Clone(t.Forbidden)
	for i := range t.Bonuses {
		changed = rewrite(&t.Bonuses[i].Why, replace) || changed
	}
	for i := range t.Forbidden {
		changed = rewrite(&t.Forbidden[i].Why, replace) || changed
	}
	return changed
}

// Rewrite replaces the texts that people wrote about a pairing and its boards, and reports whether any changed. The
// result of a match follows from its boards and that of a bye from the rules: their reasons are the service's.
func (p *Pairing) Rewrite(replace func(string) string) (changed bool) {
	changed = rewrite(&p.Adjourned, replace)
	if p.Bye == NoBye && len(p.Boards) == 0 {
		changed = p.Result.Rewrite(replace) || changed
	}
	for i := range p.Boards {
		changed = p.Boards[i].Result.Rewrite(replace) || changed
	}
	for i := range p.Earlier {
		changed = rewrite(&p.Earlier[i].Reason, replace) || changed
	}
	return changed
}

// Rewrite replaces the arbiter's words in a result, which may be nil, and reports whether they changed. A game's own
// reason is a code.
func (r *Result) Rewrite(replace func(string) string) bool {
	if r == nil || r.Source != ByArbiter && !r.Adjudicated {
		return false
	}
	return rewrite(&r.Reason, replace)
}

// Rewrite replaces the texts that people wrote about a change of a result, and reports whether any changed.
func (c *Change) Rewrite(replace func(string) string) (changed bool) {
	changed = c.Before.Rewrite(replace)
	changed = c.After.Rewrite(replace) || changed
	return rewriteReason(&c.Why, &c.Said, c.By, replace) || changed
}

// Rewrite replaces what people wrote in the reason of an act, and reports whether it changed.
func (a *Act) Rewrite(replace func(string) string) bool {
	return rewriteReason(&a.Why, &a.Said, a.By, replace)
}

// rewriteReason replaces texts in a reason. In a sentence of the service only the values are replaced; a reason of the
// server without a sentence is the code of a game's end.
func rewriteReason(why *string, said *sentence.Stored, by string, replace func(string) string) bool {
	is := said.Sentence()
	if is.IsZero() {
		return by != ServerAccount && rewrite(why, replace)
	}
	next, changed := RewriteSentence(is, replace)
	if changed {
		*why, *said = next.String(), next.Stored()
	}
	return changed
}

// RewriteSentence replaces the texts among the values of a sentence, and reports whether any changed.
func RewriteSentence(s sentence.Sentence, replace func(string) string) (next sentence.Sentence, changed bool) {
	next = s.Map(func(value any) any {
		text, is := value.(string)
		if is && rewrite(&text, replace) {
			changed = true
			return text
		}
		return value
	})
	return next, changed
}

// UndoHolds reports whether undoing an act would bring back a text that replace changes: the name of an entry, or text
// that people wrote. text is a result of [UndoOf]; an unreadable text holds nothing that could be brought back.
func UndoHolds(text string, replace func(string) string) (holds bool) {
	var u undo
	if json.Unmarshal([]byte(text), &u) != nil {
		return false
	}
	holds = u.Own.Rewrite(replace)
	for _, e := range u.Back.Entries {
		holds = rewrite(&e.Name, replace) || holds
	}
	for _, r := range u.Back.Rounds {
		for i := range r.Pairings {
			holds = r.Pairings[i].Rewrite(replace) || holds
		}
	}
	for i := range u.Back.Pairings {
		holds = u.Back.Pairings[i].Pairing.Rewrite(replace) || holds
	}
	for i := range u.Back.Records {
		holds = rewrite(&u.Back.Records[i].Text, replace) || holds
	}
	return holds
}

// rewrite replaces a text and reports whether it changed.
func rewrite(text *string, replace func(string) string) bool {
	next := replace(*text)
	changed := next != *text
	*text = next
	return changed
}
