package harness

// RateEveryGame is a ratings.json that lets every casual game count, however short it is and however often the same two
// meet, as in tests and measurements of a server.
const RateEveryGame = `{"lists": [{"list": "*", "system": "elo-club", "casual": {"pair_day": 0, "pair_month": 0, "moves": 0}}]}`
