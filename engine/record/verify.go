package record

import (
	"fmt"
	"slices"
	"strconv"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// Account lists the verifiable facts about the chance in a game.
type Account struct {
	Report           // the result of replaying the record
	Chance  bool     // the game has chance
	Settled bool     // everything could be recomputed
	Agrees  []string // computed facts that agree with the record
	Decided []string // the decisions of chance, in the order of the game
}

// Verify recomputes the chance in a game from its record: that the seeds match the server's commitments, the deal,
// every draw, and that the moves and the result follow. A game without chance is only replayed.
func Verify(r Record) Account {
	a := Account{Report: Check(r)}
	if a.Match == nil {
		a.Chance = r.Chance.Commitment != ""
		return a
	}
	info := a.Match.Rules().Info()
	a.Chance = info.Secret
	for _, s := range r.Chance.statements() {
		if s.holds {
			a.Agrees = append(a.Agrees, s.text)
		}
	}
	for i, n := range r.Chance.nonces() {
		if !n.IsZero() {
			a.Agrees = append(a.Agrees, fmt.Sprintf("the nonce of seat %d has the SHA-256 %s", i+1, n.Commitment()))
		}
	}
	if a.Chance {
		a.account(r)
	}
	a.Settled = len(a.Faults) == 0 && len(a.Match.Events()) == r.events()
	if a.Settled {
		a.Agrees = append(a.Agrees, a.summary())
	}
	return a
}

// account lists the decisions of chance, and reports missing evidence.
func (a *Account) account(r Record) {
	if r.Chance.Commitment == "" {
		a.Faults = append(a.Faults, Fault{
			-1, tagCommitment, "the commitment is missing, so the seed may have been chosen afterwards",
		})
	}
	auditor, ok := a.Match.Rules().(engine.Auditor)
	if !ok {
		return
	}
	lots, err := auditor.Lots(a.Match.Setup(), a.Match.Events())
	if err != nil {
		a.Faults = append(a.Faults, Fault{-1, tagSeed, err.Error()})
		return
	}
	plies := r.plies()
	for _, lot := range lots {
		when := "at the start: "
		if lot.After > 0 {
			when = fmt.Sprintf("after move %d: ", plies[lot.After-1])
		}
		a.Decided = append(a.Decided, when+lot.Text)
	}
}

// plies returns, for each event of the game itself except those taken back, the number of moves made up to it.
func (r Record) plies() (list []int) {
	plies := 0
	for _, e := range r.Entries {
		plies = e.countPly(plies)
		if e.Kind == Takeback {
			list = slices.DeleteFunc(list, func(n int) bool { return n > plies })
		}
		if e.ofTheGame() {
			list = append(list, plies)
		}
	}
	return list
}

// events returns the number of entries that the rules judge.
func (r Record) events() int { return len(r.plies()) }

// summary returns the sentence that everything follows.
func (a *Account) summary() string {
	moves := plural(a.Match.Plies(), "move is", "moves are")
	outcome := a.Match.Pending().Outcome
	if outcome == nil {
		return "its " + moves + " legal"
	}
	return fmt.Sprintf("its %s legal and end the game with %s (%s)", moves, resultOf(outcome), outcome.Reason)
}

// errHidden means that a record of a game that goes on was taken for a whole record.
var errHidden = sentence.Errorf("the record hides moves; take one of the whole game")

// Tokens returns the events of the game itself, as [Game] takes them: its moves, without those that were taken back,
// and its end. Offers, pauses and clocks are left out. It fails for records that hide moves.
func (r Record) Tokens() ([]string, error) {
	var tokens []string
	var moves []int // indices of the moves among them
	for _, e := range r.Entries {
		switch {
		case e.hidden():
			return nil, errHidden
		case e.Kind == Takeback:
			first, err := strconv.Atoi(e.Text)
			if err != nil || first < 1 || first > len(moves) {
				return nil, sentence.Errorf("there is no move %s to be taken back", clip(e.Text))
			}
			tokens = slices.Delete(tokens, moves[first-1], len(tokens))
			moves = moves[:first-1]
		case e.ofTheGame():
			if e.Kind == Move {
				moves = append(moves, len(tokens))
			}
			tokens = append(tokens, e.token())
		}
	}
	return tokens, nil
}
