package app

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/arena"
	"quatuor/tournament/scoring"
	"quatuor/tournament/slip"
)

// past is the history of a tournament beside its rounds: changes of results, and acts.
type past struct {
	changes []tournament.Change
	acts    []tournament.Act
}

// comparePast compares the history, the slips and the people of a tournament with its rounds. The service may change it
// between two reads, so only faults that persist when everything is read again count.
func (c *checker) comparePast(ctx context.Context, t *tournament.Tournament) error {
	faults, err := c.pastFaults(ctx, t)
	if err != nil || len(faults) == 0 {
		return err
	}
	again, err := c.db.Tournaments().Load(ctx, t.ID)
	if errors.Is(err, tournament.ErrNotFound) {
		return nil // it has just been deleted
	}
	if err == nil {
		faults, err = c.pastFaults(ctx, again)
	}
	for _, fault := range faults {
		c.fault("tournament %s%s", t.ID, fault)
	}
	return err
}

// pastFaults returns the faults, each with its place in the tournament before it.
func (c *checker) pastFaults(ctx context.Context, t *tournament.Tournament) (faults []string, err error) {
	var has past
	if has.changes, err = c.db.Tournaments().History(ctx, t.ID); err != nil {
		return nil, err
	}
	if has.acts, err = c.db.Tournaments().Acts(ctx, t.ID); err != nil {
		return nil, err
	}
	for _, r := range t.Rounds {
		if r.PublishedAt == 0 {
			continue
		}
		for _, p := range r.Pairings {
			for _, fault := range []string{has.compareChanges(r, p), has.compareArenaEnd(r, p)} {
				if fault != "" {
					faults = append(faults, fmt.Sprintf(", round %d, board %d: %s", r.Number, p.Board, fault))
				}
			}
		}
		for _, find := range []func(context.Context, *tournament.Tournament, tournament.Round, past) ([]string, error){
			c.slipFaults, c.lineUpFaults,
		} {
			found, err := find(ctx, t, r, has)
			if err != nil {
				return nil, err
			}
			faults = append(faults, found...)
		}
	}
	faults = append(faults, has.keizerFaults(t)...)
	strays, err := c.straySlips(ctx, t, has)
	if err != nil {
		return nil, err
	}
	missing, err := c.missingArbiters(ctx, t)
	return slices.Concat(faults, strays, missing), err
}

// did reports whether an act of these kinds concerns a round.
func (h past) did(round int, kinds ...tournament.ActKind) bool {
	return slices.ContainsFunc(h.acts, func(a tournament.Act) bool {
		return (a.Round == round || a.Round == 0) && slices.Contains(kinds, a.Kind)
	})
}

// imported reports whether a round came with an import; the import's act has the last imported round.
func (h past) imported(round int) bool {
	return slices.ContainsFunc(h.acts, func(a tournament.Act) bool {
		return a.Kind == tournament.ActImport && round <= a.Round
	})
}

// compareChanges describes where the history of a board does not lead to its result; "" if it does, or cannot: boards
// of edited rounds change their numbers, and byes, absences and imports have results without a history.
func (h past) compareChanges(r tournament.Round, p tournament.Pairing) string {
	if p.Bye != tournament.NoBye || h.did(r.Number, tournament.ActEdit) {
		return ""
	}
	var last *tournament.Change
	for i := range h.changes {
		if c := &h.changes[i]; c.Round == r.Number && c.Board == p.Board && c.At >= r.PublishedAt {
			if last != nil && c.Before != nil && !reflect.DeepEqual(c.Before, last.After) {
				return "its history has a gap: a change begins with another result than the one before it led to"
			}
			last = c
		}
	}
	switch {
	case last == nil && (p.Result == nil || p.Result.Forfeit || h.imported(r.Number) ||
		h.did(r.Number, tournament.ActUndo)):
		return ""
	case last == nil:
		return "its result is " + p.Text() + ", and its history has none"
	case !reflect.DeepEqual(last.After, p.Result):
		after := p
		after.Result = last.After
		return "its result is " + resultText(p) + ", and the last change in its history led to " + resultText(after)
	}
	return ""
}

// compareArenaEnd describes a game of an arena with nothing in its history at the time of its end; "" for others.
func (h past) compareArenaEnd(r tournament.Round, p tournament.Pairing) string {
	if p.Arena == nil || p.Result == nil || h.did(r.Number, tournament.ActUndo) {
		return ""
	}
	ended := slices.ContainsFunc(h.changes, func(c tournament.Change) bool {
		return c.Round == r.Number && c.Board == p.Board && c.At == p.Arena.EndedAt
	})
	if !ended {
		return fmt.Sprintf("it ended at %d, and nothing in its history is of that time", p.Arena.EndedAt)
	}
	return ""
}

// resultText returns the result of a pairing with its reason, or "none".
func resultText(p tournament.Pairing) string {
	switch {
	case p.Result == nil:
		return "none"
	case p.Result.Reason == "":
		return p.Text()
	}
	return p.Text() + " (" + p.Result.Reason + ")"
}

// slipFaults compares the codes of a round's boards with the secrets they are derived from, and players' reports with
// the results that they led to.
func (c *checker) slipFaults(
	ctx context.Context, t *tournament.Tournament, r tournament.Round, has past,
) (faults []string, err error) {
	secrets, err := c.db.Slips().Secrets(ctx, t.ID, r.Number)
	if err != nil {
		return []string{fmt.Sprintf(", round %d: the secrets of its slips cannot be read: %v", r.Number, err)}, nil
	}
	codes, err := c.db.Slips().Codes(ctx, t.ID, r.Number)
	if err != nil {
		return nil, err
	}
	reports, err := c.db.Slips().Reports(ctx, t.ID, r.Number)
	if err != nil {
		return nil, err
	}
	byBoard := make(map[int][]byte, len(secrets))
	for _, s := range secrets {
		byBoard[s.Board] = s.Bytes
	}
	seats := make(map[int]map[string]int, len(r.Pairings)) // of codes by hash, by board
	var cards []tournament.Pairing
	for hash, place := range codes {
		if n := slip.Table(place.Board); n > 0 && n <= arena.HallTables(t) {
			if seats[place.Board] == nil {
				cards = append(cards, tournament.Pairing{Board: place.Board})
			}
		} else if match, _ := slip.Split(place.Board); t.Teams == nil && place.Board != match || match < 1 || match > len(r.Pairings) {
			faults = append(faults, fmt.Sprintf(", round %d: a code is for board %d, which is not there", r.Number, place.Board))
			continue
		}
		if seats[place.Board] == nil {
			seats[place.Board] = map[string]int{}
		}
		seats[place.Board][hash] = place.Seat
	}
	faults = append(faults, has.reportsOfNobody(t, r, reports)...)
	for _, p := range append(slip.Pairings(t, r.Number), cards...) {
		fault := has.compareCodes(t, r.Number, p, byBoard[p.Board], seats[p.Board])
		if fault == "" {
			fault = has.compareReports(t, r.Number, p, reports)
		}
		if fault != "" {
			faults = append(faults, fmt.Sprintf(", round %d, board %d: %s", r.Number, p.Board, fault))
		}
	}
	return faults, nil
}

// straySlips finds codes and reports of missing rounds. The slips of a round that was deleted or unpublished stay for
// the next round of its number.
func (c *checker) straySlips(ctx context.Context, t *tournament.Tournament, has past) (faults []string, err error) {
	rounds, err := c.db.Slips().Rounds(ctx, t.ID)
	for _, n := range rounds {
		published := n >= 1 && n <= len(t.Rounds) && t.Rounds[n-1].PublishedAt > 0
		if !published && !has.did(n, tournament.ActUndo, tournament.ActDrop) {
			faults = append(faults, fmt.Sprintf(", round %d: there are codes or reports of slips, and the round is not there", n))
		}
	}
	return faults, err
}

// reportsOfNobody finds reports of boards and seats of a round that are not there.
func (h past) reportsOfNobody(t *tournament.Tournament, r tournament.Round, reports []slip.Report) (faults []string) {
	if h.did(r.Number, tournament.ActEdit, tournament.ActUndo, tournament.ActDrop, tournament.ActSubstitute,
		tournament.ActReopen) {
		return nil
	}
	boards := slip.Pairings(t, r.Number)
	for _, report := range reports {
		i := slices.IndexFunc(boards, func(p tournament.Pairing) bool { return p.Board == report.Board })
		switch {
		case i < 0 && slip.Table(report.Board) > 0:
		case i < 0:
			faults = append(faults, fmt.Sprintf(", round %d: a report is of board %d, which is not there", r.Number, report.Board))
		case report.Seat < 1 || report.Seat > len(boards[i].Seats):
			faults = append(faults, fmt.Sprintf(", round %d: a report is of seat %d at board %d, which is not there", r.Number,
				report.Seat, report.Board))
		}
	}
	return faults
}

// compareCodes describes where the stored codes of a board, seats by hash, are not those derived from its secret. A
// board that was paired or published again keeps its older codes.
func (h past) compareCodes(
	t *tournament.Tournament, round int, p tournament.Pairing, secret []byte, stored map[string]int,
) string {
	switch {
	case len(stored) == 0:
		return ""
	case len(secret) == 0:
		return "its slips have codes and no secret"
	case len(secret) != slip.SecretSize:
		return "the secret of its slips has another length"
	}
	key, found := slip.Key(t, round, p), 0
	for seat := range len(p.Seats) + 1 {
		hash := slip.Hash(slip.Code(secret, key, seat))
		is, there := stored[hash]
		switch {
		case there && is != seat:
			return fmt.Sprintf("the code of seat %d is kept for seat %d", seat, is)
		case there && seat > 0:
			found++
		}
		delete(stored, hash)
	}
	anew := p.Games > 1 || h.did(round, tournament.ActEdit, tournament.ActUndo, tournament.ActSubstitute)
	switch {
	case len(stored) > 0 && !anew:
		return "its slips have codes that its secret does not lead to"
	case found != len(p.Seats) && !anew:
		return "codes of its slips are missing"
	}
	return ""
}

// compareReports describes where the reports of a board's seats do not match the result that the players entered.
func (h past) compareReports(
	t *tournament.Tournament, round int, p tournament.Pairing, reports []slip.Report,
) string {
	var changes []tournament.Change
	for _, c := range h.changes {
		if c.Round == round && c.Board == p.Board {
			changes = append(changes, c)
		}
	}
	key := slip.Key(t, round, p) + "."
	for _, r := range reports {
		number, current := strings.CutPrefix(r.Basis, key)
		if r.Board != p.Board || !current {
			continue
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > len(changes) {
			return fmt.Sprintf("seat %d reported on a result that was never there", r.Seat)
		}
		if r.Seat < 1 || r.Seat > len(p.Seats) {
			return fmt.Sprintf("seat %d reported, and there is none", r.Seat)
		}
		if t.Teams != nil {
			continue // reports of a match are about the boards that were open then
		}
		v, err := slip.ReadVerdict(r.Verdict, len(p.Seats))
		switch {
		case err != nil:
			return fmt.Sprintf("what seat %d reported cannot be read: %v", r.Seat, err)
		case n == len(changes) || changes[n].By != scoring.PlayersAccount || changes[n].After == nil:
		case v.String() != changes[n].After.Verdict().String():
			return fmt.Sprintf("the players entered %s, and seat %d reported %s", changes[n].After.Verdict(), r.Seat, v)
		}
	}
	return ""
}

// missingArbiters finds arbiters without an account.
func (c *checker) missingArbiters(ctx context.Context, t *tournament.Tournament) (faults []string, err error) {
	for _, id := range t.Arbiters {
		_, err := c.db.People().Account(ctx, id)
		if errors.Is(err, account.ErrNotFound) {
			faults = append(faults, fmt.Sprintf(": the account %s, an arbiter's, is not there", id))
		} else if err != nil {
			return nil, err
		}
	}
	return faults, nil
}
