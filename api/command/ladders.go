package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/ladder"
)

// Ladder is a ladder as it stands, with the names of its players.
type Ladder struct {
	ladder.Ladder
	Names map[string]string

	versions []gameVersion // of the games that there are
}

// Ladder returns a ladder as it stands now, with all deadlines settled that have come. An error names the ladder and the
// act if a stored act cannot have been done.
func (s *Service) Ladder(ctx context.Context, id string) (*Ladder, error) {
	edition, err := s.Seasons.LadderEdition(ctx, id)
	if err != nil {
		return nil, err
	}
	l, err := s.keptLadder(ctx, id, edition)
	if err == nil && l == nil {
		l, err = s.computeLadder(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	named := make(map[string]string, len(l.Names))
	maps.Copy(named, l.Names)
	l.Names = named
	players, err := s.People.Players(ctx, slices.Collect(maps.Keys(l.Names)))
	for id, p := range players {
		l.Names[id] = p.Name
	}
	return l, err
}

// computeLadder computes a ladder from what was done on it, and keeps it.
func (s *Service) computeLadder(ctx context.Context, id string) (*Ladder, error) {
	settings, acts, err := s.Seasons.Ladder(ctx, id)
	if err != nil {
		return nil, err
	}
	stored, err := ladder.Stored(settings, acts, s.Now().UnixMilli())
	if err != nil {
		return nil, err
	}
	l := &Ladder{Ladder: *stored, Names: map[string]string{}}
	games, err := s.ladderGames(ctx, l)
	if err != nil {
		return nil, err
	}
	if err := l.Compute(games); err != nil {
		return nil, err
	}
	s.ladders.keep(l, games)
	shared := *l
	return &shared, nil
}

// ladderGames collects players and games of a ladder, and returns how the games ended.
func (s *Service) ladderGames(ctx context.Context, l *Ladder) (map[string]ladder.Game, error) {
	ids, of := []string{}, map[string]string{}
	for _, act := range l.Acts {
		if act.Player != "" {
			l.Names[act.Player] = act.Player
		}
		if act.Kind == ladder.ActGame {
			ids, of[act.Game] = append(ids, act.Game), act.Challenge
		}
	}
	all, err := s.Seasons.Games(ctx, ids)
	games := map[string]ladder.Game{}
	for _, g := range all {
		l.Opened[g.ID], l.Ended[g.ID] = true, g.Status.Over()
		l.versions = append(l.versions, gameVersion{g.ID, g.Status, g.Invited})
		if l.Ended[g.ID] || g.Status == table.Waiting {
			games[g.ID] = gameEnd(g, l.Pairs[of[g.ID]])
		}
	}
	return games, err
}

// gameEnd returns how a game ended for the challenger, who sits second, or whether it waits for the defender alone.
func gameEnd(g table.Game, pair [2]string) ladder.Game {
	end := ladder.Game{At: g.FinishedAt}
	if g.Status != table.Finished {
		end.NoClock = g.StartedAt == 0 && g.Invites(pair[1]) && !g.Invites(pair[0])
		return end
	}
	if g.Outcome == nil || g.Outcome.Void() {
		return end
	}
	end.Counts = true
	switch cmp.Compare(g.Outcome.Ranks[0], g.Outcome.Ranks[1]) {
	case 0:
		end.Score = 0.5
	case 1:
		end.Score = 1
	}
	return end
}

// Runs reports whether an identity runs the ladder.
func (l *Ladder) Runs(who auth.Identity) bool { return Runs(who, l.Organiser) }

// act appends what judge returns for the ladder as it stands, and judges again if others were faster.
func (s *Service) act(ctx context.Context, id string, judge func(*Ladder) ([]ladder.Act, error)) (*Ladder, error) {
	for range attempts {
		l, err := s.Ladder(ctx, id)
		if err != nil {
			return nil, err
		}
		acts, err := judge(l)
		if err != nil {
			return nil, err
		}
		if err := l.room(auth.From(ctx), acts); err != nil {
			return nil, err
		}
		for i := range acts {
			acts[i].N, acts[i].At, acts[i].By = len(l.Acts)+i+1, l.Now, auth.From(ctx).AccountID
		}
		if err := s.onLadder(id, s.Seasons.AddActs(ctx, id, acts)); !errors.Is(err, ladder.ErrStale) {
			if err != nil {
				return nil, err
			}
			return s.Ladder(ctx, id)
		}
	}
	return nil, ladder.ErrStale
}

// room returns an error if acts are too many, by themselves or for one account; leaving is always possible.
func (l *Ladder) room(who auth.Identity, acts []ladder.Act) error {
	by := who.AccountID
	switch {
	case len(acts) == 0 || acts[0].Kind == ladder.ActLeave:
		return nil
	case l.Runs(who):
		by = ""
	}
	return ladder.Room(l.Acts, by, l.Now)
}

// forPlayer returns an error unless the caller is the player, or runs the ladder.
func (l *Ladder) forPlayer(who auth.Identity, player string) error {
	if player != "" && player == who.PlayerID {
		return who.Demand(who.Level(), auth.EnterTournament)
	}
	return runs(who, l.Organiser)
}

// JoinLadder puts a player at the foot of a ladder; "" for the caller.
func (s *Service) JoinLadder(ctx context.Context, id, player string) (*Ladder, error) {
	who := auth.From(ctx)
	player = cmp.Or(player, who.PlayerID)
	return s.act(ctx, id, func(l *Ladder) ([]ladder.Act, error) {
		if player == "" && !who.Anonymous() {
			return nil, ErrNoPlayer
		}
		if err := l.forPlayer(who, player); err != nil {
			return nil, err
		}
		p, err := s.People.Player(ctx, player)
		if err != nil {
			return nil, err
		}
		return l.Join(p.ID)
	})
}

// LeaveLadder takes a player off a ladder.
func (s *Service) LeaveLadder(ctx context.Context, id, player string) (*Ladder, error) {
	return s.act(ctx, id, func(l *Ladder) ([]ladder.Act, error) {
		if err := l.forPlayer(auth.From(ctx), player); err != nil {
			return nil, err
		}
		return l.Leave(player)
	})
}

// LadderHoliday lets a player be away until a time, in ms; 0 ends the holiday.
func (s *Service) LadderHoliday(ctx context.Context, id, player string, until int64) (*Ladder, error) {
	return s.act(ctx, id, func(l *Ladder) ([]ladder.Act, error) {
		if err := l.forPlayer(auth.From(ctx), player); err != nil {
			return nil, err
		}
		return l.Holiday(player, until)
	})
}

// ChallengeOnLadder challenges a player above. from is "" for the caller.
func (s *Service) ChallengeOnLadder(ctx context.Context, id, from, to string) (*Ladder, error) {
	who := auth.From(ctx)
	from = cmp.Or(from, who.PlayerID)
	return s.act(ctx, id, func(l *Ladder) ([]ladder.Act, error) {
		if err := l.forPlayer(who, from); err != nil {
			return nil, err
		}
		return l.NewChallenge(newID(), from, to)
	})
}

// AnswerOnLadder accepts or declines a challenge. On the server, accepting opens a game between the two.
func (s *Service) AnswerOnLadder(ctx context.Context, id, challenge string, kind ladder.Kind) (*Ladder, error) {
	l, err := s.act(ctx, id, func(l *Ladder) ([]ladder.Act, error) {
		pair, known := l.Pairs[challenge]
		if !known {
			return nil, ladder.ErrNotFound
		}
		if err := l.forPlayer(auth.From(ctx), pair[1]); err != nil {
			return nil, err
		}
		return l.Answer(challenge, kind, newID())
	})
	if err != nil || kind == ladder.ActDecline || l.Hall {
		return l, err
	}
	return l, s.openLadderGame(ctx, l, challenge)
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// openLadderGame opens the last game of a challenge if that has not been done. The defender sits first; the game begins
// when both have come. It is nobody's invitation, so that it does not count against anybody's limits.
func (s *Service) openLadderGame(ctx context.Context, l *Ladder, challenge string) error {
	pair := l.Pairs[challenge]
	_, err := s.Tables.Open(ctx, table.NewGame{
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
		l, err := s.Ladder(ctx, id)
		if err != nil {
			failed = append(failed, fmt.Errorf("ladder %s: %w", id, err))
			continue
		}
		for _, c := range l.Open() {
			if !c.Accepted || !l.Unopened(c.ID) {
				continue
			}
			if err := s.openLadderGame(ctx, l, c.ID); err != nil {
				failed = append(failed, fmt.Errorf("challenge %s of ladder %s: %w", c.ID, id, err))
			}
		}
	}
	return errors.Join(failed...)
}

// PlayOnLadder opens another game of a challenge, for an earlier one that was broken off.
func (s *Service) PlayOnLadder(ctx context.Context, id, challenge string) (*Ladder, error) {
	l, err := s.act(ctx, id, func(l *Ladder) ([]ladder.Act, error) {
		c, err := l.OpenChallenge(challenge, true)
		if err != nil {
			return nil, err
		}
		if player := auth.From(ctx).PlayerID; player != c.From && player != c.To {
			if err := runs(auth.From(ctx), l.Organiser); err != nil {
				return nil, err
			}
		}
		return l.PlayAgain(challenge, newID())
	})
	if err != nil {
		return nil, err
	}
	return l, s.openLadderGame(ctx, l, challenge)
}

// ScoreOnLadder enters the challenger's score: the two players report it, and it counts once both have reported the
// same; whoever runs the ladder enters or corrects it at once.
func (s *Service) ScoreOnLadder(ctx context.Context, id, challenge string, score float64) (*Ladder, error) {
	who := auth.From(ctx)
	return s.act(ctx, id, func(l *Ladder) ([]ladder.Act, error) {
		pair, known := l.Pairs[challenge]
		if !known {
			return nil, ladder.ErrNotFound
		}
		plays := slices.Contains(pair[:], who.PlayerID)
		if l.Runs(who) && (!plays || l.Played(challenge)) {
			return l.Correct(challenge, score)
		}
		if !plays {
			return nil, runs(who, l.Organiser)
		}
		if err := l.forPlayer(who, who.PlayerID); err != nil {
			return nil, err
		}
		return l.Report(challenge, who.PlayerID, score)
	})
}

// LadderScore reads the score of a challenger: 1, 0.5 or 0.
func LadderScore(text string) (score float64, known bool) {
	score, known = map[string]float64{"1": 1, "0.5": 0.5, "0": 0}[text]
	return score, known
}
