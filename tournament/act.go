package tournament

// Act is one thing that was done with a tournament, as its history keeps it. Results of the server's games are no acts;
// the history of results has them.
type Act struct {
	Version      int64 // of the tournament that came of it
	Kind         ActKind
	By           string // account id, or [ServerAccount]
	At           int64
	Round, Board int    // 0 where it was about no round or board
	Entry        string // id; "" where it was about no entry
	Before       string // a result in words, "" if there was none
	After        string
	Why          string
	Undo         string // how to take it back, see [UndoOf]; "" if that cannot be
}

// ActKind says what was done.
type ActKind string

// What can be done.
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
	ActPrizes    ActKind = "prizes"
	ActPair      ActKind = "round_pair" // drawn up and published at once
	ActDraw      ActKind = "round_draw"
	ActPublish   ActKind = "round_publish"
	ActEdit      ActKind = "round_edit"
	ActDrop      ActKind = "round_delete"
	ActResult    ActKind = "result"
	ActAdjourn   ActKind = "adjourn"
	ActPlayAgain ActKind = "play_again"
	ActUndo      ActKind = "undo"
	ActImport    ActKind = "import"
)

// PublicChanges lists the result changes that the public may know: those of rounds that are published.
func (t *Tournament) PublicChanges(changes []Change) []Change {
	var out []Change
	for _, c := range changes {
		if c.Round <= t.PublishedRounds() {
			out = append(out, c)
		}
	}
	return out
}

// PublicActs makes acts of the result changes that the public may know.
func (t *Tournament) PublicActs(changes []Change) []Act {
	var out []Act
	for _, c := range t.PublicChanges(changes) {
		out = append(out, c.Act())
	}
	return out
}

// Act is a change of a result as an act, without a version.
func (c Change) Act() Act {
	return Act{
		Kind: ActResult, By: c.By, At: c.At, Round: c.Round, Board: c.Board, Before: c.Before.Text(), After: c.After.Text(), Why: c.Why,
	}
}

// Corrects reports whether one result took the place of another.
func (c Change) Corrects() bool { return c.Before != nil && c.After != nil }

// Text prints a result as [ParseVerdict] reads it, or as ranks; "" for nil.
func (r *Result) Text() string {
	if r == nil {
		return ""
	}
	return r.Verdict().String()
}
