package command

import (
	"fmt"
	"math"
	"slices"
	"time"

	"quatuor/api/gen"
	"quatuor/engine/catalog"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// Offer is the choice of settings here.
type Offer struct {
	Variants []string // ids; nil for all
	points   func(tournament.Settings) tournament.PointSystem
}

// Has reports whether a variant is played here.
func (o Offer) Has(id string) bool {
	return slices.Contains(catalog.IDs(), id) && (o.Variants == nil || slices.Contains(o.Variants, id))
}

// Check refuses variants that are not on offer.
func (o Offer) Check(id string) error {
	if o.Has(id) {
		return nil
	}
	if _, err := catalog.Find(id); err != nil {
		return tournament.Fault("variant", "%v", err)
	}
	return tournament.Fault("variant", "%q is not played here", id)
}

// Apply changes the settings by a patch. What it leaves out stays, or becomes the usual where another format or game
// has another meaning for it.
func (o Offer) Apply(to *tournament.Settings, p gen.TournamentPatch) error {
	if p.Variant != nil {
		if err := o.Check(*p.Variant); err != nil {
			return err
		}
		if to.Variant != *p.Variant {
			to.Variant = *p.Variant
			to.Rules.Tables.Sizes, to.Rules.Tables.Preferred = 0, 0 // another game has other tables
		}
	}
	if p.Format != nil && tournament.Format(*p.Format) != to.Format {
		to.SetFormat(tournament.Format(*p.Format))
		to.TieBreaks = standings.Default(to.Format)
	}
	Set(&to.Name, p.Name)
	Set(&to.RoundCount, p.Rounds)
	Set(&to.TimeControl, p.TimeControl)
	Set(&to.Rated, p.Rated)
	Set(&to.AutoRounds, p.AutoRounds)
	Set(&to.MaxEntries, p.MaxEntries)
	Set(&to.TieBreaks, p.TieBreaks)
	if p.Options != nil {
		to.Options = *p.Options
	}
	if p.Venue != nil {
		to.Venue = tournament.Venue(*p.Venue)
	}
	if p.StartsAt != nil {
		at, err := ReadMoment(*p.StartsAt, "/starts_at")
		if err != nil {
			return err
		}
		to.StartsAt = at
	}
	applyRules(&to.Rules, p.Pairing)
	if err := applyKeizer(&to.Rules.Keizer, p.Pairing); err != nil {
		return err
	}
	applyArena(&to.Rules.Arena, p.Pairing)
	if err := applyTeams(to, p.Teams); err != nil {
		return err
	}
	applyPlay(&to.Play, p.Play)
	return o.applyPoints(to, p.Points)
}

// Set puts a value into a target; nil changes nothing.
func Set[T any](target, value *T) {
	if value != nil {
		*target = *value
	}
}

// ReadMoment parses a time in any zone, 0 from an empty text; pointer is its place in the body, for errors.
func ReadMoment(text, pointer string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, Invalid(pointer, fmt.Sprintf("%q is not a time; write it like 2026-03-01T18:30:00Z", text))
	}
	return t.UnixMilli(), nil
}

// applyRules puts what was sent into the rules of pairing; what was left out stays.
func applyRules(r *tournament.PairingRules, sent *gen.PairingSettings) {
	if sent == nil {
		return
	}
	if sent.Acceleration != nil {
		r.Acceleration = tournament.NoAcceleration
		if *sent.Acceleration != gen.None {
			r.Acceleration = tournament.Acceleration(*sent.Acceleration)
		}
	}
	if sent.InitialColour != nil {
		r.InitialColour = map[gen.PairingSettingsInitialColour]tournament.Colour{
			gen.White: tournament.White, gen.Black: tournament.Black, gen.ByLot: 0,
		}[*sent.InitialColour]
	}
	Set(&r.FullPointByes, sent.FullPointByes)
	if sent.HalfPointByes != nil {
		r.SetMaxHalfPointByes(*sent.HalfPointByes)
	}
	Set(&r.Varma, sent.Varma)
	if sent.Reasons != nil {
		r.HideReasons = *sent.Reasons == gen.Staff
	}
	if sent.Adjourned != nil {
		r.AdjournedDraw = *sent.Adjourned == gen.Draw
	}
	if sent.MissedRounds != nil {
		r.MissedRounds = tournament.Bye(*sent.MissedRounds)
	}
	applyTables(&r.Tables, sent.Tables)
	Set(&r.Match.ThirdPlace, sent.ThirdPlace)
	Set(&r.Match.Replays, sent.Replays)
	Set(&r.Match.TieBreakGames, sent.TieBreakGames)
	Set(&r.Match.TieBreakControl, sent.TieBreakTimeControl)
	if sent.Decision != nil {
		r.Match.Decision = tournament.Decision(*sent.Decision)
	}
}

// applyKeizer puts what was sent into the rules of a Keizer season; what was left out stays.
func applyKeizer(r *tournament.KeizerRules, pairing *gen.PairingSettings) error {
	if pairing == nil || pairing.Keizer == nil {
		return nil
	}
	sent := pairing.Keizer
	Set(&r.Top, sent.Top)
	Set(&r.Absences, sent.Absences)
	Set(&r.Gap, sent.Gap)
	Set(&r.Meetings, sent.Meetings)
	Set(&r.Close, sent.Close)
	if sent.Silence != nil {
		r.Silence = tournament.Silence(*sent.Silence)
	}
	if sent.Own != nil {
		tenths := math.Round(*sent.Own * 10)
		if math.Abs(*sent.Own*10-tenths) > 1e-6 {
			return Invalid("/pairing/keizer/own", "it has one decimal at most")
		}
		r.Own = tournament.Points(tenths)
	}
	return nil
}

// applyArena puts what was sent into the rules of an arena; what was left out stays.
func applyArena(r *tournament.ArenaRules, pairing *gen.PairingSettings) {
	if pairing == nil || pairing.Arena == nil {
		return
	}
	sent := pairing.Arena
	Set(&r.Length, sent.Length)
	Set(&r.Tick, sent.Tick)
	Set(&r.Patience, sent.Patience)
	Set(&r.Grace, sent.Grace)
	Set(&r.Berserk, sent.Berserk)
	Set(&r.BerserkMoves, sent.BerserkMoves)
	Set(&r.Boards, sent.Boards)
}

// applyPlay puts what was sent into the regulations for play; what was left out stays.
func applyPlay(r *tournament.PlayRules, sent *gen.PlayRules) {
	if sent == nil {
		return
	}
	Set(&r.NoShowMs, sent.NoShowMs)
	Set(&r.NoShows, sent.NoShows)
	Set(&r.DelayMoves, sent.DelayMoves)
	Set(&r.DelayMs, sent.DelayMs)
	Set(&r.Takebacks, sent.Takebacks)
	Set(&r.Bots, sent.Bots)
}

// applyTables puts what was sent into the rules of tables; what was left out stays.
func applyTables(r *tournament.TableRules, sent *gen.TableSettings) {
	if sent == nil {
		return
	}
	if sent.Sizes != nil {
		r.Sizes = tournament.SizesOf(*sent.Sizes...)
		if !r.Sizes.Has(r.Preferred) {
			r.Preferred = 0 // the usual size
		}
	}
	Set(&r.Preferred, sent.Preferred)
	if sent.Meetings != nil {
		r.MeetingsSecond = string(*sent.Meetings) == "second"
	}
	Set(&r.Clubs, sent.Clubs)
	if sent.Seeding != nil {
		r.Unseeded = string(*sent.Seeding) == "off"
	}
	if sent.Partners != nil {
		rotate := string(*sent.Partners) == "rotate"
		if rotate != r.Rotate {
			r.Rotate = rotate
			r.Sizes = 0
			r.Preferred = 0
		}
	}
	Set(&r.Short, sent.ShortTables)
}

// applyPoints puts what was sent into the points. What was left out stays, or in new settings is the format's usual
// value; see [tournament.PointSystem.With].
func (o Offer) applyPoints(to *tournament.Settings, sent *gen.PointSystem) error {
	if sent == nil {
		return nil
	}
	if sent.Places != nil {
		if err := applyPlaces(to, *sent.Places); err != nil {
			return err
		}
	}
	one := *sent
	one.Places = nil
	if one == (gen.PointSystem{}) {
		return nil
	}
	var given tournament.GivenPoints
	refusal := &Refusal{Err: ErrInvalid}
	for _, one := range []struct {
		name   string
		target **tournament.Points
		value  *gen.PointsValue
	}{
		{"win", &given.Win, sent.Win},
		{"draw", &given.Draw, sent.Draw},
		{"loss", &given.Loss, sent.Loss},
		{"forfeit_win", &given.ForfeitWin, sent.ForfeitWin},
		{"forfeit_loss", &given.ForfeitLoss, sent.ForfeitLoss},
		{"bye", &given.Bye, sent.Bye},
	} {
		if one.value == nil {
			continue
		}
		tenths := math.Round(*one.value * 10)
		if math.Abs(*one.value*10-tenths) > 1e-6 {
			refusal.add("/points/"+one.name, "points have one decimal at most")
		}
		points := tournament.Points(tenths)
		*one.target = &points
	}
	if err := refusal.or(); err != nil {
		return err
	}
	to.Points = o.points(*to).With(given)
	return nil
}

// applyPlaces replaces the points for places at tables.
func applyPlaces(s *tournament.Settings, lists gen.PlaceLists) error {
	refusal := &Refusal{Err: ErrInvalid}
	s.Points.Places = tournament.PlacePoints{}
	for i, list := range lists {
		if at := s.Points.Places[len(list)-3]; at != ([5]tournament.Points{}) {
			refusal.add(fmt.Sprintf("/points/places/%d", i), "there are two lists of this length")
		}
		for k, v := range list {
			tenths := math.Round(v * 10)
			if math.Abs(v*10-tenths) > 1e-6 {
				refusal.add(fmt.Sprintf("/points/places/%d/%d", i, k), "points have one decimal at most")
			}
			s.Points.Places[len(list)-3][k] = tournament.Points(tenths)
		}
	}
	return refusal.or()
}
