package seatplan

import "strings"

// thirtyTwo is a plan of ten rounds without a second meeting for 32 players at tables of four, the greatest possible
// number of rounds (A. Aguado: "A 10 Days Solution to the Social Golfer Problem", 2004). A to P are players 1 to 16, a
// to p 17 to 32.
const thirtyTwo = `
ABCD EFGH IJKL MNOP abcd efgh ijkl mnop
AEIm BcgH DFKp dfkP aeiM bCGh jLNo JlnO
Aflo Bhkm DGiN aFLO bHKM CeJP cEjp dgIn
AciL BdjK bDJk FgoP fGOp aCIl EhMn eHmN
AgKN BElP DHIo dhiO beLp Cfjm cFJM aGkn
AhJp BFin cDmO bfIN eGKl CdMo EgkL aHjP
AdeF BGJo aDEf chlN iKmP CHLn bgjO IkMp
AbnP aBNp DglM ceko fHiJ CEKO FhIj dGLm
AGjM BeIO DhLP agJm cfKn CFkN bEio dHlp
AHkO BfLM Dejn bFlm cGIP Cgip dEJN ahKo`

// known returns a plan without a second meeting that is not cyclic, or nil.
func known(players, rounds int, sizes []int) Plan {
	lines := strings.Split(strings.TrimSpace(thirtyTwo), "\n")
	if players != 32 || sizes[0] != 4 || rounds != len(lines) {
		return nil
	}
	plan := make(Plan, rounds)
	for r, line := range lines {
		for table := range strings.FieldsSeq(line) {
			var seats []int
			for _, letter := range table {
				player := int(letter-'A') + 1
				if letter >= 'a' {
					player = int(letter-'a') + 17
				}
				seats = append(seats, player)
			}
			plan[r] = append(plan[r], seats)
		}
	}
	return plan
}

// unrepeated returns a plan without a second meeting, or nil where none is found.
func unrepeated(players, rounds int, sizes []int) Plan {
	if plan := known(players, rounds, sizes); plan != nil {
		return plan
	}
	return turned(players, rounds, sizes)
}
