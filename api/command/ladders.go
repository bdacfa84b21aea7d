package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/ladder"
	"quatuor/tournament/season"
)

// Ladders are ladders; only the name changes. A ladder with a challenge cannot be deleted.
var Ladders = Kept[ladder.Settings]{
	Name: "ladder", New: auth.CreateTournaments,
	Load: func(c ClubCall, on On) (ladder.Settings, error) {
		l, _, err := c.Seasons.Ladder(c.Ctx, on.ID)
		return l, err
	},
	Allow:   func(c ClubCall, l ladder.Settings) error { return runs(c.Who, l.Organiser) },
	Version: func(l ladder.Settings) int64 { return l.Version },
	Init:    func(l *ladder.Settings, o Origin) { o.into(&l.ID, &l.Organiser, &l.CreatedAt) },
	Save: func(c ClubCall, before *ladder.Settings, now ladder.Settings) (ladder.Settings, error) {
		if before == nil {
			if err := checkNewLadder(c, &now); err != nil {
				return now, err
			}
			return now, c.Seasons.CreateLadder(c.Ctx, now)
		}
		var err error
		if now.Name, err = ladder.CheckName(now.Name); err != nil {
			return now, err
		}
		return now, c.ladderChanged(now.ID, c.Seasons.SaveLadder(c.Ctx, now))
	},
	Remove: func(c ClubCall, l ladder.Settings) error {
		return c.ladderChanged(l.ID, c.Seasons.DeleteLadder(c.Ctx, l.ID, l.Version))
	},
}

// checkNewLadder refuses settings that make no ladder.
func checkNewLadder(c ClubCall, l *ladder.Settings) error {
	if err := c.Offer.Check(l.Variant); err != nil {
		return err
	}
	if rules, err := catalog.Find(l.Variant); err != nil || !slices.Contains(rules.Info().Seats, 2) {
		return tournament.Fault("variant", "a ladder needs a game for two")
	}
	if _, err := clock.Parse(l.TimeControl); err != nil {
		return tournament.Fault("time_control", "%v", err)
	}
	return l.Check()
}

// ladderChanged notifies the readers of a ladder of a change, unless that failed.
func (c ClubCall) ladderChanged(id string, err error) error {
	if err == nil && c.LadderChanged != nil {
		c.LadderChanged(id)
	}
	return err
}

// LadderSettings returns the settings of a new ladder, with defaults for what is left out.
func LadderSettings(b gen.NewLadder) ladder.Settings {
	l := ladder.Settings{
		Name: b.Name, Variant: b.Variant, TimeControl: b.TimeControl, Rated: true, Rules: ladder.DefaultRules(),
		Hall: b.Venue != nil && *b.Venue == gen.VenueHall,
	}
	Set(&l.Rated, b.Rated)
	Set(&l.Rules.Reach, b.Reach)
	Set(&l.Rules.Accept, b.Accept)
	Set(&l.Rules.Play, b.Play)
	Set(&l.Rules.Again, b.Again)
	return l
}

// LadderAct is an act on the ladder of an id. Its number, time and author follow from the request.
type LadderAct struct {
	Ladder string
	ladder.Act
}

// judging returns the acts to store for an act on a ladder in its present state.
type judging func(ClubCall, *season.Ladder, ladder.Act) ([]ladder.Act, error)

// onLadder describes an act on a ladder. It is judged again if others were faster.
func onLadder(name string, judge judging) ClubAct[LadderAct, *season.Ladder] {
	return ClubAct[LadderAct, *season.Ladder]{Name: name, Do: func(c ClubCall, in LadderAct) (*season.Ladder, error) {
		err := ladder.ErrStale
		for n := 0; n < attempts && errors.Is(err, ladder.ErrStale); n++ {
			err = judge.add(c, in)
		}
		if err != nil {
			return nil, err
		}
		return c.Reader.Ladder(c.Ctx, in.Ladder)
	}}
}

// add judges an act and stores what it comes to; ladder.ErrStale if others were faster.
func (j judging) add(c ClubCall, in LadderAct) error {
	l, err := c.Reader.Ladder(c.Ctx, in.Ladder)
	if err != nil {
		return err
	}
	acts, err := j(c, l, in.Act)
	if err != nil {
		return err
	}
	if len(acts) > 0 && acts[0].Kind != ladder.ActLeave { // leaving is always possible
		by := c.Who.AccountID
		if Runs(c.Who, l.Organiser) {
			by = ""
		}
		if err := ladder.Room(l.Acts, by, l.Now); err != nil {
			return err
		}
	}
	for i := range acts {
		acts[i].N = len(l.Acts) + i + 1
		acts[i].At, acts[i].By = l.Now, c.Who.AccountID
	}
	return c.ladderChanged(l.ID, c.Seasons.AddActs(c.Ctx, l.ID, acts))
}

// forPlayer returns an error unless the identity is the player, or runs the ladder.
func forPlayer(c ClubCall, l *season.Ladder, player string) error {
	if player != "" && player == c.Who.PlayerID {
		return c.Demand(auth.EnterTournament)
	}
	return runs(c.Who, l.Organiser)
}

// JoinLadder puts the act's player, "" for the identity's own, at the foot of a ladder.
var JoinLadder = onLadder("join-ladder", func(c ClubCall, l *season.Ladder, in ladder.Act) ([]ladder.Act, error) {
	player := cmp.Or(in.Player, c.Who.PlayerID)
	if player == "" && !c.Who.Anonymous() {
		return nil, ErrNoPlayer
	}
	if err := forPlayer(c, l, player); err != nil {
		return nil, err
	}
	p, err := c.People.Player(c.Ctx, player)
	if err != nil {
		return nil, err
	}
	return l.Join(p.ID)
})

// LeaveLadder takes the act's player off a ladder.
var LeaveLadder = onLadder("leave-ladder", func(c ClubCall, l *season.Ladder, in ladder.Act) ([]ladder.Act, error) {
	if err := forPlayer(c, l, in.Player); err != nil {
		return nil, err
	}
	return l.Leave(in.Player)
})

// SetHoliday lets the act's player be away until a time, in ms; 0 ends the holiday.
var SetHoliday = onLadder("ladder-holiday", func(c ClubCall, l *season.Ladder, in ladder.Act) ([]ladder.Act, error) {
	if err := forPlayer(c, l, in.Player); err != nil {
		return nil, err
	}
	return l.Holiday(in.Player, in.Until)
})

// ChallengeOnLadder challenges Other for Player, "" for the identity's own player.
var ChallengeOnLadder = onLadder("challenge", func(c ClubCall, l *season.Ladder, in ladder.Act) ([]ladder.Act, error) {
	from := cmp.Or(in.Player, c.Who.PlayerID)
	if err := forPlayer(c, l, from); err != nil {
		return nil, err
	}
	return l.NewChallenge(newID(), from, in.Other)
})

// The answers to a challenge. On the server, accepting opens a game between the two.
var (
	AcceptChallenge  = opening(onLadder("accept-challenge", answer(ladder.ActAccept)))
	DeclineChallenge = onLadder("decline-challenge", answer(ladder.ActDecline))
)

func answer(kind ladder.Kind) judging {
	return func(c ClubCall, l *season.Ladder, in ladder.Act) ([]ladder.Act, error) {
		pair, known := l.Pairs[in.Challenge]
		if !known {
			return nil, ladder.ErrNotFound
		}
		if err := forPlayer(c, l, pair[1]); err != nil {
			return nil, err
		}
		return l.Answer(in.Challenge, kind, newID())
	}
}

// PlayChallenge opens another game of a challenge, for an earlier game that was broken off.
var PlayChallenge = opening(onLadder("play-challenge", func(c ClubCall, l *season.Ladder, in ladder.Act) ([]ladder.Act, error) {
	open, err := l.OpenChallenge(in.Challenge, true)
	if err != nil {
		return nil, err
	}
	if player := c.Who.PlayerID; player != open.From && player != open.To {
		if err := runs(c.Who, l.Organiser); err != nil {
			return nil, err
		}
	}
	return l.PlayAgain(in.Challenge, newID())
}))

// ScoreChallenge enters the challenger's score: the two players report it, and it counts once both have reported the
// same; the organiser enters or corrects it at once.
var ScoreChallenge = onLadder("score-challenge", func(c ClubCall, l *season.Ladder, in ladder.Act) ([]ladder.Act, error) {
	pair, known := l.Pairs[in.Challenge]
	if !known {
		return nil, ladder.ErrNotFound
	}
	plays := slices.Contains(pair[:], c.Who.PlayerID)
	if Runs(c.Who, l.Organiser) && (!plays || l.Played(in.Challenge)) {
		return l.Correct(in.Challenge, in.Score)
	}
	if !plays {
		return nil, runs(c.Who, l.Organiser)
	}
	if err := forPlayer(c, l, c.Who.PlayerID); err != nil {
		return nil, err
	}
	return l.Report(in.Challenge, c.Who.PlayerID, in.Score)
})

// LadderScore reads the score of a challenger: 1, 0.5 or 0.
func LadderScore(text string) (score float64, known bool) {
	score, known = map[string]float64{"1": 1, "0.5": 0.5, "0": 0}[text]
	return score, known
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// opening is an act after which the challenge has an open game, on the server.
func opening(act ClubAct[LadderAct, *season.Ladder]) ClubAct[LadderAct, *season.Ladder] {
	do := act.Do
	act.Do = func(c ClubCall, in LadderAct) (*season.Ladder, error) {
		l, err := do(c, in)
		if err != nil || l.Hall {
			return l, err
		}
		return l, openLadderGame(c.Ctx, c.Tables, l, in.Challenge)
	}
	return act
}

// openLadderGame opens the last game of a challenge if that has not been done. The defender sits first; the game begins
// when both have come. It is opened by the server, so that it does not count against the limits of an account.
func openLadderGame(ctx context.Context, tables *table.Tables, l *season.Ladder, challenge string) error {
	pair := l.Pairs[challenge]
	_, err := tables.Open(ctx, table.NewGame{
		ID: l.Games[challenge], Variant: l.Variant, Seats: 2, Players: []string{pair[1], pair[0]},
		Controls: []string{l.TimeControl}, Rated: l.Rated, Start: true, CreatedBy: tournament.ServerAccount,
		Invited: table.SeatSet(0).With(int8(engine.Seat(1))).With(int8(engine.Seat(2))),
	})
	return err
}

// OpenLadderGames opens the games that were accepted and not opened, because the program died between. Challenges that
// have ended since get none.
func (s *Service) OpenLadderGames(ctx context.Context) error {
	ids, err := s.Seasons.UnopenedLadders(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range ids {
		l, err := s.Reader.Ladder(ctx, id)
		if err != nil {
			failed = append(failed, fmt.Errorf("ladder %s: %w", id, err))
			continue
		}
		for _, c := range l.Open() {
			if !c.Accepted || !l.Unopened(c.ID) {
				continue
			}
			if err := openLadderGame(ctx, s.Tables, l, c.ID); err != nil {
				failed = append(failed, fmt.Errorf("challenge %s of ladder %s: %w", c.ID, id, err))
			}
		}
	}
	return errors.Join(failed...)
}
