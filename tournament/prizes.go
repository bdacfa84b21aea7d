package tournament

// Prizes are the prizes of a tournament, as the organiser has set them; package prizes awards them.
type Prizes struct {
	Sharing    string // how tied entries share, as package prizes names it; "" for no prizes
	Unit       int64  // amounts are multiples of it; 0 stands for 1
	Several    bool   // an entry may win prizes of several categories
	Categories []PrizeCategory
}

// PrizeCategory is a list of prizes and the conditions for winning them. Limits that are 0 or empty are not checked.
type PrizeCategory struct {
	Name                 string
	Prizes               []Prize // by place, in descending order of money
	RatingFrom, RatingTo float64 // both included
	Unrated              bool    // entries without a rating may win, too
	AgeFrom, AgeTo       int     // in years, both included
	Clubs                []string
}

// Prize is the prize of one place: money, something else, or both.
type Prize struct {
	Amount int64  // in the smallest coin
	Text   string // such as "a cup"; "" for none
}

// SetPrizes replaces the prizes. The caller has checked them with package prizes.
func (t *Tournament) SetPrizes(p Prizes) (*Tournament, Delta, error) {
	if t.Status == Archived {
		return nil, Delta{}, Refuse(ErrState, "the tournament is archived and can no longer change")
	}
	next := *t
	next.Prizes = p
	return &next, Delta{}, nil
}
