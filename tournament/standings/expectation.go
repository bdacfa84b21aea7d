package standings

import "slices"

// farthest is the rating difference that makes the stronger sure to win; it is also the difference for scores of 0 and
// 100 %.
const farthest = 800

// steps are the smallest rating differences with an expected score of the stronger of 50, 51, … 100 % (FIDE Rating
// Regulations B.02, 8.1.2).
var steps = [...]int64{
	0, 4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163, 171, 180, 189,
	198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457, 485, 518, 560,
	620, 736,
}

// expectation is PD: the expected score in a game, in per cent, for this advantage in rating (negative if weaker). It
// has no limit at 400.
func expectation(stronger int64) int64 {
	if stronger < 0 {
		return 100 - expectation(-stronger)
	}
	i, found := slices.BinarySearch(steps[:], stronger)
	if !found {
		i--
	}
	return 50 + int64(i)
}

// differences are the differences of ratings that go with scores of 50, 51, … 100 % (B.02, 8.1.1).
var differences = [...]int64{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
	202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
	677, farthest,
}

// difference is dp: the advantage in rating over the opponents for this share of the points, in per cent.
func difference(share int64) int64 {
	if share < 50 {
		return -differences[50-share]
	}
	return differences[share-50]
}

// Expectation returns the expected score in a game, in hundredths, for this advantage in rating (B.02, 8.1.2), without a
// limit at 400.
func Expectation(advantage int) int { return int(expectation(int64(advantage))) }
