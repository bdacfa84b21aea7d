package forward

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// TestFloodOfHandshakes requests connections as fast as it can, from the address of another instance: few of them get a
// handshake, and the instance still connects again and again.
func TestFloodOfHandshakes(t *testing.T) {
	const flooders, requests, connections = 8, 100, 20
	w := newTown(t, patient)
	w.asked.dialling = timeouts{patient, patient} // a busy machine is not what keeps the instance out here
	var begun sync.WaitGroup
	var flood sync.WaitGroup
	var welcomed, refused atomic.Int64
	begun.Add(flooders)
	for range flooders {
		flood.Go(func() {
			for i := range requests {
				conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
				if err != nil {
					t.Error(err)
					return
				}
				t.Cleanup(func() { _ = conn.Close() }) // those that were let in stay silent and keep their slot
				fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: owner\r\nConnection: Upgrade\r\nUpgrade: %s\r\n%s: 1.a.b\r\n\r\n", Path,
					protocol, proofHeader)
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // ends with the connection
				switch {
				case err != nil:
					t.Error(err)
				case answer.StatusCode == http.StatusSwitchingProtocols:
					welcomed.Add(1)
				default:
					refused.Add(1)
				}
				if i == 0 {
					begun.Done()
				}
			}
		})
	}
	begun.Wait()
	for range connections {
		w.sendAnswered(t)
		w.asked.mu.Lock()
		for _, l := range w.asked.conns {
			t.Cleanup(l.close)
		}
		clear(w.asked.conns) // so that the next attempt reconnects
		w.asked.mu.Unlock()
	}
	flood.Wait()
	if most := int64(unprovenRate.Burst + 1); welcomed.Load() > most || refused.Load() < flooders*requests-most {
		t.Errorf("of %d requests without a proof %d got a handshake, %d were refused", flooders*requests, welcomed.Load(),
			refused.Load())
	}
}

// TestAProofCountsOnce uses proofs a second time, too late, too early, changed, for another instance and with another
// secret.
func TestAProofCountsOnce(t *testing.T) {
	w := newTown(t, patient)
	self := w.club.owner
	proof := w.asked.prover.prove(self)
	if !w.owner.prover.holds(self, proof) || w.owner.prover.holds(self, proof) {
		t.Error("a proof does not count once")
	}
	other := self
	other.Epoch++
	stranger := peers(t, Config{
		Secret: "another secret, which is as long as that one", Members: w.asked.config.Members, Now: w.now,
		Logger: w.asked.config.Logger,
	})
	for name, bad := range map[string]string{
		"for an earlier start": w.asked.prover.prove(other), "with another secret": stranger.prover.prove(self), "none": "",
		"dots":         "..",
		"a longer one": w.asked.prover.prove(self) + "a", "another moment": "1" + w.asked.prover.prove(self),
	} {
		if w.owner.prover.holds(self, bad) {
			t.Errorf("%s: it counts", name)
		}
	}
	late := w.asked.prover.prove(self)
	w.clock.Add(window.Milliseconds() + 1)
	if w.owner.prover.holds(self, late) {
		t.Error("it counts after its time")
	}
	w.owner.prover.holds(self, w.asked.prover.prove(self))
	if kept := len(w.owner.prover.used); kept != 1 {
		t.Errorf("%d proofs are remembered, of which one can come again", kept)
	}
}
