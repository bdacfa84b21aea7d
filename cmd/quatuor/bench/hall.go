package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/terminal"
)

// Bars of a server with a single core and 1 GB.
const (
	smallMoves     = 100 * time.Millisecond // 99th percentile
	smallResident  = 400                    // MiB, at most at any time
	smallMemory    = "341MiB"               // the program's own limit on a machine with 1 GiB
	hallMoveEvery  = 10 * time.Second       // in each game
	hallResults    = 500 * time.Millisecond // between two results of the tournament
	hallRounds     = 9
	readersOfCup   = 5 // every so manieth reader follows the tournament
	hallMoves      = "moves"
	hallReaders    = "from a move sent to each reader"
	hallEntered    = "results of the tournament"
	hallPaired     = "pairing a round"
	figurePeak     = "mib_resident_at_most"
	figureProgress = "rounds"
)

// onSmallMachine makes a command of the server run as on a machine with a single core and 1 GB.
func onSmallMachine(cmd *exec.Cmd) {
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOMEMLIMIT="+smallMemory)
	if taskset, err := exec.LookPath("taskset"); err == nil { // it becomes the server, in the same process
		cmd.Args = append([]string{taskset, "-c", "0", cmd.Path}, cmd.Args[1:]...)
		cmd.Path = taskset
	}
}

// hall is an evening of a large club on a small machine: games on phones, readers of them and of a tournament, and that
// tournament, which is played on boards.
type hall struct {
	games   []*watchedGame
	crowds  []*crowd // by game
	cup     string   // path of the tournament
	cupView *crowd
	staff   *client.Client
	results *recorder
	pairing *recorder
}

func (b *bench) allowHall(context.Context) error {
	return allowFiles(b.HallReaders + b.HallGames + 2*b.Connections + 200)
}

// runHall measures moves, results and the readers' streams while all of that goes on.
func (b *bench) runHall(ctx context.Context) ([]Measurement, error) {
	h := &hall{cupView: &crowd{}, results: &recorder{}, pairing: &recorder{}}
	defer h.leave()
	if err := errors.Join(h.announce(ctx, b), h.open(ctx, b)); err != nil {
		return nil, err
	}
	if err := h.gather(ctx, b); err != nil {
		return nil, err
	}
	spent := b.server.cpu()
	playing, ctx := errgroup.WithContext(ctx)
	for i, game := range h.games {
		playing.Go(func() error { // spread over the interval
			pause(ctx, time.Duration(i)*hallMoveEvery/time.Duration(len(h.games)))
			return game.moveFor(ctx, b.Duration, min(hallMoveEvery, b.Duration/4))
		})
	}
	playing.Go(func() error { return h.play(ctx, b.Duration, b.hallRounds()) })
	if err := playing.Wait(); err != nil {
		return nil, err
	}
	spent = b.server.cpu().minus(spent)
	for i, game := range h.games {
		h.crowds[i].waitFor(game.moves)
	}
	h.leave()
	return h.measurements(b, spent)
}

// hallRounds returns the number of rounds of the tournament: few players cannot meet others for long.
func (c Config) hallRounds() int { return min(hallRounds, c.HallPlayers-1) }

// announce starts the tournament, as an organiser does, with players without an account.
func (h *hall) announce(ctx context.Context, b *bench) error {
	h.staff = b.load.Share()
	if err := h.staff.Login(ctx, "olga", password); err != nil {
		return err
	}
	var made struct {
		ID string `json:"id"`
	}
	if err := h.staff.Post(ctx, "/tournaments", map[string]any{
		"name": "Hall " + strconv.FormatInt(time.Now().UnixMilli(), 36), "variant": watchedVariant, "format": "swiss",
		"time_control": "600", "rounds": b.hallRounds(), "venue": "hall", "rated": true,
	}, &made); err != nil {
		return err
	}
	h.cup = "/tournaments/" + made.ID
	if err := h.staff.Post(ctx, h.cup+"/open", nil, nil); err != nil {
		return err
	}
	for i := range b.HallPlayers {
		var player struct {
			ID string `json:"id"`
		}
		err := h.staff.Post(ctx, "/players", map[string]any{"name": fmt.Sprintf("Guest %d of %s", i+1, made.ID)}, &player)
		if err == nil {
			err = h.staff.Post(ctx, h.cup+"/entries", map[string]string{"player_id": player.ID}, nil)
		}
		if err != nil {
			return fmt.Errorf("entering a player: %w", err)
		}
	}
	return h.staff.Post(ctx, h.cup+"/start", nil, nil)
}

// open starts the games.
func (h *hall) open(ctx context.Context, b *bench) error {
	for i := range b.HallGames {
		people := b.load.players
		seats := []harness.Player{people[i%len(people)], people[(i+1+i/len(people))%len(people)]}
		if seats[0].ID == seats[1].ID {
			seats[1] = people[(i+1)%len(people)]
		}
		game, err := openWatched(ctx, seats, rand.New(rand.NewPCG(7, uint64(i))))
		if err == nil {
			err = game.goOn(ctx) // a game without a move counts against its players' limits
		}
		if err != nil {
			return fmt.Errorf("opening a game: %w", err)
		}
		game.moves = nil
		h.games, h.crowds = append(h.games, game), append(h.crowds, &crowd{})
	}
	return nil
}

// gather connects the readers, each with a connection of its own.
func (h *hall) gather(ctx context.Context, b *bench) error {
	bar := terminal.Progress(b.Err, b.HallReaders, "connecting", "readers")
	defer bar.Finish()
	address := strings.TrimPrefix(b.server.url, "http://")
	for i := range b.HallReaders {
		at, path := h.cupView, "/api/v1"+h.cup+"/events"
		if i%readersOfCup > 0 {
			n := i % len(h.games)
			at, path = h.crowds[n], "/api/v1/games/"+h.games[n].id+"/events"
		}
		m, events, err := join(ctx, address, path)
		if err != nil {
			return fmt.Errorf("a reader of %s could not connect: %w", path, err)
		}
		at.members = append(at.members, m)
		at.reading.Go(func() {
			for m.next(events) {
			}
		})
		bar.Add(1)
	}
	return nil
}

// play enters the results of the tournament in turn, and pairs round after round, for a while.
func (h *hall) play(ctx context.Context, long time.Duration, rounds int) error {
	for end, number := time.Now().Add(long), 1; number <= rounds; number++ {
		err := h.pairing.time(ctx, func(ctx context.Context) error { return h.staff.Post(ctx, h.cup+"/rounds", nil, nil) })
		if err != nil {
			return fmt.Errorf("pairing round %d: %w", number, err)
		}
		var round struct {
			Pairings []struct {
				Board int      `json:"board"`
				Seats []string `json:"seats"`
			} `json:"pairings"`
		}
		path := fmt.Sprintf("%s/rounds/%d", h.cup, number)
		if err := h.staff.Get(ctx, path, &round); err != nil {
			return err
		}
		for i, pair := range round.Pairings {
			if len(pair.Seats) < 2 {
				continue
			}
			if !time.Now().Before(end) || !pause(ctx, hallResults) {
				return ctx.Err()
			}
			result := map[string]string{"result": []string{"1-0", "0-1", "1/2-1/2"}[i%3]}
			if err := h.results.time(ctx, func(ctx context.Context) error {
				return h.staff.Put(ctx, fmt.Sprintf("%s/pairings/%d/result", path, pair.Board), result, nil)
			}); err != nil {
				return fmt.Errorf("entering a result: %w", err)
			}
		}
	}
	return nil
}

// leave ends all streams. It may be called twice.
func (h *hall) leave() {
	for _, c := range append(slices.Clone(h.crowds), h.cupView) {
		c.leave()
	}
}

func (h *hall) measurements(b *bench, spent cpuTime) ([]Measurement, error) {
	moves, readers := &recorder{}, &recorder{}
	for i, game := range h.games {
		for _, m := range game.moves {
			moves.took = append(moves.took, m.answered.Sub(m.sent))
		}
		each, _, _ := h.crowds[i].delays(game.moves)
		readers.took, readers.errors = append(readers.took, each.took...), readers.errors+each.errors
	}
	played := b.sum(hallMoves, b.Duration, moves)
	peak, err := peakResident(b.server.pid)
	played.Figures = map[string]float64{
		figurePeak: peak, figureProgress: float64(len(h.pairing.took)),
		figureShare: 100 * spent.server.Seconds() / b.Duration.Seconds(),
	}
	return []Measurement{
		played, b.sum(hallReaders, b.Duration, readers), b.sum(hallEntered, b.Duration, h.results),
		b.sum(hallPaired, b.Duration, h.pairing),
	}, err
}

// peakResident returns the largest resident memory of a process so far, in MiB.
func peakResident(pid int) (float64, error) {
	status, err := os.Open("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, err
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == "VmHWM:" {
			kib, err := strconv.ParseFloat(fields[1], 64)
			return kib / 1024, err
		}
	}
	return 0, errors.New("the system does not report the memory of a process")
}

// printHall reports whether the bars hold.
func (b *bench) printHall(all []Measurement) {
	b.printRows(all)
	for _, m := range all {
		if m.What == hallMoves {
			fmt.Fprintf(b.Out, "%d games, %d readers, a tournament of %d (%.0f rounds) on one core with GOMEMLIMIT=%s: "+
				"p99 of moves %.1f ms (bar: %d), %.0f MiB resident at most (bar: %d), %.0f %% of the core\n",
				b.HallGames, b.HallReaders, b.HallPlayers, m.Figures[figureProgress], smallMemory, m.Millis["p99"],
				smallMoves.Milliseconds(), m.Figures[figurePeak], smallResident, m.Figures[figureShare])
		}
	}
}
