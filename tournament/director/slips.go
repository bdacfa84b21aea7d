package director

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/scoring"
	"quatuor/tournament/slip"
	"quatuor/tournament/team"
)

// Slips keeps the codes of slips, the players' reports, and calls for the arbiter. Every write is a single transaction.
// All of it belongs to a tournament and goes with it.
type Slips interface {
	// Secrets returns the secrets of a round's boards, by board. A secret without bytes was revoked.
	Secrets(ctx context.Context, id string, round int) ([]slip.Secret, error)
	// AddSecrets stores secrets of boards that have none yet; of others it changes nothing.
	AddSecrets(ctx context.Context, id string, round int, secrets []slip.Secret) error
	// SetSecrets replaces the secrets of boards, and forgets the codes made from the former secrets.
	SetSecrets(ctx context.Context, id string, round int, secrets []slip.Secret) error
	// AddCodes stores hashes of codes with their places; existing codes stay.
	AddCodes(ctx context.Context, codes map[string]slip.Place) error
	// Find returns the place of a code by its hash, and the secret of its board, or slip.ErrUnknown.
	Find(ctx context.Context, hash string) (slip.Place, []byte, error)
	// Reports returns the last report of each seat in a round.
	Reports(ctx context.Context, id string, round int) ([]slip.Report, error)
	// Report replaces a seat's last report if its Count is the new Count − 1; else slip.ErrStale.
	Report(ctx context.Context, id string, round int, r slip.Report) error
	// AddCall stores a call, unless its place has an open call of the same kind and basis.
	AddCall(ctx context.Context, c slip.Call) (added bool, err error)
	// Calls returns the calls of a tournament, the latest first.
	Calls(ctx context.Context, id string) ([]slip.Call, error)
	// AnswerCall changes the status of a call that is not settled, or returns tournament.ErrNotFound.
	AnswerCall(ctx context.Context, id, call string, status slip.CallStatus, by string, at int64) error
}

// Slip is the view of a board that a code opens, as the board's players may see it.
type Slip struct {
	slip.Place
	Tournament *tournament.Tournament
	Pairing    tournament.Pairing
	Reports    slip.Board
	Called     bool // this place has an open call

	Names []string // of the sides, by seat: of entries, or of the players of a board of a match
}

// Reportable reports whether a result can be reported for the board now.
func (s Slip) Reportable() bool {
	t, p := s.Tournament, s.Pairing
	switch {
	case t.Teams == nil:
		return scoring.Reportable(t, s.Round, s.Board)
	case t.Status != tournament.Running || s.Round < len(t.Rounds) || p.Result != nil || p.GameID != "":
		return false
	}
	return p.Boards == nil || len(slip.OpenBoards(p)) > 0
}

// Match reports whether the place is a match of teams: captains report all its boards.
func (s Slip) Match() bool { return s.Pairing.Boards != nil }

// Slip returns the board that a code opens. Every invalid code is slip.ErrUnknown: mistyped, revoked, of a round that
// is over or was taken back, or of a board that was paired again.
func (d *Director) Slip(ctx context.Context, typed string) (Slip, error) {
	code, ok := slip.Read(typed)
	if !ok || d.Slips == nil {
		return Slip{}, slip.ErrUnknown
	}
	place, secret, err := d.Slips.Find(ctx, slip.Hash(code))
	if err != nil {
		return Slip{}, err
	}
	t, err := d.Store.Load(ctx, place.Tournament)
	switch {
	case errors.Is(err, tournament.ErrNotFound):
		return Slip{}, slip.ErrUnknown
	case err != nil:
		return Slip{}, err
	case !slip.Open(t, place.Round):
		return Slip{}, slip.ErrUnknown
	}
	p, err := slip.At(t, place.Round, place.Board)
	if err != nil || p.Bye != tournament.NoBye || place.Seat > len(p.Seats) || len(secret) == 0 {
		return Slip{}, slip.ErrUnknown
	}
	if !slip.Same(code, slip.Code(secret, slip.CodeKey(t, place, p), place.Seat)) {
		return Slip{}, slip.ErrUnknown
	}
	if slip.Table(place.Board) > 0 {
		place.Board = p.Board
	}
	return d.slipAt(ctx, t, place, p)
}

func (d *Director) slipAt(
	ctx context.Context, t *tournament.Tournament, place slip.Place, p tournament.Pairing,
) (Slip, error) {
	changes, err := d.Store.History(ctx, t.ID)
	if err != nil {
		return Slip{}, err
	}
	reports, err := d.Slips.Reports(ctx, t.ID, place.Round)
	if err != nil {
		return Slip{}, err
	}
	calls, err := d.Slips.Calls(ctx, t.ID)
	if err != nil {
		return Slip{}, err
	}
	s := Slip{Place: place, Tournament: t, Pairing: p, Reports: slip.BoardOf(t, place.Round, p, changes, reports)}
	s.Names, err = d.sideNames(ctx, t, p)
	if err != nil {
		return s, err
	}
	s.Called = slices.ContainsFunc(calls, func(c slip.Call) bool {
		return c.Place == place && c.Kind == slip.CallHelp && c.Basis == slip.Key(t, place.Round, p) &&
			c.Status != slip.CallSettled
	})
	return s, nil
}

// SideNames returns the names of the sides of a board, or of the players of a board of a match; none for a board that
// no longer exists.
func (d *Director) SideNames(ctx context.Context, t *tournament.Tournament, round, board int) ([]string, error) {
	p, err := slip.At(t, round, board)
	if err != nil {
		return nil, nil //nolint:nilerr // the round is gone
	}
	return d.sideNames(ctx, t, p)
}

// sideNames returns the names of the sides of a pairing, or of the players of a board of a match.
func (d *Director) sideNames(ctx context.Context, t *tournament.Tournament, p tournament.Pairing) ([]string, error) {
	names := make([]string, len(p.Seats))
	_, board := slip.Split(p.Board)
	if t.Teams == nil || board == 0 {
		for i, id := range p.Seats {
			e, _ := t.Entry(id)
			names[i] = e.Name
		}
		return names, nil
	}
	known, err := d.Names(ctx, p.Seats)
	if err != nil {
		return nil, err
	}
	for i, id := range p.Seats {
		names[i] = cmp.Or(known[id], id)
	}
	return names, nil
}

// Report records a report by code: the result of its board as tournament.Verdict spells it, and the state that the form
// showed (slip.Board.Saw). seat counts for the code of a board only. It returns the board after it; the result is
// recorded once all sides agree. Errors wrap slip.ErrUnknown, slip.ErrEmpty, slip.ErrStale, tournament.ErrState (the
// board has a result) and tournament.ErrInvalid; with them nothing has changed.
func (d *Director) Report(ctx context.Context, code string, seat int, verdict, saw string) (Slip, error) {
	s, err := d.Slip(ctx, code)
	if err != nil {
		return s, err
	}
	if s.Seat > 0 {
		seat = s.Seat
	}
	if s.Match() && !s.Reportable() {
		return s, errLate
	}
	verdict, err = s.check(seat, verdict)
	if err != nil {
		return s, err
	}
	if r := s.Pairing.Result; r != nil && !s.Match() && r.Verdict().String() == verdict {
		return s, nil // it was sent twice
	}
	if !s.Reportable() {
		return s, errLate
	}
	report, changes, err := s.Reports.Take(s.Board, seat, verdict, saw, d.now())
	if err != nil {
		return s, err
	}
	if changes {
		if err := d.Slips.Report(ctx, s.Tournament.ID, s.Round, report); err != nil {
			return s, err
		}
	}
	// The report is stored; its consequences must not end with the sender's request.
	ctx = context.WithoutCancel(ctx)
	s, err = d.slipAt(ctx, s.Tournament, s.Place, s.Pairing)
	if err != nil {
		return s, err
	}
	if s.Reports.Agreed() != "" {
		return d.enterReported(ctx, s)
	}
	if s.Reports.Disputed() {
		err = d.addCall(ctx, slip.Call{
			Place: slip.Place{Tournament: s.Tournament.ID, Round: s.Round, Board: s.Board}, Kind: slip.CallDispute,
			Basis: s.Reports.Basis,
		})
	}
	if changes {
		d.Notifier.TournamentChanged(s.Tournament, TopicPairings, Staff)
	}
	return s, err
}

var errLate = tournament.NotNow("the result of this board cannot be reported any more; only an arbiter can correct it")

// check returns a verdict in its canonical form, or an error for text that is no verdict.
func (s Slip) check(seat int, text string) (string, error) {
	switch {
	case text == "":
		return "", slip.ErrEmpty
	case seat < 1 || seat > len(s.Pairing.Seats):
		return "", tournament.Fault("seat", "say who you are")
	}
	if s.Tournament.Teams != nil {
		_, spelt, err := slip.ReadMatch(s.Pairing, text)
		return spelt, err
	}
	v, err := slip.ReadVerdict(text, len(s.Pairing.Seats))
	if err != nil {
		return "", err
	}
	return v.String(), scoring.CheckReport(s.Tournament, s.Round, s.Board, v)
}

// enterReported sets the result that all sides of a board have reported, unless something has changed: another request
// or an arbiter was faster. It returns the board after it.
func (d *Director) enterReported(ctx context.Context, s Slip) (Slip, error) {
	t, err := d.enterAgreed(ctx, s)
	if errors.Is(err, tournament.ErrState) || errors.Is(err, slip.ErrStale) {
		t, err = d.Store.Load(ctx, s.Tournament.ID)
	}
	if err != nil {
		return s, err
	}
	p, err := slip.At(t, s.Round, s.Board)
	if err != nil {
		return s, slip.ErrUnknown
	}
	return d.slipAt(ctx, t, s.Place, p)
}

func (d *Director) enterAgreed(ctx context.Context, s Slip) (*tournament.Tournament, error) {
	if s.Tournament.Teams == nil {
		v, err := slip.ReadVerdict(s.Reports.Agreed(), len(s.Pairing.Seats))
		if err != nil {
			return nil, err
		}
		return d.ReportedResult(ctx, s.Tournament.ID, s.Round, s.Board, v, s.Reports.Basis)
	}
	results, _, err := slip.ReadMatch(s.Pairing, s.Reports.Agreed())
	if err != nil {
		return nil, err
	}
	verdicts := make(map[int]tournament.Verdict, len(results))
	for _, r := range results {
		verdicts[r.Board] = r.Verdict
	}
	match, _ := slip.Split(s.Board)
	return d.reported(ctx, s.Tournament.ID, s.Round, s.Board, s.Reports.Basis,
		func(t *tournament.Tournament) (*tournament.Revision, error) {
			how := tournament.Editing{NewGame: d.NewID, By: scoring.PlayersAccount, At: d.now()}
			return team.Reported(t, s.Round, match, verdicts, how)
		})
}

// ReportedResult sets a result that all sides of a board have reported on a basis (slip.Basis): slip.ErrStale if the
// pairing or its result has changed since. Like the result of a game on the server it is not an act that can be undone,
// and leaves the arbiter's last act undoable.
func (d *Director) ReportedResult(
	ctx context.Context, id string, round, board int, v tournament.Verdict, basis string,
) (*tournament.Tournament, error) {
	return d.reported(ctx, id, round, board, basis,
		func(t *tournament.Tournament) (*tournament.Revision, error) {
			return scoring.ReportedResult(t, round, board, v, d.now())
		})
}

// reported applies a result that was reported on a basis.
func (d *Director) reported(
	ctx context.Context, id string, round, board int, basis string, op operation,
) (*tournament.Tournament, error) {
	return d.apply(ctx, id, Order{By: scoring.PlayersAccount},
		func(t *tournament.Tournament) (*tournament.Revision, error) {
			changes, err := d.Store.History(ctx, id)
			if err != nil {
				return nil, err
			}
			p, err := slip.At(t, round, board)
			if err != nil {
				return nil, err
			}
			if slip.Basis(t, round, p, changes) != basis {
				return nil, slip.ErrStale
			}
			return op(t)
		}, nil)
}

// BoardCodes are the codes of a board; empty if they were revoked.
type BoardCodes struct {
	Pairing tournament.Pairing
	Seats   []string // by seat
	Card    string   // of the board card; only with cards
	Names   []string // of the sides, by seat
}

// RoundCodes returns the codes of the boards of the latest published round and creates missing codes; with cards it
// adds those of board cards, in an arena in the hall those of the tables. The card code of a board works from its first
// return here.
func (d *Director) RoundCodes(
	ctx context.Context, t *tournament.Tournament, round int, cards bool,
) ([]BoardCodes, error) {
	if err := d.checkCodes(t, round); err != nil {
		return nil, err
	}
	coded := slip.Coded(t, round)
	if cards && arena.HallTables(t) > 0 {
		coded = slip.Cards(t)
	}
	secrets, err := d.secrets(ctx, t, round, coded)
	if err != nil {
		return nil, err
	}
	var out []BoardCodes
	places := make(map[string]slip.Place)
	for _, p := range coded {
		names, err := d.sideNames(ctx, t, p)
		if err != nil {
			return nil, err
		}
		codes, key, secret := BoardCodes{Pairing: p, Names: names}, slip.Key(t, round, p), secrets[p.Board]
		code := func(seat int) string {
			c := slip.Code(secret, key, seat)
			places[slip.Hash(c)] = slip.Place{Tournament: t.ID, Round: round, Board: p.Board, Seat: seat}
			return c
		}
		for i := 0; i < len(p.Seats) && len(secret) > 0; i++ {
			codes.Seats = append(codes.Seats, code(i+1))
		}
		if cards && len(secret) > 0 {
			codes.Card = code(0)
		}
		out = append(out, codes)
	}
	return out, d.Slips.AddCodes(ctx, places)
}

// checkCodes returns an error for a round that has no codes.
func (d *Director) checkCodes(t *tournament.Tournament, round int) error {
	if d.Slips == nil || !slip.Open(t, round) {
		return tournament.NotNow("round %d has no codes: only the latest published round of a running tournament has",
			round)
	}
	return nil
}

// secrets returns the secrets of a round by board, after making those that are missing.
func (d *Director) secrets(
	ctx context.Context, t *tournament.Tournament, round int, boards []tournament.Pairing,
) (map[int][]byte, error) {
	read := func() (map[int][]byte, error) {
		list, err := d.Slips.Secrets(ctx, t.ID, round)
		out := make(map[int][]byte, len(list))
		for _, s := range list {
			out[s.Board] = s.Bytes
		}
		return out, err
	}
	have, err := read()
	if err != nil {
		return nil, err
	}
	var missing []slip.Secret
	for _, p := range boards {
		if _, ok := have[p.Board]; !ok {
			missing = append(missing, newSecret(p.Board))
		}
	}
	if len(missing) == 0 {
		return have, nil
	}
	if err := d.Slips.AddSecrets(ctx, t.ID, round, missing); err != nil {
		return nil, err
	}
	return read() // another instance may have been faster
}

func newSecret(board int) slip.Secret {
	s := slip.Secret{Board: board, Bytes: make([]byte, slip.SecretSize)}
	rand.Read(s.Bytes) // never fails
	return s
}

// ReplaceCodes revokes the codes of a board of the latest published round, or of all boards for board 0, and creates
// new codes unless revoke is set.
func (d *Director) ReplaceCodes(ctx context.Context, t *tournament.Tournament, round, board int, revoke bool) error {
	if err := d.checkCodes(t, round); err != nil {
		return err
	}
	var secrets []slip.Secret
	for _, p := range slices.Concat(slip.Coded(t, round), slip.Cards(t)) {
		if board != 0 && board != p.Board {
			continue
		}
		s := slip.Secret{Board: p.Board}
		if !revoke {
			s = newSecret(p.Board)
		}
		secrets = append(secrets, s)
	}
	if len(secrets) == 0 {
		return tournament.Refuse(tournament.ErrNotFound, "board %d in round %d", board, round)
	}
	return d.Slips.SetSecrets(ctx, t.ID, round, secrets)
}

// Reports returns the reports of a round, by board, for the organiser and arbiters. It omits boards without reports or
// with a result.
func (d *Director) Reports(ctx context.Context, t *tournament.Tournament, round int) (map[int]slip.Board, error) {
	out := make(map[int]slip.Board)
	if d.Slips == nil || round < 1 || round > t.PublishedRounds() {
		return out, nil
	}
	reports, err := d.Slips.Reports(ctx, t.ID, round)
	if err != nil || len(reports) == 0 {
		return out, err
	}
	changes, err := d.Store.History(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	for _, p := range slip.Pairings(t, round) {
		if b := slip.BoardOf(t, round, p, changes, reports); p.Result == nil && b.Reported() {
			out[p.Board] = b
		}
	}
	return out, nil
}
