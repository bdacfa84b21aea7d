package stream

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
)

// Events of an account's stream that are about a tournament, from its public part.
const (
	EventRoundPublished  = "round_published"
	EventMyPairing       = "my_pairing"       // the board, or the bye, of the player's entry; again when it changes
	EventTeamInvited     = "team_invited"     // the player is to agree to be in a team
	EventArbiterAnswered = "arbiter_answered" // a call from the player's seat
	EventNotice          = "notice"
)

// Kinds of notices.
const (
	NoticeEntered    = "entered"
	NoticeWithdrawn  = "withdrawn"
	NoticeReinstated = "reinstated"
	NoticeStarted    = "tournament_started"
	NoticeFinished   = "tournament_finished"
)

// standing is the state of a tournament that a reader has got; its text is the state in a cursor.
type standing struct {
	status  tournament.Status
	entry   tournament.EntryStatus
	round   int    // the latest that is published
	pairing string // digest of the player's, none without
	answer  string // digest of the arbiter's last answer to the player
}

const none = "0"

// teamInvited is the status of an entry for a member that is to agree to be in it.
const teamInvited tournament.EntryStatus = "invited"

func (s standing) String() string {
	return fmt.Sprintf("%s-%s-%d-%s-%s", s.status, s.entry, s.round, s.pairing, s.answer)
}

// parseStanding parses the text of a standing; known is false for a malformed text.
func parseStanding(text string) (s standing, known bool) {
	parts := strings.Split(text, "-")
	if len(parts) != 5 {
		return standing{pairing: none, answer: none}, false
	}
	round, err := strconv.Atoi(parts[2])
	return standing{
		tournament.Status(parts[0]), tournament.EntryStatus(parts[1]), round, parts[3], parts[4],
	}, err == nil
}

// digest returns a few characters that differ where the values do.
func digest(values ...any) string {
	h := fnv.New32a()
	fmt.Fprint(h, values...)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// entryIn returns the index of the player's entry in a tournament, else of a team that the player leads, -1 for none.
func (a *account) entryIn(t *tournament.Tournament) int {
	i := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return slices.Contains(e.Members, a.player) })
	if i < 0 {
		i = slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return e.Leads(a.player) })
	}
	return i
}

// gathers reports whether members of an entry may yet have to agree to be in it; -1 is no entry.
func gathers(t *tournament.Tournament, i int) bool {
	return i >= 0 && len(t.Entries[i].Members) > 1 && (t.Status == tournament.Open || t.Status == tournament.Closed)
}

// invited reports whether the player is to agree to be in an entry, which the public part of its tournament does not have.
func (a *account) invited(ctx context.Context, t *tournament.Tournament, i int) (bool, error) {
	if !gathers(t, i) || t.Entries[i].Status == tournament.Withdrawn {
		return false, nil
	}
	whole, err := a.tournaments.Tournament(ctx, t.ID)
	if err != nil {
		return false, err
	}
	e, there := whole.Entry(t.Entries[i].ID)
	return there && slices.Contains(e.Awaiting, a.player), nil
}

// takeTournament sends the reader the news in the public part of a tournament. The first call follows it.
func (a *account) takeTournament(ctx context.Context, t *tournament.Tournament, n *change) error {
	i, f := a.entryIn(t), a.followed[t.ID]
	switch {
	case i < 0:
		a.leave(t.ID)
		delete(a.cursor.seen, t.ID)
		return nil
	case f == nil:
		a.join(t.ID, tournamentTopic(t.ID, false))
		now, err := a.tournaments.Tournament(ctx, t.ID) // it may have changed before it was followed
		if err != nil {
			a.leave(t.ID)
			return err
		}
		return a.takeTournament(ctx, now.Public(), nil)
	}
	if t.Version < f.version {
		return nil
	}
	f.version = t.Version
	f.reader.has(t.Version)
	before, known := parseStanding(a.cursor.seen[t.ID])
	now, pairing := standingOf(t, t.Entries[i], before.answer)
	invited, err := a.invited(ctx, t, i)
	if err != nil {
		return err
	}
	if invited {
		now.entry = teamInvited
	}
	var answer Answer
	if pairing != nil && a.answers {
		seat := slices.Index(pairing.Seats, t.Entries[i].ID) + 1
		if answer, err = a.matters.Answered(ctx, t, now.round, pairing.Board, seat); err != nil {
			return err
		}
		if now.answer = none; answer.Call != "" {
			now.answer = digest(answer.Call, answer.Status)
		}
	}
	if known && now == before {
		return nil
	}
	a.knows(t.ID, now.String())
	var all []AccountEvent
	for _, e := range tournamentEvents(now, before, known) {
		e.Tournament = t
		e.Round = now.round
		e.Pairing = pairing
		e.Answer = answer
		e.Entry = t.Entries[i].ID
		all = append(all, e)
	}
	if t.Status.Over() {
		a.leave(t.ID)
		a.over[t.ID] = a.hub.Now().UnixMilli()
	}
	return a.send(ctx, n, all...)
}

// standingOf returns the standing of an entry in a tournament, and its pairing in the latest round; nil for none.
func standingOf(t *tournament.Tournament, e tournament.Entry, answer string) (standing, *tournament.Pairing) {
	s := standing{
		status: t.Status, entry: e.Status, round: t.PublishedRounds(), pairing: none, answer: cmp.Or(answer, none),
	}
	if s.round == 0 {
		return s, nil
	}
	for i := range t.Rounds[s.round-1].Pairings {
		p := &t.Rounds[s.round-1].Pairings[i]
		if slices.Contains(p.Seats, e.ID) {
			s.pairing = digest(s.round, p.Board, p.Seats, p.GameID, p.Bye, p.Venue)
			return s, p
		}
	}
	return s, nil
}

// tournamentEvents returns the events between two standings; known reports whether the reader knows the earlier.
func tournamentEvents(now, before standing, known bool) (all []AccountEvent) {
	add := func(is bool, event, kind string) {
		if is {
			all = append(all, AccountEvent{Event: event, Kind: kind})
		}
	}
	running := now.status == tournament.Running
	withdrawn, wasWithdrawn := now.entry == tournament.Withdrawn, before.entry == tournament.Withdrawn
	invited, wasInvited := now.entry == teamInvited, before.entry == teamInvited
	add(invited && !wasInvited, EventTeamInvited, "")
	add(!known && !invited || wasInvited && !invited && !withdrawn, EventNotice, NoticeEntered)
	add(known && running && before.status != now.status, EventNotice, NoticeStarted)
	add(known && withdrawn && !wasWithdrawn, EventNotice, NoticeWithdrawn)
	add(known && !withdrawn && wasWithdrawn, EventNotice, NoticeReinstated)
	add(running && now.round > before.round, EventRoundPublished, "")
	add(running && now.pairing != none && now.pairing != before.pairing, EventMyPairing, "")
	add(known && now.answer != none && now.answer != before.answer, EventArbiterAnswered, "")
	add(known && now.status == tournament.Finished && before.status == tournament.Running, EventNotice, NoticeFinished)
	return all
}
