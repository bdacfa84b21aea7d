package forward

import "sync/atomic"

// workers is a goroutine pool. net/rpc starts a new goroutine for every act, and its stack would grow again each time:
// 8 of the 243 µs that a move costs on three instances.
type workers struct {
	tasks chan *task // to an idle worker
	over  chan struct{}
	hired atomic.Int32
}

// maxWorkers is the size of the pool. While all are busy, acts are carried out on the goroutine of net/rpc.
const maxWorkers = 64

func newWorkers() *workers { return &workers{tasks: make(chan *task), over: make(chan struct{})} }

// task is an act with its result.
type task struct {
	act      *Act
	carryOut CarryOut
	answer   Answer
	err      error
	done     chan struct{}
}

// carryOut carries out an act on a worker.
func (w *workers) carryOut(act *Act, by CarryOut) (Answer, error) {
	t := &task{act: act, carryOut: by, done: make(chan struct{})}
	select {
	case w.tasks <- t:
	default:
		if w.hired.Add(1) > maxWorkers {
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

// end stops the workers, each after its task.
func (w *workers) end() { close(w.over) }
