package command

import (
	"cmp"
	"time"

	"quatuor/api/gen"
	"quatuor/tournament"
)

// SettingsView shows a tournament's settings, as part of a tournament: the rules of pairing that its format has, or
// all rules, for forms with a choice of the format.
func SettingsView(s tournament.Settings, every bool) gen.Tournament {
	v := gen.Tournament{
		Name: s.Name, Variant: s.Variant, Format: gen.ShownFormat(s.Format), Rounds: optional(s.RoundCount),
		TimeControl: s.TimeControl, Options: Options(s.Options), TieBreaks: s.TieBreaks, Points: pointsView(s.Points),
		Pairing: rulesView(s, every), Teams: teamsView(s.Teams, every || s.Format.Eliminates()), Play: playView(s.Play), Rated: s.Rated,
		Venue: gen.Venue(cmp.Or(s.Venue, tournament.OnServer)), AutoRounds: s.AutoRounds,
		StartsAt: OptionalMoment(s.StartsAt), MaxEntries: optional(s.MaxEntries),
	}
	if v.TieBreaks == nil {
		v.TieBreaks = []string{}
	}
	return v
}

func rulesView(s tournament.Settings, every bool) *gen.PairingRules {
	r, f := s.Rules, s.Format
	v := &gen.PairingRules{Reasons: either(r.HideReasons, gen.Staff, gen.Public)}
	if every || f.Accelerates() {
		v.Acceleration = either(r.Acceleration != tournament.NoAcceleration, string(r.Acceleration), string(gen.None))
	}
	if every || f.DrawsColour() {
		v.InitialColour = optional(map[tournament.Colour]string{
			tournament.White: string(gen.White), tournament.Black: string(gen.Black),
		}[r.InitialColour])
	}
	if every || f.Decides() {
		m := r.Match
		if !f.Decides() {
			m = tournament.DefaultKnockoutRules(tournament.Knockout)
		}
		v.Replays, v.TieBreakGames = &m.Replays, &m.TieBreakGames
		v.TieBreakTimeControl, v.Decision = optional(m.TieBreakControl), new(string(m.Decision))
	}
	if every || f.Eliminates() {
		v.ThirdPlace = &r.Match.ThirdPlace
	}
	if every || f.PointByes() {
		v.FullPointByes, v.HalfPointByes = &r.FullPointByes, new(r.MaxHalfPointByes())
		v.MissedRounds = either(r.MissedRounds != tournament.NoBye, string(r.MissedRounds), string(tournament.ZeroPoint))
	}
	if every || f.RoundRobin() {
		v.Varma = &r.Varma
	}
	if every || f.Adjourns() {
		v.Adjourned = either(r.AdjournedDraw, gen.Draw, gen.Wait)
	}
	if every || f.ByEvenings() {
		v.Keizer = keizerView(r.Keizer, f)
	}
	if every || f.Continuous() {
		v.Arena = arenaView(r.Arena, f)
	}
	if every || f.Tables() || r.Tables.Sizes != 0 {
		v.Tables = tablesView(r.Tables, every || f.DrawsTables())
	}
	return v
}

func keizerView(r tournament.KeizerRules, f tournament.Format) *gen.KeizerRules {
	if !f.ByEvenings() {
		r = tournament.DefaultKeizerRules(tournament.Keizer)
	}
	return &gen.KeizerRules{
		Top: &r.Top, Own: new(gen.PointsValue(r.Own) / 10), Absences: &r.Absences, Gap: &r.Gap, Meetings: &r.Meetings,
		Close: &r.Close, Silence: new(string(r.Silence)),
	}
}

func arenaView(r tournament.ArenaRules, f tournament.Format) *gen.ArenaRules {
	if !f.Continuous() {
		r = tournament.DefaultArenaRules(tournament.Arena)
	}
	return &gen.ArenaRules{
		Length: &r.Length, Tick: &r.Tick, Patience: &r.Patience, Grace: &r.Grace, Berserk: &r.Berserk,
		BerserkMoves: &r.BerserkMoves, Boards: &r.Boards,
	}
}

// tablesView returns the rules of tables, and with swiss those of a Swiss at tables.
func tablesView(r tournament.TableRules, swiss bool) *gen.TableRules {
	v := &gen.TableRules{Sizes: new(r.Sizes.List()), Preferred: &r.Preferred, ShortTables: &r.Short}
	if swiss {
		v.Meetings, v.Clubs = either(r.MeetingsSecond, gen.Second, gen.First), &r.Clubs
		v.Seeding, v.Partners = either(r.Unseeded, "off", "balanced"), either(r.Rotate, "rotate", "off")
	}
	return v
}

func playView(r tournament.PlayRules) *gen.PlayRules {
	return &gen.PlayRules{
		NoShowMs: &r.NoShowMs, NoShows: &r.NoShows, DelayMoves: &r.DelayMoves, DelayMs: &r.DelayMs,
		Takebacks: &r.Takebacks, Bots: &r.Bots,
	}
}

func pointsView(p tournament.PointSystem) gen.PointSystem {
	value := func(p tournament.Points) *gen.PointsValue { return new(float64(p) / 10) }
	return gen.PointSystem{
		Win: value(p.Win), Draw: value(p.Draw), Loss: value(p.Loss), ForfeitWin: value(p.ForfeitWin),
		ForfeitLoss: value(p.ForfeitLoss), Bye: value(p.Bye), Places: placesView(p.Places),
	}
}

// placesView shows the points for places at tables if they are not as usual; nil for none.
func placesView(p tournament.PlacePoints) *gen.PlaceLists {
	var out gen.PlaceLists
	for i, list := range p {
		if list == ([5]tournament.Points{}) {
			continue
		}
		values := make(gen.PlaceList, i+3)
		for k := range values {
			values[k] = float64(list[k]) / 10
		}
		out = append(out, values)
	}
	if out == nil {
		return nil
	}
	return &out
}

// Options spells no options as an empty object: the member is always there.
func Options(chosen map[string]string) gen.Options {
	if chosen == nil {
		return gen.Options{}
	}
	return chosen
}

// either returns the first of two words if on, else the second.
func either[T ~string](on bool, first, second T) *string {
	if on {
		return new(string(first))
	}
	return new(string(second))
}

// optional leaves out a zero value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Moment writes a time in ms since 1970 as the contract does: RFC 3339 in UTC with milliseconds.
func Moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

// OptionalMoment leaves out a time that has not come.
func OptionalMoment(ms int64) *string {
	if ms == 0 {
		return nil
	}
	return new(Moment(ms))
}
