package app

import (
	"context"
	"fmt"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/team"
)

// checkNames looks up the names in a tournament: entries in pairings, bans, and penalties; players in entries and at
// the boards of matches. It reports whether all entries are there.
func (c *checker) checkNames(ctx context.Context, t *tournament.Tournament) (sound bool, err error) {
	what, known := "tournament "+t.ID, map[string]bool{}
	for _, e := range t.Entries {
		known[e.ID] = true
		for _, of := range []struct {
			as      string
			players []string
		}{{"deputy", e.Deputies}, {"captain", []string{e.Captain}}, {"member", e.Members}, {"member", e.Awaiting}} {
			for _, player := range of.players {
				if err := c.nobody(ctx, what+", entry "+e.ID, of.as, player); err != nil {
					return false, err
				}
			}
		}
	}
	for _, b := range t.Bonuses {
		if !known[b.Entry] {
			c.fault("%s: a penalty or bonus is for entry %s, which is not there", what, b.Entry)
		}
	}
	for _, ban := range t.Forbidden {
		for _, id := range ban.Entries {
			if !known[id] {
				c.fault("%s: a pair that may not meet has entry %s, which is not there", what, id)
			}
		}
	}
	return c.checkSeats(ctx, t, known)
}

// checkSeats looks up the players and entries at the boards of a tournament, and reports whether all entries are there.
func (c *checker) checkSeats(ctx context.Context, t *tournament.Tournament, known map[string]bool) (bool, error) {
	sound := true
	for i, r := range t.Rounds {
		if r.Number != i+1 {
			c.fault("tournament %s: round %d is not there", t.ID, i+1)
			return false, nil
		}
		for _, p := range r.Pairings {
			b := board{t, r.Number, p}
			for _, id := range p.Seats {
				if !known[id] {
					sound = false
					c.faultAt(b, "entry %q, who sits at it, is not there", id)
				}
			}
			for k, duel := range p.Boards {
				place := fmt.Sprintf("tournament %s, round %d, board %d", t.ID, r.Number, p.Board)
				for _, player := range duel.Players {
					if err := c.nobody(ctx, place, fmt.Sprintf("player at board %d of the match,", k+1), player); err != nil {
						return false, err
					}
				}
			}
		}
	}
	return sound, nil
}

// lineUpFaults compares the line-ups that captains filed with the players at the boards of a match, and finds unknown
// players in line-ups. Without a line-up the squad of that time decided, which is not stored.
func (c *checker) lineUpFaults(
	ctx context.Context, t *tournament.Tournament, r tournament.Round, has past,
) (faults []string, err error) {
	if t.Teams == nil {
		return nil, nil
	}
	all, err := c.db.Tournaments().LineUps(ctx, t.ID, r.Number)
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		for _, player := range l.Players {
			if player == "" {
				continue
			}
			if has, err := c.isThere(ctx, "players", player); err != nil {
				return nil, err
			} else if !has {
				faults = append(faults, fmt.Sprintf(", round %d: a line-up of entry %s names a player who is not there", r.Number,
					l.Entry))
			}
		}
	}
	filed := team.Since(t, r.Number, all)
	for _, p := range r.Pairings {
		if p.Boards == nil || len(p.Seats) != 2 || has.did(r.Number, tournament.ActUndo, tournament.ActEdit) {
			continue
		}
		for side, entry := range p.Seats {
			last, ok := team.Last(filed, p, side)
			if fault := has.compareLineUp(r.Number, p, side, last); ok && fault != "" {
				faults = append(faults, fmt.Sprintf(", round %d, board %d: of entry %s %s", r.Number, p.Board, entry, fault))
			}
		}
	}
	return faults, nil
}

// compareLineUp describes the differences between the players at the boards of a match and the line-up that a team's
// captain filed, substitutes aside; "" if they agree. A substitute may have made players below move up.
func (h past) compareLineUp(round int, p tournament.Pairing, side int, filed tournament.LineUp) string {
	substitutes := 0
	for _, a := range h.acts {
		if a.Kind == tournament.ActSubstitute && a.Round == round && a.Board == p.Board && a.Entry == filed.Entry {
			substitutes++
		}
	}
	others, moved := 0, false
	for i, b := range p.Boards {
		player, want := b.Players[side], ""
		if k := i % max(1, len(filed.Players)); k < len(filed.Players) {
			want = filed.Players[k]
		}
		moved = moved || player != want
		if player != "" && !slices.Contains(filed.Players, player) {
			others++
		}
	}
	switch {
	case others > substitutes:
		return fmt.Sprintf("%d players sit at the boards who are not in its line-up, and %d substitutes were put in", others,
			substitutes)
	case moved && substitutes == 0:
		return "others sit at the boards than its line-up has there"
	}
	return ""
}

// keizerFaults finds entries of a Keizer season without a board or a bye in a round after their first. Entries that
// withdrew may have come back.
func (h past) keizerFaults(t *tournament.Tournament) (faults []string) {
	if !t.Format.ByEvenings() {
		return nil
	}
	seen := map[string]bool{}
	for _, r := range t.Rounds {
		if r.PublishedAt == 0 {
			continue
		}
		now := map[string]bool{}
		for _, p := range r.Pairings {
			for _, id := range p.Seats {
				now[id] = true
			}
		}
		for _, e := range t.Entries {
			withdrew := slices.ContainsFunc(h.acts, func(a tournament.Act) bool {
				return a.Kind == tournament.ActWithdraw && a.Entry == e.ID
			})
			if seen[e.ID] && !now[e.ID] && e.Status != tournament.Withdrawn && !withdrew {
				faults = append(faults, fmt.Sprintf(", round %d: entry %s has no board and no bye", r.Number, e.ID))
			}
			seen[e.ID] = seen[e.ID] || now[e.ID]
		}
	}
	return faults
}
