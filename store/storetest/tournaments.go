package storetest

import (
	"fmt"
	"slices"
	"testing"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
)

// Tournaments tests how tournaments are stored and settled.
func Tournaments(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"everything comes back", tournamentRoundTrip},
		{"a change writes what it lists", tournamentDelta},
		{"what a round was drawn up from", snapshots},
		{"entries change numbers", renumber},
		{"a stale change is refused", tournamentStale},
		{"of many changes on one version one wins", tournamentRace},
		{"only what has not started is deleted", tournamentDelete},
		{"a game counts for one pairing", oneGameOnePairing},
		{"a game is settled once", settle},
		{"settling and refusing go together", settleStale},
		{"of many that settle one game one does", settleRace},
		{"lists", listTournaments},
		{"history keeps its order", history},
		{"only the last act is taken back", actsOfPeople},
		{"an import is stored whole or not at all", importTournament},
		{"arenas that run", arenas},
		{"who plays", playing},
	})
}

// create stores an open tournament.
func create(t *testing.T, p Ports, id string) *tournament.Tournament {
	t.Helper()
	v := &tournament.Tournament{
		ID: id, Name: "Club night " + id, Variant: "quixo/duel", Status: tournament.Open, CreatedAt: 1000,
	}
	must(t, p.Tournaments.Create(t.Context(), v))
	return v
}

// save stores a change to a tournament and returns the stored tournament.
func save(t *testing.T, p Ports, v *tournament.Tournament, d tournament.Delta) *tournament.Tournament {
	t.Helper()
	next := *v
	next.Version++
	must(t, p.Tournaments.Save(t.Context(), &next, v.Version, d))
	return load(t, p, v.ID)
}

func load(t *testing.T, p Ports, id string) *tournament.Tournament {
	t.Helper()
	v, err := p.Tournaments.Load(t.Context(), id)
	must(t, err)
	return v
}

func tournamentRoundTrip(t *testing.T, p Ports) {
	var want tournament.Tournament
	fill(t, &want)
	for i := range want.Rounds {
		want.Rounds[i].Number = i + 1
		for j := range want.Rounds[i].Pairings {
			want.Rounds[i].Pairings[j].Board = j + 1
		}
	}
	for i := range want.Entries {
		want.Entries[i].Number = i + 1
	}
	must(t, p.Tournaments.Create(t.Context(), &want))
	equal(t, "version of a new tournament", want.Version, 1)
	equal(t, "created", load(t, p, want.ID), &want)

	var changed tournament.Tournament
	fill(t, &changed)
	id, created := want.ID, want.CreatedAt
	changed.Name = "another"
	changed.ID = id
	changed.CreatedAt = created
	changed.Version = 2
	changed.Entries, changed.Rounds = want.Entries, want.Rounds
	changed.Rated = false
	changed.AutoRounds = false
	changed.StartsAt = 0
	changed.Options = nil
	must(t, p.Tournaments.Save(t.Context(), &changed, 1, tournament.Delta{}))
	equal(t, "changed", load(t, p, id), &changed)

	_, err := p.Tournaments.Load(t.Context(), "nobody's")
	refused(t, "an unknown tournament", err, tournament.ErrNotFound)
	bare := &tournament.Tournament{ID: "bare"}
	must(t, p.Tournaments.Create(t.Context(), bare))
	equal(t, "a tournament with nothing in it", load(t, p, "bare"), bare)
	if err := p.Tournaments.Create(t.Context(), &tournament.Tournament{ID: "bare"}); err == nil {
		t.Error("the same id was created twice")
	}
}

func entry(i int) tournament.Entry {
	return tournament.Entry{
		ID: fmt.Sprintf("e%d", i), Name: fmt.Sprintf("Entry %d", i), Members: []string{fmt.Sprintf("p%d", i)},
		Rating: 1500 + float64(i)/3, Status: tournament.Registered,
	}
}

func pairing(board int, game string, seats ...string) tournament.Pairing {
	return tournament.Pairing{Board: board, Seats: seats, GameID: game, Games: 1}
}

func tournamentDelta(t *testing.T, p Ports) {
	v := create(t, p, "t")
	v = save(t, p, v, tournament.Delta{Entries: []tournament.Entry{entry(3), entry(1), entry(2)}})
	equal(t, "entries in order of registration", entryIDs(v), []string{"e3", "e1", "e2"})
	v = save(t, p, v, tournament.Delta{RemovedEntry: []string{"e1"}, Entries: []tournament.Entry{entry(4)}})
	equal(t, "one removed, one added", entryIDs(v), []string{"e3", "e2", "e4"})
	renamed := entry(3)
	renamed.Name, renamed.Members = "Renamed", []string{"p3", "p9"}
	v = save(t, p, v, tournament.Delta{Entries: []tournament.Entry{renamed}})
	equal(t, "one changed", v.Entries, []tournament.Entry{renamed, entry(2), entry(4)})

	v = save(t, p, v, tournament.Delta{RemovedEntry: []string{"e2"}})
	v = save(t, p, v, tournament.Delta{Entries: []tournament.Entry{entry(2), entry(5)}, Order: []string{"e3", "e2", "e4"}})
	equal(t, "one back in its place, beside a new one", entryIDs(v), []string{"e3", "e2", "e4", "e5"})
	v = save(t, p, v, tournament.Delta{Entries: []tournament.Entry{entry(6)}})
	v = save(t, p, v, tournament.Delta{RemovedEntry: []string{"e5", "e6"}})
	equal(t, "the others in their places", v.Entries, []tournament.Entry{renamed, entry(2), entry(4)})

	first := tournament.Round{Number: 1, Status: tournament.Paired, Pairings: []tournament.Pairing{
		pairing(1, "", "e3", "e2"), {Board: 2, Seats: []string{"e4"}, Bye: tournament.PairingAllocated},
	}}
	v = save(t, p, v, tournament.Delta{Rounds: []tournament.Round{first}})
	equal(t, "a round", v.Rounds, []tournament.Round{first})
	first.Status, first.PublishedAt = tournament.Published, 5000
	first.Pairings = []tournament.Pairing{pairing(1, "g1", "e2", "e3")}
	second := tournament.Round{Number: 2, Status: tournament.Paired}
	v = save(t, p, v, tournament.Delta{Rounds: []tournament.Round{first, second}})
	equal(t, "a round changed, with fewer boards, and another", v.Rounds, []tournament.Round{first, second})
	won := pairing(1, "g1", "e2", "e3")
	won.Result = &tournament.Result{
		Ranks: []int{1, 2}, Points: []tournament.Points{10, 0}, Source: tournament.ByServer, Reason: "line",
	}
	v = save(t, p, v, tournament.Delta{
		RemovedRounds: []int{2}, Pairings: []tournament.RoundPairing{{Round: 1, Pairing: won}},
		Changes: []tournament.Change{{Round: 1, Board: 1, After: won.Result, By: "server", At: 6000}},
	})
	first.Pairings[0] = won
	equal(t, "a result", v.Rounds, []tournament.Round{first})
	late := tournament.Pairing{Board: 2, Seats: []string{"e4"}, Bye: tournament.ZeroPoint, Scores: []tournament.Points{0}}
	v = save(t, p, v, tournament.Delta{Pairings: []tournament.RoundPairing{{Round: 1, Pairing: late}}})
	equal(t, "a board more", v.Rounds[0].Pairings, []tournament.Pairing{won, late})
	if err := p.Tournaments.Save(t.Context(), v, v.Version, tournament.Delta{
		Pairings: []tournament.RoundPairing{{Round: 7, Pairing: won}},
	}); err == nil {
		t.Error("a pairing of a round that is not there was stored")
	}
}

func snapshots(t *testing.T, p Ports) {
	v := create(t, p, "t")
	none := func(round int) {
		t.Helper()
		_, err := p.Tournaments.PairingInput(t.Context(), "t", round)
		refused(t, "no snapshot", err, tournament.ErrNotFound)
	}
	none(1)
	rounds := []tournament.Round{{Number: 1, Status: tournament.Complete}, {Number: 2, Status: tournament.Paired}}
	v = save(t, p, v, tournament.Delta{
		Rounds: rounds, Inputs: []tournament.PairingInput{{Round: 1, Text: "one"}, {Round: 2, Text: "two"}},
	})
	v = save(t, p, v, tournament.Delta{Rounds: rounds}) // a round written again keeps it
	got, err := p.Tournaments.PairingInput(t.Context(), "t", 1)
	must(t, err)
	equal(t, "snapshot", got, tournament.PairingInput{Round: 1, Text: "one"})
	v = save(t, p, v, tournament.Delta{RemovedRounds: []int{2}})
	none(2)
	none(3)
	save(t, p, v, tournament.Delta{Rounds: rounds[1:], Inputs: []tournament.PairingInput{{Round: 2, Text: "again"}}})
	got, err = p.Tournaments.PairingInput(t.Context(), "t", 2)
	must(t, err)
	equal(t, "snapshot of a round drawn up anew", got.Text, "again")
}

func entryIDs(v *tournament.Tournament) []string {
	var list []string
	for _, e := range v.Entries {
		list = append(list, e.ID)
	}
	return list
}

func renumber(t *testing.T, p Ports) {
	v := create(t, p, "t")
	const many = 450 // more than a statement takes
	entries := make([]tournament.Entry, many)
	for i := range entries {
		entries[i] = entry(i)
	}
	v = save(t, p, v, tournament.Delta{Entries: entries})
	for i := range entries {
		entries[i].Number = i + 1
	}
	v = save(t, p, v, tournament.Delta{Entries: entries})
	for i := range entries {
		entries[i].Number = many - i
	}
	late := entry(many)
	v = save(t, p, v, tournament.Delta{Entries: append(slices.Clone(entries), late)})
	slices.Reverse(entries)
	equal(t, "entries by number, those without behind", v.Entries, append(entries, late))
	taken := late
	taken.Number = 5
	if err := p.Tournaments.Save(t.Context(), v, v.Version,
		tournament.Delta{Entries: []tournament.Entry{taken}}); err == nil {
		t.Error("one number was given to two entries")
	}
	equal(t, "after the refusal", load(t, p, "t"), v)
}

func tournamentStale(t *testing.T, p Ports) {
	v := create(t, p, "t")
	now := save(t, p, v, tournament.Delta{Entries: []tournament.Entry{entry(1)}})
	late := *v
	late.Name, late.Version = "late", 2
	err := p.Tournaments.Save(t.Context(), &late, 1, tournament.Delta{Entries: []tournament.Entry{entry(2)}})
	refused(t, "a change on an old version", err, tournament.ErrStale)
	equal(t, "after the refusal", load(t, p, "t"), now)
	late.ID = "nobody's"
	refused(t, "no tournament", p.Tournaments.Save(t.Context(), &late, 1, tournament.Delta{}), tournament.ErrNotFound)
}

func tournamentRace(t *testing.T, p Ports) {
	v := create(t, p, "t")
	won := race(t, 16, tournament.ErrStale, func(i int) error {
		next := *v
		next.Version++
		return p.Tournaments.Save(t.Context(), &next, v.Version, tournament.Delta{Entries: []tournament.Entry{entry(i)}})
	})
	equal(t, "the winner's entry", load(t, p, "t").Entries, []tournament.Entry{entry(won)})
}

func tournamentDelete(t *testing.T, p Ports) {
	v := create(t, p, "t")
	v = save(t, p, v, tournament.Delta{Entries: []tournament.Entry{entry(1)}})
	refused(t, "an old version", p.Tournaments.Delete(t.Context(), "t", 1), tournament.ErrStale)
	must(t, p.Tournaments.Delete(t.Context(), "t", v.Version))
	_, err := p.Tournaments.Load(t.Context(), "t")
	refused(t, "what was deleted", err, tournament.ErrNotFound)
	refused(t, "a second time", p.Tournaments.Delete(t.Context(), "t", v.Version), tournament.ErrNotFound)
	again := create(t, p, "t")
	equal(t, "the id anew", load(t, p, "t").Entries, nil)
	again.Status = tournament.Running
	again = save(t, p, again, tournament.Delta{})
	refused(t, "a running one", p.Tournaments.Delete(t.Context(), "t", again.Version), tournament.ErrState)
}

func oneGameOnePairing(t *testing.T, p Ports) {
	v := create(t, p, "t")
	v = save(t, p, v, tournament.Delta{Rounds: []tournament.Round{
		{Number: 1, Pairings: []tournament.Pairing{pairing(1, "g1", "e1", "e2"), pairing(2, "", "e3", "e4"), pairing(3, "", "e5")}},
	}})
	again := tournament.Delta{Pairings: []tournament.RoundPairing{{Round: 1, Pairing: pairing(2, "g1", "e3", "e4")}}}
	next := *v
	next.Version++
	if err := p.Tournaments.Save(t.Context(), &next, v.Version, again); err == nil {
		t.Error("one game was stored for two pairings")
	}
	equal(t, "after the refusal", load(t, p, "t"), v)
}

func listTournaments(t *testing.T, p Ports) {
	var want []string
	for i := range 9 {
		v := &tournament.Tournament{
			ID: fmt.Sprintf("t%d", i), Name: "Name", Variant: "quixo/duel", Format: tournament.Swiss,
			CreatedAt: int64(1000 + i/2),
			Status:    tournament.Open, Organiser: "ann", RoundCount: 5, TimeControl: "300",
			Entries: []tournament.Entry{entry(i), entry(100)}, Rounds: []tournament.Round{{Number: 1}, {Number: 2}},
		}
		if i == 3 {
			v.Status = tournament.Running
			v.Variant = "quits/duel"
			v.Organiser = "bob"
		}
		must(t, p.Tournaments.Create(t.Context(), v))
		want = append(want, v.ID)
	}
	slices.Reverse(want)
	var got []string
	for cursor, page := "", 0; ; page++ {
		list, next, err := p.Tournaments.List(t.Context(), director.Filter{}, 4, cursor)
		must(t, err)
		got = append(got, summaryIDs(list)...)
		cursor = next
		if next == "" || page > len(want) {
			break
		}
	}
	equal(t, "all pages", got, want)
	for name, c := range map[string]struct {
		f    director.Filter
		want []string
	}{
		"status":    {director.Filter{Status: []tournament.Status{tournament.Running, tournament.Draft}}, []string{"t3"}},
		"variant":   {director.Filter{Variant: "quits/duel"}, []string{"t3"}},
		"organiser": {director.Filter{Organiser: "bob"}, []string{"t3"}},
		"player":    {director.Filter{Player: "p7"}, []string{"t7"}},
		"nobody":    {director.Filter{Player: "zoe"}, nil},
	} {
		list, _, err := p.Tournaments.List(t.Context(), c.f, 10, "")
		must(t, err)
		equal(t, name, summaryIDs(list), c.want)
	}
	list, _, err := p.Tournaments.List(t.Context(), director.Filter{Organiser: "bob"}, 10, "")
	must(t, err)
	equal(t, "summary", list, []director.Summary{{
		ID: "t3", Name: "Name", Variant: "quits/duel", Games: []string{"quits/duel"}, Format: tournament.Swiss, Status: tournament.Running,
		TimeControl: "300", Entries: 2, Round: 2, RoundCount: 5, CreatedAt: 1001, Organiser: "bob",
	}})
	sortTournaments(t, p)
	running, err := p.Tournaments.Running(t.Context())
	must(t, err)
	equal(t, "running", running, []string{"t3"})
	save(t, p, load(t, p, "t3"), tournament.Delta{RemovedRounds: []int{2}, RemovedEntry: []string{"e3"}})
	list, _, err = p.Tournaments.List(t.Context(), director.Filter{Organiser: "bob"}, 10, "")
	must(t, err)
	equal(t, "counts after a change", [2]int{list[0].Entries, list[0].Round}, [2]int{1, 1})
}

// sortTournaments lists tournaments in the orders that readers choose, from pages of two. Names that differ in case
// alone are equal, a later stage has the later date, and equals are sorted by id.
func sortTournaments(t *testing.T, p Ports) {
	t.Helper()
	for i, v := range []tournament.Tournament{
		{Name: "beta", StartsAt: 4000},
		{Name: "Alpha", StartsAt: 9000, StartedAt: 5000},
		{Name: "ALPHA", StartsAt: 9000, StartedAt: 1000, FinishedAt: 8000},
		{Name: "alpha", StartedAt: 5000},
		{Name: "Gamma, \"O'Neill\" %_", CreatedAt: 4500},
	} {
		v.ID = fmt.Sprintf("s%d", i)
		v.Variant = "quixo/duel"
		v.Format = tournament.Swiss
		v.TimeControl = "300"
		v.Status, v.Organiser = tournament.Archived, "sorter"
		must(t, p.Tournaments.Create(t.Context(), &v))
	}
	archived := director.Filter{Status: []tournament.Status{tournament.Archived}}
	for order, want := range map[director.ListOrder][]string{
		director.ByName: {"s1", "s2", "s3", "s0", "s4"},
		director.ByDate: {"s2", "s3", "s1", "s4", "s0"},
	} {
		archived.Order = order
		var got []string
		cursor := ""
		for range want {
			list, next, err := p.Tournaments.List(t.Context(), archived, 2, cursor)
			must(t, err)
			got = append(got, summaryIDs(list)...)
			cursor = next
			if next == "" {
				break
			}
			_, _, err = p.Tournaments.List(t.Context(), director.Filter{Status: archived.Status, Order: 3 - order}, 2, next)
			invalidCursor(t, next, err)
		}
		equal(t, fmt.Sprint("order ", order), got, want)
	}
}

func summaryIDs(list []director.Summary) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.ID)
	}
	return out
}

func history(t *testing.T, p Ports) {
	v := create(t, p, "t")
	create(t, p, "other")
	var want []tournament.Change
	for i := range 5 {
		var c tournament.Change
		fill(t, &c)
		c.Why = fmt.Sprint("reason ", i)
		if i%2 == 0 {
			c.Said = sentence.New("reason %d", i).Stored()
		}
		if i == 0 {
			c.Before = nil
		}
		v = save(t, p, v, tournament.Delta{Changes: []tournament.Change{c}})
		want = append(want, c)
	}
	got, err := p.Tournaments.History(t.Context(), "t")
	must(t, err)
	equal(t, "history", got, want)
	got, err = p.Tournaments.History(t.Context(), "other")
	must(t, err)
	equal(t, "another's history", len(got), 0)
}

func actsOfPeople(t *testing.T, p Ports) {
	v := create(t, p, "t")
	create(t, p, "other")
	acts := make([]tournament.Act, 3)
	for i := range acts {
		fill(t, &acts[i])
		acts[i].Version = int64(i + 2)
	}
	acts[2].By, acts[2].Undo = tournament.ServerAccount, ""
	for _, a := range acts {
		v = save(t, p, v, tournament.Delta{Acts: []tournament.Act{a}})
	}
	got, err := p.Tournaments.Acts(t.Context(), "t")
	must(t, err)
	acts[0].Undo = ""
	equal(t, "acts", got, acts)
	got, err = p.Tournaments.Acts(t.Context(), "other")
	must(t, err)
	equal(t, "another's acts", len(got), 0)
}

func importTournament(t *testing.T, p Ports) {
	ctx := t.Context()
	want := &tournament.Tournament{
		ID: "i", Name: "Begun elsewhere", Variant: "quixo/duel", Status: tournament.Running, CreatedAt: 1000,
		Entries: []tournament.Entry{entry(1), entry(2)},
		Rounds: []tournament.Round{
			{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{pairing(1, "", "e1", "e2")}},
		},
	}
	with := director.Imported{
		Players:  []club.Player{{ID: "p1", Name: "Ada", BirthYear: 1990, CreatedBy: "olga", CreatedAt: 1000, Version: 1}},
		Original: exchange.Original{Text: []byte("012 K\xf6ln\r\n\x00"), Entries: []string{"e2", "e1"}},
		Act: tournament.Act{
			Version: 1, Kind: tournament.ActImport, By: "olga", At: 1000,
			Round: 1,
		}.Because(sentence.New("%d entries", 2)),
	}
	must(t, p.Tournaments.Import(ctx, want, with))
	equal(t, "the tournament", load(t, p, "i"), want)
	original, err := p.Tournaments.Original(ctx, "i")
	must(t, err)
	equal(t, "the file", *original, with.Original)
	acts, err := p.Tournaments.Acts(ctx, "i")
	must(t, err)
	equal(t, "the act", acts, []tournament.Act{with.Act})
	ada, err := p.Players.Player(ctx, "p1")
	must(t, err)
	equal(t, "a player who was made", ada.Name, "Ada")

	again := *want
	again.ID = "j"
	if err := p.Tournaments.Import(ctx, &again, with); err == nil {
		t.Error("a player was made twice")
	}
	_, err = p.Tournaments.Load(ctx, "j")
	refused(t, "a tournament whose players could not be made", err, tournament.ErrNotFound)
	_, err = p.Tournaments.Original(ctx, "j")
	refused(t, "its file", err, tournament.ErrNotFound)

	must(t, p.Tournaments.Delete(ctx, "i", 1))
	_, err = p.Tournaments.Original(ctx, "i")
	refused(t, "the file of one that was deleted", err, tournament.ErrNotFound)
}
