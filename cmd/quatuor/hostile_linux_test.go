package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"quatuor/api/client"
)

// What a request may cost that does not fit the contract. The processor's time of a server that shares its cores with
// others' work varies, for its caches do; and a page fault more or less is none of the request's.
const (
	hostileCPU    = 50 * time.Millisecond
	hostileSlack  = 4 // times hostileCPU before the test fails
	raceSlack     = 5 // times that under the race detector
	hostileMemory = 20 << 20
	hostileSpace  = 6 << 30 // bytes of addresses that the server has, most of them set aside by Go's runtime
)

// TestHostileBodiesAreCheap sends bodies of every kind to operations with and without login, and measures what each
// costs the server, a process of its own with a limit on its memory.
func TestHostileBodiesAreCheap(t *testing.T) {
	skipInShort(t, "sends large bodies")
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
	p.limitSpace(hostileSpace)
	player := p.Register(t.Context(), "ada", "Ada").Client
	kinds := hostileKinds()
	if len(kinds) < 100 {
		t.Fatalf("only %d kinds of bodies", len(kinds))
	}
	var costs []hostileCost
	limit := hostileSlack * hostileCPU
	if underRace {
		limit *= raceSlack
	}
	for _, target := range hostileTargets {
		for _, kind := range kinds {
			body := kind.make(target)
			if len(body) > mib && kind.name != "more than 1 MiB" {
				t.Fatalf("%s has %d bytes", kind.name, len(body))
			}
			cost := p.cost(t.Context(), player, target, body)
			cost.name = target.name + ": " + kind.name
			if cost.status != http.StatusBadRequest && cost.status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: status %d", cost.name, cost.status)
			}
			if cost.cpu > limit || cost.memory > hostileMemory {
				t.Errorf("%s: %v and %d KiB", cost.name, cost.cpu, cost.memory>>10)
			}
			costs = append(costs, cost)
		}
	}
	slices.SortFunc(costs, func(a, b hostileCost) int { return cmp.Compare(b.cpu, a.cpu) })
	t.Logf("%d requests of %d kinds; the dearest:", len(costs), len(kinds))
	for _, cost := range costs[:12] {
		t.Logf("%8.1f ms %7d KiB  %d  %s", cost.cpu.Seconds()*1000, cost.memory>>10, cost.status, cost.name)
	}
	slices.SortFunc(costs, func(a, b hostileCost) int { return cmp.Compare(b.memory, a.memory) })
	t.Log("and those that take most memory:")
	for _, cost := range costs[:6] {
		t.Logf("%8.1f ms %7d KiB  %d  %s", cost.cpu.Seconds()*1000, cost.memory>>10, cost.status, cost.name)
	}
	p.Stop()
}

// hostileCost is the cost of a request for the server.
type hostileCost struct {
	name   string
	status int
	cpu    time.Duration
	memory int64 // the server's largest growth in bytes
}

// cost sends a body and measures what it costs.
func (p *program) cost(ctx context.Context, c *client.Client, target hostileTarget, body string) hostileCost {
	p.t.Helper()
	request, err := http.NewRequestWithContext(ctx, target.method, p.URL+"/api/v1"+target.path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+c.Token)
	p.resetPeak()
	size, cpu := p.memory("VmRSS"), p.cpu()
	answer, err := c.HTTP.Do(request)
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", target.method, target.path, err, p.Stderr)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	cost := hostileCost{status: answer.StatusCode, cpu: p.cpu() - cpu, memory: p.memory("VmHWM") - size}
	if len(text) > 64<<10 || answer.Header.Get("Content-Type") != "application/problem+json" {
		p.t.Errorf("%s %s: an answer of %d bytes, %s", target.method, target.path, len(text),
			answer.Header.Get("Content-Type"))
	}
	return cost
}

// limitSpace limits the addresses that the running server may use.
func (p *program) limitSpace(size uint64) {
	p.t.Helper()
	limit := syscall.Rlimit{Cur: size, Max: math.MaxUint64}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(p.Cmd.Process.Pid), syscall.RLIMIT_AS,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		p.t.Fatalf("prlimit: %v", errno)
	}
}

// cpu reads the clock of the processor's time that the server has used (clock_getcpuclockid in the C library).
func (p *program) cpu() time.Duration {
	p.t.Helper()
	const sched = 2
	var now syscall.Timespec
	clock := ^p.Cmd.Process.Pid<<3 | sched
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&now)),
		0); errno != 0 {
		p.t.Fatalf("clock_gettime: %v", errno)
	}
	return time.Duration(now.Nano())
}

// resetPeak resets the server's peak of memory.
func (p *program) resetPeak() {
	p.t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.Cmd.Process.Pid), []byte("5"), 0); err != nil {
		p.t.Fatal(err)
	}
}

// memory reads a line of the server's status, in bytes.
func (p *program) memory(name string) int64 {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range bytes.Lines(status) {
		if rest, found := strings.CutPrefix(string(line), name+":"); found {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				p.t.Fatal(err)
			}
			return kib << 10
		}
	}
	p.t.Fatalf("the server's status has no %s", name)
	return 0
}
