package tournament

// Prizes are what is to be won, as the organiser has set it; package prizes hands them out.
type Prizes struct {
	Sharing    string // what those who are tied get, as package prizes names it; "" for no prizes
	Unit       int64  // amounts are multiples of it; 0 stands for 1
	Several    bool   // somebody may win in several categories
	Categories []PrizeCategory
}

// PrizeCategory is a list of prizes and who may win them. Limits that are 0 or empty exclude nobody.
type PrizeCategory struct {
	Name                 string
	Prizes               []Prize // by place, none of more money than the one before
	RatingFrom, RatingTo float64 // both included
	Unrated              bool    // those without a rating belong to the band, too
	AgeFrom, AgeTo       int     // in years, both included
	Clubs                []string
}

// Prize is what a place brings: money, something else, or both.
type Prize struct {
	Amount int64  // in the smallest coin
	Text   string // such as "a cup"; "" for none
}

// SetPrizes says what is to be won, in place of what was said before; package prizes has checked it.
func (t *Tournament) SetPrizes(p Prizes) (*Tournament, Delta, error) {
	if t.Status == Archived {
		return nil, Delta{}, Refuse(ErrState, "the tournament is archived and changes no more")
	}
	next := *t
	next.Prizes = p
	return &next, Delta{}, nil
}
