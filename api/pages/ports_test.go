package pages

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/pairing"
)

// The town as a journal of games.

func (w *town) Create(_ context.Context, games []table.Game) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, g := range games {
		if _, known := w.games[g.ID]; !known {
			w.games[g.ID] = g
		}
	}
	return nil
}

func (w *town) Begin(ctx context.Context, s table.Step) error { return w.Append(ctx, s) }

func (w *town) Load(_ context.Context, id string) (table.Game, []table.Line, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g, known := w.games[id]
	if !known {
		return g, nil, table.ErrNotFound
	}
	return g, slices.Clone(w.logs[id]), nil
}

func (w *town) LoadSince(ctx context.Context, id string, version int64) (table.Game, []table.Line, error) {
	g, lines, err := w.Load(ctx, id)
	return g, lines[min(version, int64(len(lines))):], err
}

func (w *town) Append(_ context.Context, s table.Step) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.games[s.Game.ID] = *s.Game
	w.logs[s.Game.ID] = append(w.logs[s.Game.ID], s.Lines...)
	return nil
}

func (w *town) Version(_ context.Context, id string) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.games[id].Version, nil
}

func (w *town) Quotas(context.Context, []string) (map[string]table.QuotaState, error) {
	return nil, nil
}

func (w *town) SignIn(_ context.Context, r http.ResponseWriter, a account.Account, _ auth.Origin) error {
	http.SetCookie(r, &http.Cookie{Name: "quatuor", Value: a.ID})
	return nil
}

func (w *town) SignOut(_ context.Context, r http.ResponseWriter, _ auth.Identity) error {
	http.SetCookie(r, &http.Cookie{Name: "quatuor", MaxAge: -1})
	return nil
}

// UnknownCode refuses codes that are not good, and counts none.
func (*town) UnknownCode(_ context.Context, _ string, refusal error) error { return refusal }

func (w *town) OriginOf(_ *http.Request, address string) auth.Origin {
	return auth.Origin{Address: address}
}

func (w *town) CheckLogin(_ context.Context, login, password string, _ auth.Origin) (account.Account, error) {
	switch password {
	case "right":
		return account.Account{ID: login}, nil
	case "often":
		return account.Account{}, auth.ErrTooMany
	}
	return account.Account{}, auth.ErrBadLogin
}

// Lists and readers.

type gameArchive struct{ *town }

func (a gameArchive) List(_ context.Context, f table.Filter, limit int, cursor string) ([]table.Game, string, error) {
	var list []table.Game
	for _, g := range a.games {
		if (len(f.Status) == 0 || slices.Contains(f.Status, g.Status)) &&
			(f.Player == "" || slices.Contains(g.Players, f.Player)) &&
			(!f.Invited || g.Status == table.Waiting && g.Invited != 0) && (!f.Listed || g.Listed()) {
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(x, y table.Game) int {
		return cmp.Or(cmp.Compare(y.CreatedAt, x.CreatedAt), cmp.Compare(x.ID, y.ID))
	})
	return sheet(list, limit, cursor, func(g table.Game) string { return g.ID })
}

// sheet cuts one page out of a list; the cursor is the last key of the page before.
func sheet[T any](list []T, limit int, cursor string, key func(T) string) ([]T, string, error) {
	if cursor != "" {
		list = list[1+slices.IndexFunc(list, func(x T) bool { return key(x) == cursor }):]
	}
	if len(list) <= limit {
		return list, "", nil
	}
	return list[:limit], key(list[limit-1]), nil
}

func (w *town) Tournament(_ context.Context, id string) (*tournament.Tournament, error) {
	if t, ok := w.tournaments[id]; ok {
		return t, nil
	}
	return nil, tournament.ErrNotFound
}

func (w *town) History(_ context.Context, id string) ([]tournament.Change, error) {
	return w.changes[id], nil
}

func (w *town) Acts(_ context.Context, id string) ([]tournament.Act, error) { return w.acts[id], nil }

func (w *town) Advice(t *tournament.Tournament) []pairing.Warning {
	return director.New(director.Config{}).Advice(t)
}

func (w *town) Review(t *tournament.Tournament, round int) []pairing.Warning {
	return director.New(director.Config{}).Review(t, round)
}

// inputs is a store without the pairing input of any round.
type inputs struct{ director.Store }

func (inputs) PairingInput(context.Context, string, int) (tournament.PairingInput, error) {
	return tournament.PairingInput{}, tournament.ErrNotFound
}

func (w *town) Explain(
	ctx context.Context, t *tournament.Tournament, round int, staff bool,
) (*pairing.Explanation, error) {
	return director.New(director.Config{Store: inputs{}}).Explain(ctx, t, round, staff)
}

func (w *town) Account(_ context.Context, id string) (account.Account, error) {
	if id == "gone" {
		return account.Account{}, account.ErrNotFound
	}
	return account.Account{ID: id, Login: "login-of-" + id}, nil
}

type tournamentArchive struct{ *town }

func (a tournamentArchive) List(
	_ context.Context, f director.Filter, limit int, cursor string,
) ([]director.Summary, string, error) {
	var list []director.Summary
	for _, id := range slices.Sorted(maps.Keys(a.tournaments)) {
		t := a.tournaments[id]
		has := f.Player == "" || slices.ContainsFunc(
			t.Entries, func(e tournament.Entry) bool { return slices.Contains(e.Members, f.Player) },
		)
		if has && slices.Contains(f.Status, t.Status) {
			list = append(list, director.Summary{
				ID: t.ID, Name: t.Name, Variant: t.Variant, Format: t.Format, Status: t.Status, TimeControl: t.TimeControl,
				Entries: len(t.Entries), Round: t.PublishedRounds(), RoundCount: t.RoundCount, CreatedAt: t.CreatedAt,
				StartsAt: t.StartsAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt,
			})
		}
	}
	return sheet(list, limit, cursor, func(s director.Summary) string { return s.ID })
}

func (w *town) Player(_ context.Context, id string) (club.Player, error) {
	if p, ok := w.players[id]; ok {
		return p, nil
	}
	return club.Player{}, club.ErrNotFound
}

func (w *town) Players(_ context.Context, ids []string) (map[string]club.Player, error) {
	found := map[string]club.Player{}
	for _, id := range ids {
		if p, ok := w.players[id]; ok {
			found[id] = p
		}
	}
	return found, nil
}

func (w *town) ListPlayers(
	_ context.Context, f club.PlayerFilter, limit int, cursor string,
) ([]club.Player, string, error) {
	var list []club.Player
	for _, id := range slices.Sorted(maps.Keys(w.players)) {
		if p := w.players[id]; strings.Contains(strings.ToLower(p.Name), strings.ToLower(f.Name)) {
			list = append(list, p)
		}
	}
	return sheet(list, limit, cursor, func(p club.Player) string { return p.ID })
}

type ratingReader struct{ *town }

func (r ratingReader) Lists(context.Context) ([]ledger.ListSummary, error) {
	var lists []ledger.ListSummary
	for _, list := range slices.Sorted(maps.Keys(r.ratings)) {
		sum := ledger.ListSummary{List: list, Players: len(r.ratings[list])}
		games := map[string]bool{}
		for _, row := range r.rows {
			if row.List == list {
				games[row.GameID] = true
				sum.LastAt = max(sum.LastAt, row.At)
			}
		}
		sum.Games = len(games)
		lists = append(lists, sum)
	}
	return lists, nil
}

func (r ratingReader) Ranking(
	_ context.Context, list string, _ int64, limit int, after string,
) ([]ledger.Ranked, string, error) {
	var all []ledger.Ranked
	for id, value := range r.ratings[list] {
		all = append(all, ledger.Ranked{
			List: list, PlayerID: id, Name: r.players[id].Name, Rating: value, LastAt: r.lastAt(list, id),
		})
	}
	slices.SortFunc(all, func(a, b ledger.Ranked) int {
		return cmp.Or(cmp.Compare(b.Rating.Value, a.Rating.Value), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	for i := range all {
		all[i].Rank = i + 1
	}
	return sheet(all, limit, after, func(x ledger.Ranked) string { return x.PlayerID })
}

// AsOf counts the rows before a moment.
func (r ratingReader) AsOf(
	ctx context.Context, list string, _, before int64, limit int, after string,
) ([]ledger.Ranked, string, error) {
	then := town{ratings: map[string]map[string]rating.Rating{list: {}}, players: r.players}
	for _, row := range r.rows {
		if row.List == list && row.At < before {
			then.ratings[list][row.PlayerID] = row.Rating()
			then.rows = append(then.rows, row)
		}
	}
	return ratingReader{&then}.Ranking(ctx, list, 0, limit, after)
}

func (r ratingReader) lastAt(list, player string) (last int64) {
	for _, row := range r.rows {
		if row.List == list && row.PlayerID == player {
			last = row.At
		}
	}
	return last
}

func (r ratingReader) History(_ context.Context, list, player string) ([]ledger.Row, error) {
	return slices.DeleteFunc(
		slices.Clone(r.rows), func(row ledger.Row) bool { return row.List != list || row.PlayerID != player },
	), nil
}

func (r ratingReader) Changes(_ context.Context, game string) ([]ledger.Row, error) {
	return slices.DeleteFunc(slices.Clone(r.rows), func(row ledger.Row) bool { return row.GameID != game }), nil
}

// Games returns duels: the player of the first row has seat 1.
func (r ratingReader) Games(_ context.Context, ids []string) (map[string]ledger.RatedGame, error) {
	games := map[string]ledger.RatedGame{}
	for _, row := range r.rows {
		if !slices.Contains(ids, row.GameID) {
			continue
		}
		g := games[row.GameID]
		g.GameID, g.List, g.FinishedAt = row.GameID, row.List, row.At
		g.Players, g.Sides = append(g.Players, row.PlayerID), append(g.Sides, row.Seat)
		g.Ranks, g.Rows = append(g.Ranks, 2-int(row.Score)), append(g.Rows, row)
		games[row.GameID] = g
	}
	return games, nil
}

func (r ratingReader) Current(_ context.Context, list string, players []string) (map[string]rating.Rating, error) {
	current := maps.Clone(r.ratings[list])
	maps.DeleteFunc(current, func(id string, _ rating.Rating) bool { return !slices.Contains(players, id) })
	return current, nil
}

func (ratingReader) Meetings(context.Context, string, [2]string, int64, int64, int64) ([]ledger.Meeting, error) {
	return nil, nil
}

// Uncounted finds none: all games of the town count.
func (ratingReader) Uncounted(context.Context, string, string, int) ([]ledger.Finished, error) {
	return nil, nil
}

func (r ratingReader) OfPlayer(ctx context.Context, player string) ([]ledger.Ranked, error) {
	var places []ledger.Ranked
	for _, list := range slices.Sorted(maps.Keys(r.ratings)) {
		all, _, err := r.Ranking(ctx, list, 0, 1000, "")
		if err != nil {
			return nil, err
		}
		for _, place := range all {
			if place.PlayerID == player {
				places = append(places, place)
			}
		}
	}
	return places, nil
}
