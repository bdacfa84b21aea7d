package tournament

import (
	"crypto/sha256"
	"encoding/hex"
)

// MaxRecord is the maximum length of a record of a game in the hall, in bytes.
const MaxRecord = 64 << 10

// RecordText is the record of a game in the hall, as text. It is stored under its digest and never changes, so that a
// pairing need only name it, and an undo brings it back.
type RecordText struct {
	Digest string // as [NewRecordText] computes it
	Text   string
}

// NewRecordText returns a record with its digest: the SHA-256 of the text, as 64 hex digits.
func NewRecordText(text string) RecordText {
	sum := sha256.Sum256([]byte(text))
	return RecordText{Digest: hex.EncodeToString(sum[:]), Text: text}
}

// SetRecord attaches a record to a game in the hall that has a result, or replaces the one that it has; "" removes it.
// Whether the moves are legal and lead to the result must have been judged before; see [Tournament.Recordable]. If the
// pairing has the same record already, it returns t itself.
func (t *Tournament) SetRecord(round, board int, text string) (*Tournament, Delta, error) {
	if text != "" {
		if _, err := t.Recordable(round, board); err != nil {
			return nil, Delta{}, err
		}
	}
	p, err := t.playable(round, board)
	if err != nil {
		return nil, Delta{}, err
	}
	r := RecordText{}
	if text != "" {
		r = NewRecordText(text)
	}
	if p.Record == r.Digest {
		return t, Delta{}, nil
	}
	next, delta := t.withPairing(round, board, nil, func(p *Pairing) { p.Record = r.Digest })
	if text != "" {
		delta.Records = []RecordText{r}
	}
	return next, delta, nil
}

// Recordable returns the ranks by seat of the game that a record of a pairing must lead to, or an error if the pairing
// takes no record: it is not played in the hall, has no players, or has no result of a game that was played.
func (t *Tournament) Recordable(round, board int) (ranks []int, err error) {
	p, err := t.playable(round, board)
	switch {
	case err != nil:
		return nil, err
	case p.GameID != "":
		return nil, Refuse(ErrState, "board %d is played on the server, which records the game itself", board)
	case p.HallGame == "":
		return nil, Refuse(ErrState, "an entry at board %d has no player; a record needs one for every seat", board)
	case p.Result == nil:
		return nil, Refuse(ErrState, "board %d has no result yet; enter it first, then add the record", board)
	case p.Result.Forfeit:
		return nil, Refuse(ErrState, "the game at board %d was not played", board)
	}
	return t.GameRanks(p), nil
}

// GameRanks returns the ranks of a pairing's result by seat of its game: partners share theirs. It is nil without a result.
func (t *Tournament) GameRanks(p Pairing) []int {
	if p.Result == nil || p.Result.Ranks == nil {
		return nil
	}
	seats := len(t.Players(p))
	ranks := make([]int, 0, seats)
	for places := p.Result.Verdict().Places(); len(ranks) < seats; {
		ranks = append(ranks, places...)
	}
	return ranks[:seats]
}
