package forward

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"
)

// Answer is what the owner has answered.
type Answer struct {
	Status int
	Header http.Header // those that go on to the client
	Body   []byte
}

// Target is the instance to which an act goes.
type Target struct{ member Member }

// Owner returns the instance to which acts on a game or tournament go; false where they are carried out here.
func (p *Peers) Owner(key string) (Target, bool) {
	owner, known := p.config.Members.Owner(key)
	if !known || owner.Address == "" {
		return Target{}, false
	}
	self, known := p.config.Members.Self()
	return Target{owner}, known && owner.Instance != self.Instance
}

// believed is how long a refusal may take that is believed. The receiver remembers for longer what it has acted on.
const believed = 2 * time.Second

// strange is how long an instance is left alone whose answers cannot be trusted: a wrong secret does not mend itself.
const strange = 10 * time.Second

var (
	errForged  = errors.New("the answer is not signed with the secret of this instance")
	errRefused = errors.New("it takes nothing from here: is it another instance by now, or are the clocks apart?")
	errTooLong = errors.New("the answer is too long")
)

// Send sends an act to its owner and waits for the answer, which is there only if the outcome is [Answered]. The work does not
// end with ctx. An act on a game expires; for one on a tournament it waits as long as the owner lives.
func (p *Peers) Send(ctx context.Context, to Target, act *Act) (Answer, Outcome) {
	begun := time.Now()
	answer, outcome := p.send(ctx, to.member, act)
	if outcome == Unknown && act.Repeatable {
		outcome = Again
	}
	p.config.Observe(outcome, time.Since(begun))
	return answer, outcome
}

func (p *Peers) send(ctx context.Context, to Member, act *Act) (Answer, Outcome) {
	self, known := p.config.Members.Self()
	if !known || p.resting(to.Instance) {
		return Answer{}, NotSent
	}
	wait, begun := longest, time.Now()
	now := p.config.Now()
	if act.OnGame {
		wait = p.config.Patience
		act.Expires = now.Add(wait).UnixMilli()
	}
	box := sealed{to: to.Instance, from: self.Instance, epoch: to.Epoch, moment: now.UnixMilli(), nonce: newNonce(), act: act}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
	defer cancel()
	if !act.OnGame {
		defer p.watch(to.Instance, cancel)()
	}
	var sent atomic.Bool
	request, err := p.request(ctx, to, box, &sent)
	if err != nil {
		p.config.Logger.Debug("an act cannot be sent to its owner", slog.Any("error", err))
		return Answer{}, NotSent
	}
	response, err := p.transport.RoundTrip(request)
	var answer Answer
	if err == nil {
		answer, err = p.open(response, box.nonce)
	}
	if errors.Is(err, errRefused) && time.Since(begun) > believed {
		err = errForged // it was held up by another, who may have sent the act twice
	}
	switch {
	case err == nil:
		p.fine(to.Instance)
		return answer, Answered
	case errors.Is(err, errRefused):
		p.failed(to.Instance, 0)
		p.log(to, "an instance refused an act that it owns; it was carried out here", err)
		return Answer{}, NotSent
	case errors.Is(err, errForged):
		p.failed(to.Instance, strange)
		p.log(to, "an answer between instances cannot be trusted", err)
		return Answer{}, Unknown
	}
	p.failed(to.Instance, 0)
	p.config.Members.Suspect(to.Instance)
	p.log(to, "an instance did not answer an act that it owns", err)
	if !sent.Load() {
		return Answer{}, NotSent
	}
	return Answer{}, Unknown
}

// watch ends the wait for an answer when the owner has not been alive for a while, until stop is called.
func (p *Peers) watch(instance string, end context.CancelFunc) (stop func()) {
	over := make(chan struct{})
	go func() {
		ticker := time.NewTicker(p.look)
		defer ticker.Stop()
		for missing := 0; missing < looks; {
			select {
			case <-over:
				return
			case <-ticker.C:
			}
			if missing++; p.config.Members.Lives(instance) {
				missing = 0
			}
		}
		end()
	}()
	return func() { close(over) }
}

// request spells an act as a request. Something of it may be with the owner once sent is true.
func (p *Peers) request(ctx context.Context, to Member, box sealed, sent *atomic.Bool) (*http.Request, error) {
	base, err := url.Parse(to.Address)
	if err != nil {
		return nil, err
	}
	target, err := url.ParseRequestURI(box.act.URI)
	if err != nil {
		return nil, err
	}
	target.Scheme, target.Host = base.Scheme, base.Host
	text := box.seal()
	if len(text) > maxSealed {
		return nil, fmt.Errorf("its headers are too long: %d bytes", len(text))
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	r := &http.Request{
		Method: box.act.Method, URL: target, Host: base.Host, ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			headerAct:       {encoding.EncodeToString(text)},
			headerSignature: {sign(p.keys.request, requestText(box.act.Method, target.RequestURI(), text, box.act.Body))},
			"User-Agent":    {"quatuor"},
		},
		Body: http.NoBody,
	}
	if len(box.act.Body) > 0 { // without GetBody: nothing that may have been sent is sent again
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(box.act.Body)), int64(len(box.act.Body))
	}
	return r.WithContext(ctx), nil
}

// open reads an answer and verifies it.
func (p *Peers) open(response *http.Response, nonce string) (Answer, error) {
	defer response.Body.Close()
	body, err := readAnswer(response)
	if err != nil {
		return Answer{}, err
	}
	header := make(http.Header, len(answerHeaders))
	for _, name := range answerHeaders {
		if values := response.Header[name]; len(values) > 0 {
			header[name] = values
		}
	}
	signature := response.Header.Get(headerAnswer)
	switch {
	case signed(p.keys.answer, answerText(kindAnswer, nonce, response.StatusCode, header, body), signature):
		return Answer{response.StatusCode, header, body}, nil
	case signed(p.keys.answer, answerText(kindRefusal, nonce, response.StatusCode, header, body), signature):
		return Answer{}, errRefused
	}
	return Answer{}, errForged
}

// readAnswer reads the body of an answer to its end.
func readAnswer(response *http.Response) ([]byte, error) {
	if n := response.ContentLength; n > 0 && n <= maxAnswer {
		body := make([]byte, n)
		_, err := io.ReadFull(response.Body, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = errTooLong
	}
	return body, err
}

func (p *Peers) log(to Member, what string, err error) {
	p.config.Logger.Warn(what, slog.String("instance", to.Instance), slog.String("address", to.Address), slog.Any("error", err))
}
