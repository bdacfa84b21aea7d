package forward

import "sync/atomic"

// workers carry out acts, on goroutines that stay (a thread pool). net/rpc begins a new goroutine for every act, whose stack would
// grow anew, piece by piece, on the way through the service: 8 of the 243 µs that a move costs on three instances.
type workers struct {
	tasks chan *task // to a worker that waits
	over  chan struct{}
	hired atomic.Int32
}

// mostWorkers is how many goroutines stay at most. Where all are at work an act is carried out without.
const mostWorkers = 64

func newWorkers() *workers { return &workers{tasks: make(chan *task), over: make(chan struct{})} }

// task is an act that is to be carried out.
type task struct {
	act      *Act
	carryOut CarryOut
	answer   Answer
	err      error
	done     chan struct{}
}

// carryOut has an act carried out.
func (w *workers) carryOut(act *Act, by CarryOut) (Answer, error) {
	t := &task{act: act, carryOut: by, done: make(chan struct{})}
	select {
	case w.tasks <- t:
	default:
		if w.hired.Add(1) > mostWorkers {
			w.hired.Add(-1)
			return by(act)
		}
		go w.work(t)
	}
	<-t.done
	return t.answer, t.err
}

func (w *workers) work(t *task) {
	for {
		t.answer, t.err = t.carryOut(t.act)
		close(t.done)
		select {
		case t = <-w.tasks:
		case <-w.over:
			return
		}
	}
}

// end lets the workers go, each after its task.
func (w *workers) end() { close(w.over) }
