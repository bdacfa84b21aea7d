package harness

// RateEveryGame is a ratings.json by which every casual game counts, however short it is and however often the same two
// meet. Games that measure or test a server are like that.
const RateEveryGame = `{"lists": [{"list": "*", "system": "elo-club", "casual": {"pair_day": 0, "pair_month": 0, "moves": 0}}]}`
