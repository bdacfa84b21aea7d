package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
)

// NewTournament is a tournament that is prepared.
type NewTournament struct {
	ID       string // of the caller's choice, "" for any; a second tournament of the same id is the first
	Settings tournament.Settings
}

// CreateTournament prepares a tournament.
var CreateTournament = ClubAct[NewTournament, *tournament.Tournament]{
	Name: "create-tournament", May: auth.CreateTournaments,
	Do: func(c ClubCall, in NewTournament) (*tournament.Tournament, error) {
		return c.Create(c.Ctx, in.ID, in.Settings, c.Who.AccountID)
	},
}

// UpdateSettings changes a tournament's settings.
var UpdateSettings = Command[gen.TournamentPatch]{
	Name: "settings", May: auth.RunTournament, Exact: true,
	Part: func(t *tournament.Tournament, _ gen.TournamentPatch) ([]string, error) { return settingsTags(t) },
	Do: func(c Call, patch gen.TournamentPatch) (*tournament.Tournament, error) {
		settings := c.T.Settings()
		if err := c.Offer.Apply(&settings, patch); err != nil {
			return nil, err
		}
		return c.act(director.Update(settings))
	},
}

// Delete deletes a tournament that has not started.
var Delete = Command[None]{
	Name: "delete", May: auth.RunTournament,
	Part: func(t *tournament.Tournament, _ None) ([]string, error) { return settingsTags(t) },
	Do: func(c Call, _ None) (*tournament.Tournament, error) {
		return c.T, c.Director.Delete(c.Ctx, c.T.ID, c.Order)
	},
}

// settingsTags returns the tags of the settings and that of the public tournament, which readers without a token have.
func settingsTags(t *tournament.Tournament) ([]string, error) {
	tags := []string{Tag(t.Settings())}
	if t.Status != tournament.Draft {
		tags = append(tags, publicTag(t))
	}
	return tags, nil
}

// SetArbiters replaces a tournament's arbiters by the accounts with these logins.
var SetArbiters = Command[[]string]{
	Name: "arbiters", May: auth.RunTournament,
	Part: func(t *tournament.Tournament, _ []string) ([]string, error) { return []string{Tag(t.Arbiters)}, nil },
	Do: func(c Call, logins []string) (*tournament.Tournament, error) {
		accounts := []string{}
		for i, login := range logins {
			found, err := c.People.AccountByLogin(c.Ctx, strings.ToLower(login))
			if errors.Is(err, account.ErrNotFound) {
				return nil, tournament.Fault(fmt.Sprintf("logins/%d", i), "no account has the login %q", login)
			}
			if err != nil {
				return nil, err
			}
			if !slices.Contains(accounts, found.ID) {
				accounts = append(accounts, found.ID)
			}
		}
		return c.act(director.SetArbiters(accounts))
	},
}

// SetPrizes replaces what is to be won.
var SetPrizes = Command[tournament.Prizes]{
	Name: "prizes", May: auth.RunTournament,
	Part: func(t *tournament.Tournament, _ tournament.Prizes) ([]string, error) {
		return []string{Tag(t.Prizes)}, nil
	},
	Do: func(c Call, prizes tournament.Prizes) (*tournament.Tournament, error) {
		return c.act(director.SetPrizes(prizes))
	},
}

// SetForbidden replaces the groups of entries that do not meet each other.
var SetForbidden = Command[[]tournament.Ban]{
	Name: "forbid", May: auth.PairRounds,
	Part: func(t *tournament.Tournament, _ []tournament.Ban) ([]string, error) {
		return []string{Tag(t.Forbidden)}, nil
	},
	Do: func(c Call, bans []tournament.Ban) (*tournament.Tournament, error) {
		return c.act(director.SetForbidden(bans))
	},
}

// Undo takes back an act, identified by the version that it led to. It takes the right to that act.
var Undo = Command[int64]{
	Name: "undo", May: auth.PairRounds,
	Do: func(c Call, version int64) (*tournament.Tournament, error) {
		acts, err := c.Acts(c.Ctx, c.T.ID)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(acts, func(act tournament.Act) bool { return act.Version == version })
		if i < 0 {
			return nil, tournament.NotNow("there is no act %d; undoable in the history names the one that can be taken back",
				version)
		}
		who := c.Who
		if err := who.Demand(who.LevelIn(c.T), access.Doing(acts[i].Kind)); err != nil {
			return nil, err
		}
		return c.Director.Undo(c.Ctx, c.T.ID, version, c.Order)
	},
}

// MayUndo returns the act of a version, 0 for none, if a person may undo it in a tournament.
func MayUndo(
	who auth.Identity, t *tournament.Tournament, acts []tournament.Act, version int64,
) (act tournament.Act, may bool) {
	i := slices.IndexFunc(acts, func(act tournament.Act) bool { return act.Version == version })
	if version == 0 || i < 0 || !who.Can(who.LevelIn(t), access.Doing(acts[i].Kind)) {
		return act, false
	}
	return acts[i], true
}

// TournamentReport is the report file of a tournament that was started in another program.
type TournamentReport struct {
	ID    string // of the caller's choice, "" for any
	Text  []byte
	Check bool // nothing is stored
	exchange.Options
}

// ImportedTournament is an imported tournament with a summary for the organiser.
type ImportedTournament struct {
	*tournament.Tournament
	exchange.Summary
}

// ImportTournament imports a tournament from its report file.
var ImportTournament = ClubAct[TournamentReport, ImportedTournament]{
	Name: "import-tournament", May: auth.CreateTournaments,
	Do: func(c ClubCall, in TournamentReport) (out ImportedTournament, err error) {
		if err := c.Demand(auth.CreatePlayers); err != nil {
			return out, err
		}
		if err := c.Offer.Check(in.Variant); err != nil {
			return out, err
		}
		out.Tournament, out.Summary, err = c.Import(c.Ctx, in.ID, in.Text, in.Options, c.Who.AccountID, in.Check)
		var settings tournament.FieldErrors
		if errors.Is(err, tournament.ErrInvalid) && !errors.As(err, &settings) { // it is the file that is at fault
			err = &Refusal{Err: err, Fields: []FieldError{{Pointer: "/report", Detail: err.Error(), Said: sentence.Of(err)}}}
		}
		return out, err
	},
}

// None is the input of a command that needs none.
type None struct{}

// The stages of a tournament.
var (
	Open    = stage("open", auth.RunTournament, director.Open)
	Close   = stage("close", auth.RunTournament, director.Close)
	Start   = stage("start", auth.RunTournament, director.Start)
	Finish  = stage("finish", auth.RunTournament, director.Finish)
	Archive = stage("archive", auth.RunTournament, director.Archive)

	CloseCheckIn  = stage("close-check-in", auth.PairRounds, director.CloseCheckIn)
	CancelCheckIn = stage("cancel-check-in", auth.PairRounds, director.CancelCheckIn)

	// NextRound pairs the next round and opens its games.
	NextRound = stage("pair", auth.PairRounds, director.NextRound)
	// DrawRound draws the next round up, for the staff alone.
	DrawRound = stage("draw", auth.PairRounds, director.DrawRound)
)

// stage is a command that takes nothing but the tournament.
func stage(name string, may auth.Action, act director.Act) Command[None] {
	return Command[None]{
		Name: name, May: may,
		Do: func(c Call, _ None) (*tournament.Tournament, error) { return c.act(act) },
	}
}

// OpenCheckIn opens the check-in; with the input true it discards earlier check-ins.
var OpenCheckIn = Command[bool]{
	Name: "open-check-in", May: auth.PairRounds,
	Do: func(c Call, reset bool) (*tournament.Tournament, error) {
		return c.act(director.OpenCheckIn(reset))
	},
}

// Publication has the choices for the publication of a round.
type Publication struct {
	Round    int
	After    int64 // ms until the clocks start; 0 at once
	Together bool  // each game starts earlier once all its players are present
}

// Publish opens the games of the round that is drawn up.
var Publish = Command[Publication]{
	Name: "publish", May: auth.PairRounds, Blind: true,
	Part: func(t *tournament.Tournament, in Publication) ([]string, error) { return roundTags(t, in.Round) },
	Do: func(c Call, in Publication) (*tournament.Tournament, error) {
		if c.T.Rounds[in.Round-1].Status != tournament.Paired {
			return nil, tournament.NotNow("round %d is published already", in.Round)
		}
		return c.act(director.PublishStarting(in.After, in.Together))
	},
	Exact: true,
}

// RoundEdit is a change of a round's pairings by hand.
type RoundEdit struct {
	Round  int
	Edits  []tournament.Edit
	Why    string
	DryRun bool // nothing is stored
}

// EditRound changes the pairings of the latest round, or previews the change.
var EditRound = Command[RoundEdit]{
	Name: "edit", May: auth.PairRounds, Exact: true,
	Part: func(t *tournament.Tournament, in RoundEdit) ([]string, error) { return roundTags(t, in.Round) },
	Do: func(c Call, in RoundEdit) (*tournament.Tournament, error) {
		if in.DryRun {
			return c.TryEdit(c.Ctx, c.T.ID, in.Round, in.Edits, c.Order)
		}
		return c.act(director.EditRound(in.Round, in.Edits, in.Why))
	},
}

// DropRound deletes the latest round while nothing was played in it.
var DropRound = Command[int]{
	Name: "drop", May: auth.PairRounds, Part: roundTags,
	Do: func(c Call, round int) (*tournament.Tournament, error) {
		return c.act(director.DropRound(round))
	},
}

// RedrawRound deletes the latest round and draws it up again, after a change of entries or results.
var RedrawRound = Command[int]{
	Name: "redraw", May: auth.PairRounds, Part: roundTags,
	Do: func(c Call, round int) (*tournament.Tournament, error) {
		dropped, err := c.act(director.DropRound(round))
		if err != nil {
			return nil, err
		}
		return c.Do(c.Ctx, c.T.ID, director.DrawRound, director.Order{By: c.Order.By, Expect: dropped.Version})
	},
}

// roundTags returns the tags of a round, published or not.
func roundTags(t *tournament.Tournament, n int) ([]string, error) {
	if n < 1 || n > len(t.Rounds) {
		return nil, NoRound(n)
	}
	return []string{Tag(t.Rounds[n-1]), RoundTag(t.Rounds[n-1])}, nil
}

// NoRound returns tournament.ErrNotFound for a round.
func NoRound(n int) error { return tournament.Refuse(tournament.ErrNotFound, "round %d", n) }
