package face

import (
	"math"
	"math/rand/v2"

	"quatuor/engine"
	"quatuor/engine/internal/hash"
	"quatuor/engine/quiwin"
)

// exploration weighs UCB1's second term; rewards are 0, ½ and 1.
const exploration = 0.5

// maxNodes bounds the memory of a search: 2 MiB.
const maxNodes = 1 << 13

// search holds the memory of searches, for any number of games.
type search struct {
	nodes  map[uint64]*node
	spare  []node
	root   quiwin.Sim
	chance *rand.Rand
	path   []visit
}

// node holds the statistics of a seat's choices in positions that it cannot distinguish.
type node struct {
	visits int32
	tried  [quiwin.Tokens]int32
	won    [quiwin.Tokens]float32
}

// visit is a choice of an iteration.
type visit struct {
	at     *node
	seat   engine.Seat
	choice quiwin.Choice
}

// newSearch returns a search.
func newSearch() *search {
	return &search{nodes: make(map[uint64]*node, maxNodes), spare: make([]node, maxNodes)}
}

// best returns the seat's choice that was tried most often in a number of iterations, or fewer if stop returns true,
// and their number.
func (s *search) best(k *quiwin.Known, seat engine.Seat, iterations int, stop func() bool, chance *rand.Rand) (
	quiwin.Choice, int,
) {
	clear(s.nodes)
	s.chance = chance
	done := 0
	for iterations == 0 || done < iterations {
		k.Guess(&s.root, chance.IntN)
		s.iterate()
		done++
		if stop != nil && done%64 == 0 && stop() {
			break
		}
	}
	var buffer [quiwin.MaxChoices]quiwin.Choice
	k.Guess(&s.root, chance.IntN)
	choices := s.root.Choices(seat, buffer[:0])
	at := s.nodes[key(&s.root, seat)]
	best := choices[0]
	for _, c := range choices[1:] {
		if at != nil && at.tried[c] > at.tried[best] {
			best = c
		}
	}
	return best, done
}

// iterate plays the guessed game to its end and adds the result to the choices on the way.
func (s *search) iterate() {
	s.path = s.path[:0]
	var grown [3]bool
	var buffer [quiwin.MaxChoices]quiwin.Choice
	for !s.root.Over() {
		for seat := engine.Seat(1); seat <= 2; seat++ {
			if !s.root.Awaits(seat) {
				continue
			}
			choices := s.root.Choices(seat, buffer[:0])
			if len(choices) == 1 {
				s.root.Take(seat, choices[0])
				continue
			}
			at := s.nodes[key(&s.root, seat)]
			if at == nil && !grown[seat] && len(s.nodes) < maxNodes {
				grown[seat] = true
				at = &s.spare[len(s.nodes)]
				*at = node{}
				s.nodes[key(&s.root, seat)] = at
			}
			c := s.pick(at, choices)
			if at != nil {
				s.path = append(s.path, visit{at, seat, c})
			}
			s.root.Take(seat, c)
		}
	}
	for _, v := range s.path {
		v.at.visits++
		v.at.tried[v.choice]++
		switch s.root.Winner() {
		case 0:
			v.at.won[v.choice] += 0.5
		case v.seat:
			v.at.won[v.choice]++
		}
	}
}

// pick returns the choice with the greatest upper confidence bound; at random without statistics, and a choice that was
// never tried before all others.
func (s *search) pick(at *node, choices []quiwin.Choice) quiwin.Choice {
	first := s.chance.IntN(len(choices))
	if at == nil {
		return choices[first]
	}
	best, bound := choices[first], -1.0
	log := math.Log(float64(at.visits + 1))
	for i := range choices {
		c := choices[(first+i)%len(choices)]
		n := float64(at.tried[c])
		if n == 0 {
			return c
		}
		if v := float64(at.won[c])/n + exploration*math.Sqrt(log/n); v > bound {
			best, bound = c, v
		}
	}
	return best
}

// key returns the hash of a seat's knowledge, as far as it counts for the rest of the game.
func key(s *quiwin.Sim, seat engine.Seat) uint64 {
	a, b := s.Sight(seat)
	return hash.Mix(hash.Mix(uint64(seat), a), b)
}
