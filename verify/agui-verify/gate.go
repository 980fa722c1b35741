package main

import (
	"bytes"
	"context"
	"io"
	"iter"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify/stream"
)

const (
	// pieceSize is how much a gate reads at once.
	pieceSize = 32 << 10
	// maxHeld is how much a gate holds: the longest event, and the lines around it that are none.
	maxHeld = sizeLimit + 1<<20
)

// gate is the body of an answer that lets events through when they have been judged. In place of the first
// bad one the stream ends, with a RUN_ERROR unless the run has ended, and so does the agent's.
type gate struct {
	body    io.ReadCloser
	ctx     context.Context // of the client
	checker *stream.Checker
	journal *journal

	piece  []byte
	held   bytes.Buffer // read, and not yet let through
	passed int64        // how much of the stream was let through
	tail   []byte       // the last two bytes of that
	ready  bytes.Buffer // let through, and not yet returned
	err    error        // what follows that
	closed bool
}

// Read returns what was let through.
func (g *gate) Read(p []byte) (int, error) {
	for g.ready.Len() == 0 {
		if g.err != nil {
			return 0, g.err
		}
		g.advance()
	}
	return g.ready.Read(p)
}

// advance reads a piece and lets through what is good.
func (g *gate) advance() {
	if g.piece == nil {
		g.piece = make([]byte, pieceSize)
	}
	n, err := g.body.Read(g.piece)
	g.held.Write(g.piece[:n])
	if !g.judge(g.checker.Feed(g.piece[:n])) {
		return
	}
	switch {
	case g.held.Len() > maxHeld:
		g.stop(newProblem(stream.Finding{}, &stream.Error{Position: g.checker.Position(), Err: &stream.LimitError{Limit: sizeLimit}}, true))
		return
	case err == nil:
		return
	case err != io.EOF && g.ctx.Err() != nil:
		g.err = err
		return
	case err != io.EOF:
		g.journal.early(err.Error())
	}
	if g.judge(g.checker.End()) {
		g.err = io.EOF
	}
}

// judge lets through what is good, and reports whether that is all there was to judge.
func (g *gate) judge(found iter.Seq2[stream.Finding, error]) bool {
	for f, err := range found {
		if g.journal.overlooks(g.checker, f, err) {
			continue
		}
		p := newProblem(f, err, g.journal.strict)
		if p.level > warning || p.rule == truncated.rule {
			g.stop(p)
			return false
		}
		g.journal.add(p)
	}
	g.pass()
	return true
}

// stop ends the stream in place of a bad event.
func (g *gate) stop(p problem) {
	g.journal.add(p)
	g.pass()
	if !g.checker.Ended() {
		g.ready.WriteString(g.lineEnds())
		g.ready.Write(runError(p))
	}
	g.err = io.EOF
	g.body.Close()
}

// pass lets through what has been judged.
func (g *gate) pass() {
	settled := g.checker.Settled()
	good := g.held.Next(int(settled - g.passed))
	g.ready.Write(good)
	g.passed = settled
	g.tail = append(g.tail, good[max(0, len(good)-2):]...)
	g.tail = g.tail[max(0, len(g.tail)-2):]
}

// lineEnds returns the line ends that are missing after what was let through, so that an event can follow:
// the official client cuts at two LF in a row, whatever ended the lines before.
func (g *gate) lineEnds() string {
	switch {
	case g.passed == 0, string(g.tail) == "\n\n":
		return ""
	case g.tail[len(g.tail)-1] == '\n':
		return "\n"
	}
	return "\n\n"
}

// Close closes the body.
func (g *gate) Close() error {
	err := g.body.Close()
	if g.closed {
		return err
	}
	g.closed = true
	if g.err != io.EOF {
		g.journal.early(clientLeft)
	}
	g.journal.close(g.checker)
	return err
}

// codeViolation is the code of a RUN_ERROR that stands in the place of a bad event.
const codeViolation = "protocol_violation"

// runError returns the frame that ends a run in place of a bad event.
func runError(p problem) []byte {
	ev := events.NewRunError("agui-verify stopped the run at " + p.where() + ": " + p.rule + ": " + p.sentence)
	ev.Code = events.Some(codeViolation)
	frame, err := ev.AppendJSON([]byte("data: "))
	if err != nil {
		panic(err) // two strings have a JSON form
	}
	return append(frame, "\n\n"...)
}
