package quiwin

import (
	"slices"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// Apply carries out a choice or a leaving, and its consequences.
func (s state) Apply(e engine.Event) (engine.State, error) {
	if s.full.end != nil {
		return nil, engine.Refuse(engine.ErrOver, "the game is over (%s)", s.full.end.Reason)
	}
	next, carryOut := *s.full, (*full).leave
	if e.Kind == engine.Moved {
		carryOut = (*full).move
	}
	if err := carryOut(&next, e); err != nil {
		return nil, err
	}
	return state{&next}, nil
}

func (f *full) leave(e engine.Event) error {
	seat, reason, err := engine.Leaver(e, seats)
	if err != nil {
		return err
	}
	f.win(other(seat), reason)
	return nil
}

func (f *full) win(seat engine.Seat, reason engine.Reason) {
	f.end = engine.Won(f.rules.info, seats, engine.Side(seat), reason)
}

func (f *full) move(e engine.Event) error {
	t, ok := tokens[e.Text]
	if !ok {
		return engine.Refuse(engine.ErrNotation,
			"%q is no move; moves are a tile such as g22, change, transfer, none, and give-1 to give-8", engine.Clip(e.Text))
	}
	if e.Seat < 1 || e.Seat > seats {
		return engine.Refuse(engine.ErrNotation, "a move names its seat, 1 or 2, as in 1:%s", t)
	}
	if _, err := engine.Mover(f.pending(), e); err != nil {
		return err
	}
	if !f.legal(e.Seat, t) {
		return f.objection(e.Seat, t)
	}
	f.take(e.Seat, t)
	return nil
}

// objection returns the refusal of a choice that is not legal, explained by the knowledge of the seat that made it.
func (f *full) objection(seat engine.Seat, t token) error {
	why := sentence.New("the other seat has no tile in this tier that is not red")
	switch {
	case f.phase == lay && t.isTile():
		why = sentence.New("there is no %s in your hand", t)
	case f.phase == lay:
		why = sentence.New("now both seats choose a tile of their hand")
	case f.phase == giving && t.isGive() && (t.slot() < tierStart(f.laid) || t.slot() > f.laid):
		why = sentence.New("the tile to give must lie in the tier in play")
	case f.phase == giving && t.isGive():
		why = sentence.New("a red tile cannot be given")
	case f.phase == giving:
		why = sentence.New("the other seat transfers its tile: choose the one of yours that leaves, as in give-4")
	case !t.isAction():
		why = sentence.New("now an action is chosen: change, transfer or none")
	case t == change && f.change != 0, t == transfer && f.transfer.by != 0:
		why = sentence.New("the token for %s has been used", t)
	case t == change:
		why = sentence.New("the tile that the other seat laid last is red")
	case f.last(seat).red():
		why = sentence.New("the tile that you laid last is red")
	}
	return engine.Refuse(engine.ErrIllegal, "%s is not legal: %s", t, why)
}

// take records a legal choice, and goes on once every seat awaited for the same turn has chosen.
func (f *full) take(seat engine.Seat, t token) {
	switch f.phase {
	case more:
		f.carryOut(seat, t)
		return
	case giving:
		f.exchangeTiles(t.slot())
		return
	}
	f.chosen[seat-1] = t
	if f.awaits(other(seat)) {
		return
	}
	chosen := f.chosen
	f.chosen = [seats]token{}
	if f.phase == lay {
		f.layTiles(chosen)
	} else {
		f.resolve(chosen)
	}
}

func (f *full) layTiles(chosen [seats]token) {
	for i, t := range chosen {
		f.hands[i][t]--
		f.rows[i][f.laid] = tile(t)
	}
	f.laid++
	f.phase = window
	if !f.hasAction(1) && !f.hasAction(2) {
		f.closeWindow()
	}
}

// resolve carries out the secret choices of a window. The choice of a seat that had none is noToken.
func (f *full) resolve(chosen [seats]token) {
	one, two := chosen[0], chosen[1]
	switch {
	case one.isAction() && one == two:
		f.carryOut(engine.Seat(1+f.draw(seats)), one)
	case one == change && two == transfer:
		f.changeThenTransfer(1)
	case one == transfer && two == change:
		f.changeThenTransfer(2)
	case one.isAction():
		f.carryOut(1, one)
	case two.isAction():
		f.carryOut(2, two)
	default:
		f.closeWindow()
	}
}

// changeThenTransfer carries out both actions of a window. A transfer that the change has made illegal lapses, and its
// seat does not choose again.
func (f *full) changeThenTransfer(changer engine.Seat) {
	f.changeTile(changer)
	if f.mayTransfer(other(changer)) {
		f.carryOut(other(changer), transfer)
		return
	}
	f.closeWindow()
}

// carryOut begins a seat's action, or closes the window if the seat chose none.
func (f *full) carryOut(seat engine.Seat, t token) {
	switch t {
	case change:
		f.changeTile(seat)
		f.offer(other(seat))
	case transfer:
		f.transfer = exchange{by: seat, slot: f.laid}
		f.phase = giving
	default:
		f.closeWindow()
	}
}

// offer awaits an action of a seat after the other's, if it has an action left.
func (f *full) offer(seat engine.Seat) {
	if f.hasAction(seat) {
		f.phase = more
		return
	}
	f.closeWindow()
}

func (f *full) changeTile(by engine.Seat) {
	f.change = by
	f.discard(other(by), f.laid, f.fromBag())
}

// exchangeTiles completes a transfer: the tile in the slot given leaves the game, and the actor's tile takes its
// place.
func (f *full) exchangeTiles(into int) {
	actor := f.transfer.by
	f.transfer.into = into
	f.discard(other(actor), into, f.last(actor))
	f.rows[actor-1][f.laid-1] = f.fromBag()
	f.offer(other(actor))
}

// discard replaces a tile, which leaves the game, by another.
func (f *full) discard(seat engine.Seat, slot int, instead tile) {
	place := &f.rows[seat-1][slot-1]
	f.out = append(slices.Clip(f.out), loss{*place, seat, slot})
	*place = instead
}

func (f *full) fromBag() tile {
	f.drawn++
	return f.bag[f.drawn-1]
}

// closeWindow goes on to the next round, and first measures the rows where a tier is full.
func (f *full) closeWindow() {
	f.phase = lay
	if f.laid == tierEnds[f.measured] {
		f.measure()
	}
}
