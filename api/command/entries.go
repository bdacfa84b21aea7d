package command

import (
	"context"
	"fmt"
	"slices"

	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/presence"
)

// AddEntry enters a player or a team; the input becomes the entry as it is stored. Players may enter themselves, their
// team once the others agree.
var AddEntry = Command[*tournament.Entry]{
	Name: "enter", May: auth.EnterOthers,
	Own: func(who auth.Identity, _ *tournament.Tournament, e *tournament.Entry) (auth.Action, error) {
		return ofMember(who, *e), nil
	},
	Do: func(c Call, e *tournament.Entry) (changed *tournament.Tournament, err error) {
		who := c.Who
		if who.Can(who.LevelIn(c.T), auth.EnterOthers) {
			changed, *e, err = c.Director.AddEntry(c.Ctx, c.T.ID, *e, c.Order)
			return changed, err
		}
		e.Awaiting = slices.DeleteFunc(slices.Clone(e.Members), func(id string) bool { return id == who.PlayerID })
		changed, *e, err = c.Register(c.Ctx, c.T.ID, *e, c.Order)
		return changed, err
	},
}

// Entries are entries that are made together, all or none, with those of their players that are new to the club. They
// get the ids under which they are stored.
type Entries struct {
	Entries []tournament.Entry
	Fresh   []club.Player
}

// AddEntries enters players or teams. New players are made only if all can be entered.
var AddEntries = Command[Entries]{
	Name: "enter-list", May: auth.EnterOthers,
	Do: func(c Call, in Entries) (*tournament.Tournament, error) {
		if err := c.TryEntries(c.Ctx, c.T.ID, in.Entries, c.Order); err != nil {
			return nil, err
		}
		if err := c.People.CreatePlayer(c.Ctx, in.Fresh...); err != nil {
			return nil, err
		}
		if len(in.Entries) == 1 { // the history names a single entry
			t, e, err := c.Director.AddEntry(c.Ctx, c.T.ID, in.Entries[0], c.Order)
			in.Entries[0].ID = e.ID
			return t, err
		}
		for i := range in.Entries {
			in.Entries[i].ID = c.NewID()
		}
		return c.act(director.AddEntries(in.Entries))
	},
}

// Bot is a bot that is entered.
type Bot struct {
	Level  int
	Rating float64           // 0 for none
	Entry  *tournament.Entry // becomes the entry as it is stored
}

// AddBot enters a bot.
var AddBot = Command[Bot]{
	Name: "enter-bot", May: auth.EnterOthers,
	Do: func(c Call, in Bot) (changed *tournament.Tournament, err error) {
		changed, *in.Entry, err = c.Director.AddBot(c.Ctx, c.T.ID, in.Level, in.Rating, c.Order)
		return changed, err
	},
}

// EntryChange changes an entry: it is worked out on the entry as it is.
type EntryChange struct {
	ID string
	// Change returns the players among the changed entry's that the club does not know yet.
	Change func(context.Context, *tournament.Entry) (fresh []club.Player, err error)
}

// UpdateEntry corrects an entry's name, rating, club or players.
var UpdateEntry = Command[EntryChange]{
	Name: "correct", May: auth.PairRounds, Exact: true,
	Part: func(t *tournament.Tournament, in EntryChange) ([]string, error) { return entryTags(t, in.ID) },
	Do: func(c Call, in EntryChange) (*tournament.Tournament, error) {
		e, err := Entry(c.T, in.ID)
		if err != nil {
			return nil, err
		}
		fresh, err := in.Change(c.Ctx, &e)
		if err == nil && len(fresh) > 0 {
			if err = c.TryUpdateEntry(c.Ctx, c.T.ID, e, c.Order); err == nil {
				err = c.People.CreatePlayer(c.Ctx, fresh...)
			}
		}
		if err != nil {
			return nil, err
		}
		return c.act(director.UpdateEntry(e))
	},
}

// What is done with an entry; the input is its id.
var (
	ConfirmEntry   = onEntry("confirm", director.ConfirmEntry)
	ReinstateEntry = onEntry("reinstate", director.Reinstate)
	WithdrawEntry  = own(onEntry("withdraw", director.Withdraw))
	RemoveEntry    = strict(onEntry("remove", director.RemoveEntry))
)

func onEntry(name string, act func(entry string) director.Act) Command[string] {
	return Command[string]{
		Name: name, May: auth.RunTournament, Part: entryTags, Blind: true,
		Do: func(c Call, entry string) (*tournament.Tournament, error) { return c.act(act(entry)) },
	}
}

// own lets the players of an entry do it, too.
func own(c Command[string]) Command[string] {
	c.Own = func(who auth.Identity, t *tournament.Tournament, entry string) (auth.Action, error) {
		e, err := Entry(t, entry)
		return ofMember(who, e), err
	}
	return c
}

// strict requires the tag of the entry as it was seen.
func strict(c Command[string]) Command[string] {
	c.Blind = false
	return c
}

// Answers of team members that another account has entered; the input is the entry's id. The organiser confirms or
// withdraws an entry instead.
var (
	Agree   = asMember("agree", director.Agree)
	Decline = asMember("decline", director.Decline)
)

func asMember(name string, act func(entry, player string) director.Act) Command[string] {
	return Command[string]{
		Name: name, May: auth.EnterTournament,
		Do: func(c Call, entry string) (*tournament.Tournament, error) {
			e, err := Entry(c.T, entry)
			if err == nil && !member(c.Who, e) {
				err = fmt.Errorf("%w: only members of this entry answer for themselves", auth.ErrRole)
			}
			if err != nil {
				return nil, err
			}
			return c.act(act(entry, c.Who.PlayerID))
		},
	}
}

// Presence is the presence of an entry.
type Presence struct {
	Entry   string
	Present bool
	Away    tournament.Bye // why it does not come to an evening of a Keizer season; NoBye if that is not known
}

// JoinArena lets a player wait for opponents in an arena, under this entry if there is none yet. Organisers let others
// in by [AddEntry] and [SetPresence].
var JoinArena = Command[*tournament.Entry]{
	Name: "join-arena", May: auth.EnterOthers,
	Own: func(who auth.Identity, _ *tournament.Tournament, e *tournament.Entry) (auth.Action, error) {
		return ofMember(who, *e), nil
	},
	Do: func(c Call, e *tournament.Entry) (*tournament.Tournament, error) {
		return c.Director.JoinArena(c.Ctx, c.T.ID, *e, c.Order)
	},
}

// LeaveArena lets the player wait for no more opponents; without an entry it changes nothing.
var LeaveArena = Command[None]{
	Name: "leave-arena", May: auth.EnterTournament,
	Do: func(c Call, _ None) (*tournament.Tournament, error) {
		for _, e := range c.T.Entries {
			if member(c.Who, e) && e.Waiting > 0 {
				return c.SetWaiting(c.Ctx, c.T.ID, e.ID, false, c.Order)
			}
		}
		return c.T, nil
	},
}

// SetPresence checks an entry in or out. It takes the right to check in, or a player of the entry, while the
// check-in is open, or before an evening of a Keizer season.
var SetPresence = Command[Presence]{
	Name: "presence", May: auth.CheckIn,
	Own: func(who auth.Identity, t *tournament.Tournament, in Presence) (auth.Action, error) {
		e, err := Entry(t, in.Entry)
		return ofMember(who, e), err
	},
	Do: func(c Call, in Presence) (*tournament.Tournament, error) {
		who := c.Who
		member := !who.Can(who.LevelIn(c.T), auth.CheckIn)
		if c.T.Format.Continuous() && in.Away == tournament.NoBye {
			return c.SetWaiting(c.Ctx, c.T.ID, in.Entry, in.Present, c.Order)
		}
		if c.T.Format.ByEvenings() || in.Away != tournament.NoBye {
			player, said := "", presence.Announcement{Comes: in.Present, Away: in.Away}
			if member {
				player = who.PlayerID
			}
			return c.act(director.Announce(in.Entry, player, said))
		}
		if member {
			return c.act(director.CheckSelfIn(in.Entry, who.PlayerID, in.Present))
		}
		return c.act(director.SetPresent(in.Entry, in.Present))
	},
}

// Byes are all byes that an entry requests.
type Byes struct {
	Entry string
	Byes  []tournament.RequestedBye
}

// RequestByes replaces an entry's requested byes. Its own players cannot add full-point byes.
var RequestByes = Command[Byes]{
	Name: "byes", May: auth.PairRounds,
	Own: func(who auth.Identity, t *tournament.Tournament, in Byes) (auth.Action, error) {
		e, err := Entry(t, in.Entry)
		more := slices.ContainsFunc(in.Byes, func(b tournament.RequestedBye) bool {
			return b.Bye == tournament.FullPoint && !slices.Contains(e.Byes, b)
		})
		if more {
			return "", err
		}
		return ofMember(who, e), err
	},
	Part: func(t *tournament.Tournament, in Byes) ([]string, error) { return entryTags(t, in.Entry) },
	Do: func(c Call, in Byes) (*tournament.Tournament, error) {
		if !c.Who.Can(c.Who.LevelIn(c.T), auth.PairRounds) {
			return c.act(director.RequestByesSelf(in.Entry, in.Byes))
		}
		return c.act(director.RequestByes(in.Entry, in.Byes))
	},
}

func entryTags(t *tournament.Tournament, id string) ([]string, error) {
	e, err := Entry(t, id)
	return []string{Tag(e), EntryTag(e)}, err
}

// Entry returns an entry of a tournament, or tournament.ErrNotFound.
func Entry(t *tournament.Tournament, id string) (tournament.Entry, error) {
	e, ok := t.Entry(id)
	if !ok {
		return e, tournament.Refuse(tournament.ErrNotFound, "entry %q", id)
	}
	return e, nil
}

// ofMember returns the right that members of an entry need to act for it; "" for other identities.
func ofMember(who auth.Identity, e tournament.Entry) auth.Action {
	if member(who, e) {
		return auth.EnterTournament
	}
	return ""
}

// member reports whether an identity plays for an entry.
func member(who auth.Identity, e tournament.Entry) bool {
	return who.PlayerID != "" && slices.Contains(e.Members, who.PlayerID)
}
