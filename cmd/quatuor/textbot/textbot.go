// Package textbot runs programs that play by lines of text, as docs/bots.md describes them.
package textbot

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"quatuor/engine"
)

// Version is the version of the protocol.
const Version = 1

// Errors of programs.
var (
	ErrSilent = errors.New("the program did not answer in time")
	ErrEnded  = errors.New("the program has ended")
	ErrAnswer = errors.New("the program answered something else than was asked for")
)

// startTime is the limit of a program until it is ready, and stopTime until it has ended.
const (
	startTime = 30 * time.Second
	stopTime  = 2 * time.Second
)

// maxLine is the maximum length of a line that a program writes.
const maxLine = 1 << 16

// Program is a running program. It plays a game at a time and is not safe for concurrent use.
type Program struct {
	Name string

	moveTime time.Duration
	cmd      *exec.Cmd
	in       io.WriteCloser
	lines    chan string
	game     string // the lines sent of the present game; "" between games
}

// Turn describes a turn to a program.
type Turn struct {
	Variant  string
	Seats    int
	Seat     engine.Seat
	Position string // "" where the game hides something
	View     any    // the seat's view then
	Legal    []engine.Move
	Left     time.Duration // for this move
}

// Start runs a command, which is split at spaces, and waits until it is ready. It has moveTime for each move.
func Start(ctx context.Context, command string, moveTime time.Duration) (*Program, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no program is named")
	}
	p := &Program{Name: words[0], moveTime: moveTime, lines: make(chan string, 16)}
	p.cmd = exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // the operator names it
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read(out)
	answer, err := p.query(startTime, "ready", fmt.Sprintf("quatuor %d", Version))
	if err != nil {
		p.Stop()
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	if answer != "" {
		p.Name = answer
	}
	return p, nil
}

// read passes the program's lines on, without those that begin with #.
func (p *Program) read(out io.Reader) {
	defer close(p.lines)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); text != "" && !strings.HasPrefix(text, "#") {
			p.lines <- text
		}
	}
}

// query sends lines and returns the rest of the next line after a word.
func (p *Program) query(limit time.Duration, word string, lines ...string) (string, error) {
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		return "", ErrEnded
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case text, open := <-p.lines:
		if !open {
			return "", ErrEnded
		}
		first, rest, _ := strings.Cut(text, " ")
		if first != word {
			return "", fmt.Errorf("%w: %q, where %q was to come", ErrAnswer, text, word)
		}
		return strings.TrimSpace(rest), nil
	case <-timer.C:
		return "", ErrSilent
	}
}

// Move returns the program's move.
func (p *Program) Move(t Turn) (engine.Move, error) {
	var lines []string
	if game := fmt.Sprintf("new %s %d", t.Variant, t.Seats); p.game != game {
		p.game, lines = game, append(lines, game)
	}
	if t.Position != "" {
		lines = append(lines, "position "+t.Position)
	} else {
		view, err := json.Marshal(t.View)
		if err != nil {
			return "", err
		}
		lines = append(lines, "view "+string(view))
	}
	legal := make([]string, len(t.Legal))
	for i, m := range t.Legal {
		legal[i] = string(m)
	}
	lines = append(lines, fmt.Sprintf("go %d %d %s", t.Seat, t.Left.Milliseconds(), strings.Join(legal, " ")))
	answer, err := p.query(t.Left, "move", lines...)
	if err == nil && !slices.Contains(legal, answer) {
		err = fmt.Errorf("%w: %q is not legal", ErrAnswer, answer)
	}
	return engine.Move(answer), err
}

// Choose implements arena.Chooser.
func (p *Program) Choose(m *engine.Match, seat engine.Seat) (engine.Move, error) {
	seen := m.Project(engine.ViewerOf(seat))
	return p.Move(Turn{
		Variant: seen.Variant, Seats: seen.Seats, Seat: seat, Position: seen.Position, View: seen.View,
		Legal: seen.Legal[seat], Left: p.moveTime,
	})
}

// Over ends the present game.
func (p *Program) Over(o *engine.Outcome) {
	if p.game == "" {
		return
	}
	p.game = ""
	_, _ = fmt.Fprintf(p.in, "over %s %s\n", strings.Trim(fmt.Sprint(o.Ranks), "[]"), o.Reason)
}

// Stop has the program end, and kills it if it does not.
func (p *Program) Stop() {
	_, _ = io.WriteString(p.in, "quit\n")
	_ = p.in.Close()
	kill := time.AfterFunc(stopTime, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	for range p.lines { // until it has closed its output
	}
	_ = p.cmd.Wait()
}

// MoveTime returns the program's time limit for each move.
func (p *Program) MoveTime() time.Duration { return p.moveTime }
