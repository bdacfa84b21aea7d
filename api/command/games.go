package command

import (
	"context"
	"fmt"
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
)

// Game is an act of a player at a game.
type Game[In any] struct {
	Name string
	// Whole is set for acts of a player with all seats, or without a seat.
	Whole bool
	// Repeatable acts do the same if they come twice.
	Repeatable bool
	// Beside is set for acts after a game, which do not depend on its clocks.
	Beside bool
	// Boards is set for what a sensor board does for the players, too.
	Boards bool
	Do     func(GameCall, In) (*table.Snapshot, error)
}

// GameCall is an execution of an act at a game.
type GameCall struct {
	*Service
	Ctx context.Context //nolint:containedctx // a call is as short as a request
	Who auth.Identity
	At  *table.Arrival // of the request
	Act table.Act      // with the acting seat; none for the player as a whole
}

// At names a game, and when the request that acts on it arrived.
type At struct {
	Game    string
	Arrival *table.Arrival
	Seat    *int8 // that acts; nil for the player's only seat
}

// Run executes an act for the identity in the context, and returns the game after it. An act without a seat of the
// player's own is ErrNotInGame, ErrSeatNeeded or table.ErrNotYourSeat.
func (g Game[In]) Run(ctx context.Context, s *Service, at At, in In) (*table.Snapshot, error) {
	who := auth.From(ctx)
	if g.Boards && who.Has(auth.ScopeBoard) {
		return g.runForBoard(ctx, s, at, in)
	}
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	call := GameCall{Service: s, Ctx: ctx, Who: who, At: at.Arrival, Act: table.Act{Game: at.Game, By: who.AccountID}}
	if !g.Whole {
		game, err := s.seating(ctx, at)
		if err != nil {
			return nil, err
		}
		if call.Act.Seat, err = ownSeat(game, who, at.Seat); err != nil {
			return nil, err
		}
		s.Presence.Seen(game, who.PlayerID)
	}
	return g.Do(call, in)
}

// runForBoard executes an act for a sensor board of a tournament: for any seat, as the arbiter that made the
// token. A token is no player's, and the refusal of a move could reveal a hidden hand.
func (g Game[In]) runForBoard(ctx context.Context, s *Service, at At, in In) (*table.Snapshot, error) {
	who := auth.From(ctx)
	game, err := s.Tables.Snapshot(ctx, at.Game)
	if err != nil {
		return nil, err
	}
	place := game.Game.Tournament
	if place == nil || place.ID != who.Tournament {
		return nil, auth.ErrConfined
	}
	t, err := s.Tournament(ctx, place.ID)
	if err != nil {
		return nil, err
	}
	if err := who.Demand(who.LevelIn(t), auth.MoveBoards); err != nil {
		return nil, err
	}
	if !game.Open() {
		return nil, errHiddenBoard
	}
	if at.Seat == nil {
		return nil, ErrSeatNeeded
	}
	act := table.Act{Game: at.Game, By: who.AccountID, Seat: *at.Seat}
	return g.Do(GameCall{Service: s, Ctx: ctx, Who: who, At: at.Arrival, Act: act}, in)
}

var errHiddenBoard = fmt.Errorf("%w: a sensor board cannot move in a game with hidden hands", auth.ErrRole)

// Target returns what the act acts on.
func (g Game[In]) Target() Target {
	if g.Beside {
		return OnNothing
	}
	return Target{On: AGame, Repeatable: g.Repeatable}
}

// seating returns a game with its players. A cached snapshot will do once it has begun: players never change
// afterwards.
func (s *Service) seating(ctx context.Context, at At) (*table.Snapshot, error) {
	if known := at.Arrival.Known(); known != nil && known.Game.Status != table.Waiting {
		return known, nil
	}
	return s.Tables.Snapshot(ctx, at.Game)
}

// ownSeat returns the seat that acts: the named seat, or the player's only seat.
func ownSeat(s *table.Snapshot, who auth.Identity, named *int8) (int8, error) {
	if named != nil {
		if !s.Viewer(who.PlayerID).Holds(engine.Seat(*named)) {
			return 0, table.ErrNotYourSeat
		}
		return *named, nil
	}
	switch own := s.SeatsOf(who.PlayerID); len(own) {
	case 0:
		return 0, ErrNotInGame
	case 1:
		return int8(own[0]), nil
	}
	return 0, ErrSeatNeeded
}

// What a player does with a seat.
var (
	Resign          = repeatable(bySeat("resign", (*table.Tables).Resign))
	OfferDraw       = bySeat("offer-draw", (*table.Tables).Offer)
	AcceptDraw      = bySeat("accept-draw", (*table.Tables).Accept)
	DeclineDraw     = bySeat("decline-draw", (*table.Tables).Decline)
	AskTakeback     = bySeat("ask-takeback", (*table.Tables).AskBack)
	AgreeTakeback   = bySeat("agree-takeback", (*table.Tables).AgreeBack)
	DeclineTakeback = bySeat("decline-takeback", (*table.Tables).DeclineBack)
)

func bySeat(
	name string, do func(*table.Tables, context.Context, *table.Arrival, table.Act) (*table.Snapshot, error),
) Game[None] {
	return Game[None]{Name: name, Do: func(c GameCall, _ None) (*table.Snapshot, error) {
		return do(c.Tables, c.Ctx, c.At, c.Act)
	}}
}

func repeatable(g Game[None]) Game[None] {
	g.Repeatable = true
	return g
}

// Berserk lets a seat play with half of its time, in arenas with this setting.
var Berserk = Game[None]{
	Name: "berserk", Repeatable: true,
	Do: func(c GameCall, _ None) (*table.Snapshot, error) {
		game, err := c.Tables.Snapshot(c.Ctx, c.Act.Game)
		if err != nil {
			return nil, err
		}
		if game.Game.Tournament == nil {
			return nil, table.ErrBerserk
		}
		t, err := c.Tournament(c.Ctx, game.Game.Tournament.ID)
		if err != nil {
			return nil, err
		}
		if !t.Format.Continuous() || !t.Rules.Arena.Berserk {
			return nil, table.ErrBerserk
		}
		return c.Tables.Berserk(c.Ctx, c.At, c.Act)
	},
}

// Move makes a move; its Act is that of the command.
var Move = Game[table.Move]{
	Name: "move", Repeatable: true, Boards: true,
	Do: func(c GameCall, move table.Move) (*table.Snapshot, error) {
		move.Act = c.Act
		return c.Tables.Play(c.Ctx, c.At, move)
	},
}

// SendNonce adds to the seed of a game, and CommitNonce the digest that goes before it.
var (
	SendNonce   = byNonce("nonce", (*table.Tables).SendNonce)
	CommitNonce = byNonce("commit-nonce", (*table.Tables).CommitNonce)
)

func byNonce(
	name string, do func(*table.Tables, context.Context, *table.Arrival, table.Nonce) (*table.Snapshot, error),
) Game[table.Nonce] {
	return Game[table.Nonce]{
		Name: name, Repeatable: true,
		Do: func(c GameCall, nonce table.Nonce) (*table.Snapshot, error) {
			nonce.Act = c.Act
			return do(c.Tables, c.Ctx, c.At, nonce)
		},
	}
}

// Rematch offers a rematch, or accepts it.
var Rematch = Game[None]{
	Name: "rematch", Whole: true, Beside: true,
	Do: func(c GameCall, _ None) (*table.Snapshot, error) {
		game, err := c.Tables.Snapshot(c.Ctx, c.Act.Game)
		if err == nil && len(game.SeatsOf(c.Who.PlayerID)) == 0 {
			err = ErrNotInGame
		}
		if err == nil {
			err = access.Challenge(c.Ctx, c.People, c.Who.PlayerID, game.Game.Players)
		}
		if err != nil {
			return nil, err
		}
		return c.Tables.Rematch(c.Ctx, c.Act.Game, c.Act.By, c.Who.PlayerID)
	},
}

// AcceptInvitation accepts an invitation for all seats of the player.
var AcceptInvitation = Game[None]{
	Name: "accept", Whole: true, Repeatable: true,
	Do: func(c GameCall, _ None) (*table.Snapshot, error) {
		game, err := c.Tables.AcceptInvitation(c.Ctx, c.At, c.Act.By, c.Who.PlayerID)
		if err == nil {
			c.Presence.Seen(game, c.Who.PlayerID)
		}
		return game, err
	},
}

// DeclineInvitation declines an invitation, which breaks the game off for all; the input is a word to the others.
var DeclineInvitation = withWord("decline", (*table.Tables).DeclineInvitation)

// LeaveSeat leaves an open game before it begins; the input is a word to the others.
var LeaveSeat = withWord("leave", (*table.Tables).LeaveSeat)

func withWord(
	name string,
	do func(*table.Tables, context.Context, *table.Arrival, string, string, sentence.Sentence) (*table.Snapshot, error),
) Game[string] {
	return Game[string]{
		Name: name, Whole: true, Repeatable: true,
		Do: func(c GameCall, word string) (*table.Snapshot, error) {
			players, err := c.People.Players(c.Ctx, []string{c.Who.PlayerID})
			if err != nil {
				return nil, err
			}
			why := table.DeclinedBy(players[c.Who.PlayerID].Name, word)
			return do(c.Tables, c.Ctx, c.At, c.Act.By, c.Who.PlayerID, why)
		},
	}
}

// Seat is a seat of an open game that a player takes.
type Seat struct {
	Number int8   // 0 for any
	Code   string // of a private game
}

// Sit takes a seat of an open game.
var Sit = Game[Seat]{
	Name: "sit", Whole: true, Repeatable: true,
	Do: func(c GameCall, in Seat) (*table.Snapshot, error) {
		if c.Who.PlayerID == "" {
			return nil, ErrNoPlayer
		}
		game, err := c.Tables.Snapshot(c.Ctx, c.Act.Game)
		if err == nil {
			err = access.MaySit(c.Ctx, c.People, c.GameList, c.Who.PlayerID, game.Game)
		}
		if err != nil {
			return nil, err
		}
		game, err = c.Tables.Sit(c.Ctx, c.At, table.Sitting{
			By: c.Act.By, Player: c.Who.PlayerID, Seat: in.Number, Code: in.Code,
		})
		if err == nil {
			c.Presence.Seen(game, c.Who.PlayerID)
		}
		return game, err
	},
}

// CallToGame calls the arbiter to a player's own game; the input is a word to the arbiter.
var CallToGame = Game[string]{
	Name: "call", Whole: true, Beside: true,
	Do: func(c GameCall, word string) (*table.Snapshot, error) {
		game, err := c.Tables.Snapshot(c.Ctx, c.Act.Game)
		if err != nil {
			return nil, err
		}
		place := game.Game.Tournament
		if place == nil || len(game.SeatsOf(c.Who.PlayerID)) == 0 {
			return nil, ErrNotInGame
		}
		return game, c.CallFromGame(c.Ctx, place.ID, place.Round, place.Board, c.Who.PlayerID, c.Act.Game, word)
	},
}

// Abort breaks a casual game off before every seat that is still in it has moved.
var Abort = Game[None]{
	Name: "abort", Whole: true,
	Do: func(c GameCall, _ None) (*table.Snapshot, error) {
		return c.Tables.AbortIf(c.Ctx, c.At, c.Act.By, table.BrokenOff(), func(s *table.Snapshot) error {
			switch {
			case s.Game.Open && s.Game.Invited != 0 && s.Game.CreatedBy != c.Act.By:
				return ErrNotCreator
			case len(s.SeatsOf(c.Who.PlayerID)) == 0 && (s.Game.Invited == 0 || s.Game.CreatedBy != c.Act.By):
				return ErrNotInGame
			case s.Game.Tournament != nil:
				return ErrInTournament
			case s.Game.Status.Over():
				return table.ErrGameOver
			case s.AllMoved():
				return ErrTooLate
			}
			return nil
		})
	},
}

// OpenGame opens a casual game, which starts once all its players have accepted. The identity chooses part of g:
// players may open games with a seat of their own, organisers any. A seat of a bot names the bot's id, an open seat "".
var OpenGame = ClubAct[table.NewGame, *table.Snapshot]{
	Name: "open-game", May: auth.SeatOthers,
	Own: func(who auth.Identity, g table.NewGame) auth.Action {
		if who.PlayerID != "" && slices.Contains(g.Players, who.PlayerID) {
			return auth.PlayGames
		}
		return ""
	},
	Do: func(c ClubCall, g table.NewGame) (*table.Snapshot, error) {
		if err := invite(c, &g); err != nil {
			return nil, err
		}
		if err := c.Offer.Check(g.Variant); err != nil {
			return nil, err
		}
		if g.Private && !g.Open {
			return nil, Invalid("/private", "a private game has a seat that is open, for those who know its code")
		}
		g.Seats = len(g.Players)
		g.CreatedBy = c.Who.AccountID
		g.Start = true
		games, err := c.Tables.Open(c.Ctx, g)
		if err != nil {
			return nil, err
		}
		return games[0], nil
	},
}

// invite sets the seats with players that have to accept before the game starts; see access.Invited. A bot is always
// ready.
func invite(c ClubCall, g *table.NewGame) error {
	people := slices.Clone(g.Players)
	for i, id := range people {
		if table.BotLevel(id) > 0 {
			people[i] = ""
		}
	}
	invited, quotas, faults, err := access.Invited(c.Ctx, c.People, c.Who, people)
	if err != nil {
		return err
	}
	for i, id := range g.Players {
		if table.BotLevel(id) > 0 {
			invited = invited.Without(int8(i + 1))
		}
	}
	g.Invited, g.Quotas = invited, quotas
	refusal := &Refusal{Err: ErrInvalid}
	for _, f := range faults {
		refusal.Fields = append(refusal.Fields, FieldError{
			Pointer: fmt.Sprintf("/seats/%d/player_id", f.Index), Detail: f.Detail.String(), Said: f.Detail,
		})
	}
	return refusal.or()
}
