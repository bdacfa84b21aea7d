package command

import (
	"fmt"

	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/exact"
	"quatuor/tournament/series"
)

// ApplySeries changes what a patch has.
func ApplySeries(s *series.Settings, p gen.SeriesPatch) error {
	Set(&s.Name, p.Name)
	Set(&s.Rules.Best, p.Best)
	Set(&s.Rules.Least, p.Least)
	if p.Source != nil {
		s.Rules.Source = series.Source(*p.Source)
	}
	if p.Table != nil {
		s.Rules.Table = nil
		for k, text := range *p.Table {
			points, err := exact.ParseDecimal(text)
			if err != nil {
				return tournament.Fault(fmt.Sprintf("table/%d", k), "%q is no number", text)
			}
			s.Rules.Table = append(s.Rules.Table, points)
		}
	}
	if p.Events == nil {
		return nil
	}
	s.Parts = nil
	for k, e := range *p.Events {
		part := series.Part{Tournament: e.TournamentID, Factor: exact.Whole(1)}
		if e.Factor != nil {
			var err error
			if part.Factor, err = exact.ParseDecimal(*e.Factor); err != nil {
				return tournament.Fault(fmt.Sprintf("events/%d/factor", k), "%q is no number", *e.Factor)
			}
		}
		s.Parts = append(s.Parts, part)
	}
	return nil
}

// ApplySeason changes what a patch has.
func ApplySeason(s *series.Season, p gen.SeasonPatch) error {
	as := series.Settings{Name: s.Name, Rules: s.Rules}
	if err := ApplySeries(&as, gen.SeriesPatch{Name: p.Name, Table: p.Table, Best: p.Best, Least: p.Least}); err != nil {
		return err
	}
	s.Name, s.Rules = as.Name, as.Rules
	Set(&s.From, p.From)
	Set(&s.To, p.To)
	if p.Parts == nil {
		return nil
	}
	s.Parts = nil
	for k, sent := range *p.Parts {
		part := series.SeasonPart{Kind: series.PartKind(sent.Kind), ID: sent.ID, Weight: exact.Whole(1)}
		Set(&part.Number, sent.Season)
		if sent.Weight != nil {
			var err error
			if part.Weight, err = exact.ParseDecimal(*sent.Weight); err != nil {
				return tournament.Fault(fmt.Sprintf("parts/%d/weight", k), "%q is no number", *sent.Weight)
			}
		}
		s.Parts = append(s.Parts, part)
	}
	return nil
}
