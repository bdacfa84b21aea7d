package tournament

import (
	"fmt"
	"maps"
	"slices"

	"quatuor/engine/sentence"
)

// Act is an entry of a tournament's audit log. It leaves out results of the server's games, which the history of
// results has.
type Act struct {
	Version      int64 // of the tournament after the act
	Kind         ActKind
	By           string // account id, or [ServerAccount]
	At           int64
	Round, Board int    // 0 if it does not concern a round or board
	Entry        string // id; "" if it does not concern an entry
	Before       string // a result as [Result.Text] returns it, "" for none
	After        string
	Why          string
	Said         sentence.Stored // Why as a translatable text, if the server wrote it
	Undo         string          // how to undo it, see [UndoOf]; "" if it cannot be undone
}

// Because returns the act with a reason in the server's words.
func (a Act) Because(said sentence.Sentence) Act {
	a.Why, a.Said = said.String(), said.Stored()
	return a
}

// Undoing returns the act with the reason that it undoes another act.
func (a Act) Undoing(other Act) Act {
	return a.Because(sentence.New("act %d: %s", int(other.Version), sentence.Word{Set: "act", Word: string(other.Kind)}))
}

// Undid returns the version of the act that an act undid; 0 if it undid none.
func (a Act) Undid() int64 {
	var version int64
	if a.Kind != ActUndo {
		return 0
	}
	if _, err := fmt.Sscanf(a.Why, "act %d:", &version); err != nil {
		return 0
	}
	return version
}

// ActKind is the kind of an act.
type ActKind string

// The kinds of act.
const (
	ActCreate    ActKind = "create"
	ActSettings  ActKind = "settings"
	ActArbiters  ActKind = "arbiters"
	ActOpen      ActKind = "open"
	ActClose     ActKind = "close"
	ActStart     ActKind = "start"
	ActFinish    ActKind = "finish"
	ActArchive   ActKind = "archive"
	ActRegister  ActKind = "entry_register"
	ActEnter     ActKind = "entry_add"
	ActCorrect   ActKind = "entry_correct"
	ActConfirm   ActKind = "entry_confirm"
	ActAgree     ActKind = "entry_agree"
	ActDecline   ActKind = "entry_decline"
	ActWithdraw  ActKind = "entry_withdraw"
	ActReinstate ActKind = "entry_reinstate"
	ActRemove    ActKind = "entry_remove"
	ActByes      ActKind = "byes"
	ActForbid    ActKind = "forbidden_pairs"
	ActBonuses   ActKind = "bonuses"     // penalties and bonuses of teams
	ActEnterAll  ActKind = "entries_add" // several entries at once

	ActOpenCheckIn   ActKind = "check_in_open"
	ActCloseCheckIn  ActKind = "check_in_close"
	ActCancelCheckIn ActKind = "check_in_cancel"
	ActPresent       ActKind = "entry_present"
	ActAbsent        ActKind = "entry_absent"

	ActPrizes     ActKind = "prizes"
	ActPair       ActKind = "round_pair" // paired and published at once
	ActDraw       ActKind = "round_draw"
	ActPublish    ActKind = "round_publish"
	ActEdit       ActKind = "round_edit"
	ActDrop       ActKind = "round_delete"
	ActResult     ActKind = "result"
	ActResults    ActKind = "results_set" // of several boards at once
	ActAdjourn    ActKind = "adjourn"
	ActPlayAgain  ActKind = "play_again"
	ActClear      ActKind = "result_delete"
	ActRating     ActKind = "result_rating" // corrected for the ratings and the report file alone
	ActVenue      ActKind = "venue"
	ActRecord     ActKind = "record"       // attached to a board, or removed
	ActReveal     ActKind = "reveal"       // of the line-ups of a match
	ActBoard      ActKind = "board_result" // of a match
	ActSubstitute ActKind = "substitute"
	ActReopen     ActKind = "reopen"     // the line-ups of a match
	ActDate       ActKind = "match_date" // proposed, agreed or set
	ActUndo       ActKind = "undo"
	ActImport     ActKind = "import"
)

// PublicChanges returns the result changes that the public may see: those of published rounds.
func (t *Tournament) PublicChanges(changes []Change) []Change {
	var out []Change
	for _, c := range changes {
		if c.Round <= t.PublishedRounds() {
			out = append(out, c)
		}
	}
	return out
}

// PublicActs returns the result changes that the public may see, as acts.
func (t *Tournament) PublicActs(changes []Change) []Act {
	var out []Act
	for _, c := range t.PublicChanges(changes) {
		out = append(out, c.Act())
	}
	return out
}

// Act returns a change of a result as an act, without a version.
func (c Change) Act() Act {
	kind := ActResult
	if c.RatingOnly() {
		kind = ActRating
	}
	before, after := c.Texts()
	return Act{
		Kind: kind, By: c.By, At: c.At, Round: c.Round, Board: c.Board, Before: before, After: after, Why: c.Why, Said: c.Said,
	}
}

// RatingOnly reports whether nothing but the result for the ratings changed.
func (c Change) RatingOnly() bool {
	return c.Corrects() && !slices.Equal(c.Before.RatedAs, c.After.RatedAs) && c.Before.Text() == c.After.Text()
}

// Texts returns the results of a change as [ParseVerdict] reads them, or as ranks; "" for none. If only the result for
// the ratings changed, it returns those results.
func (c Change) Texts() (before, after string) {
	if c.RatingOnly() {
		return Verdict{Ranks: c.Before.RatedRanks()}.String(), Verdict{Ranks: c.After.RatedRanks()}.String()
	}
	return c.Before.Text(), c.After.Text()
}

// Corrects reports whether the change replaced a result by another.
func (c Change) Corrects() bool { return c.Before != nil && c.After != nil }

// Text returns a result as [ParseVerdict] reads it, or as ranks; "" for nil.
func (r *Result) Text() string {
	if r == nil {
		return ""
	}
	return r.Verdict().String()
}

// Then merges a later change into d, so that both can be stored at once: of parts that both wrote, the later value
// wins.
func (d Delta) Then(later Delta) Delta {
	out := Delta{
		Entries:       replace(d.Entries, later.Entries, func(a, b Entry) bool { return a.ID == b.ID }),
		RemovedEntry:  append(slices.Clone(d.RemovedEntry), later.RemovedEntry...),
		Order:         slices.Clone(d.Order),
		Rounds:        replace(d.Rounds, later.Rounds, func(a, b Round) bool { return a.Number == b.Number }),
		RemovedRounds: append(slices.Clone(d.RemovedRounds), later.RemovedRounds...),
		Changes:       append(slices.Clone(d.Changes), later.Changes...),
		Inputs:        append(slices.Clone(d.Inputs), later.Inputs...),
		Acts:          append(slices.Clone(d.Acts), later.Acts...),
		Records:       append(slices.Clone(d.Records), later.Records...),
		LineUps:       append(slices.Clone(d.LineUps), later.LineUps...),
		Filed:         both(d.Filed, later.Filed),
	}
	if later.Order != nil {
		out.Order = slices.Clone(later.Order)
	}
	// A single pairing that changed after its whole round had been listed belongs into that round.
	for _, p := range later.Pairings {
		if i := slices.IndexFunc(out.Rounds, func(r Round) bool { return r.Number == p.Round }); i >= 0 {
			out.Rounds[i].Pairings = slices.Clone(out.Rounds[i].Pairings)
			out.Rounds[i].Pairings[p.Pairing.Board-1] = p.Pairing
		}
	}
	same := func(a, b RoundPairing) bool { return a.Round == b.Round && a.Pairing.Board == b.Pairing.Board }
	out.Pairings = slices.DeleteFunc(replace(d.Pairings, later.Pairings, same), func(p RoundPairing) bool {
		return slices.ContainsFunc(out.Rounds, func(r Round) bool { return r.Number == p.Round })
	})
	return out
}

// both returns what two maps have together, nil for nothing.
func both(a, b map[int]int) map[int]int {
	if len(a)+len(b) == 0 {
		return nil
	}
	out := make(map[int]int, len(a)+len(b))
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// replace returns the earlier items without a successor among the later items, then the later items.
func replace[T any](earlier, later []T, same func(a, b T) bool) []T {
	var out []T
	for _, a := range earlier {
		if !slices.ContainsFunc(later, func(b T) bool { return same(a, b) }) {
			out = append(out, a)
		}
	}
	return append(out, later...)
}
