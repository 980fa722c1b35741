package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"time"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/internal/bench/wire/child"
)

// firstKinds are the rows of first bytes.
var firstKinds = []kind{bare, twin, ours, hand, peer}

func measureFirstByte(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	p, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	res := &report.Result{
		About: `A request of a run without deltas over a connection of HTTP/1.1 that is there, in a server that is warm: from the call of write(2) that sends it until the client's read returns with the
header and RUN_STARTED, and the CPU of the server's process for the whole run of four events, the reading of its input included, which ` + "`bare`" + ` throws away.`,
		Header: []string{"handler", "first byte, x bare", "(µs)", "CPU a run, x bare", "(µs)"},
	}
	s := setup{http1, 1, 100, load{Size: stampSize}}
	if o.Short {
		s.each = 10
	}
	if err := p.compare(ctx, s.over, s.load, firstKinds); err != nil {
		return nil, err
	}
	progress(o, "first-byte: %d requests a turn", s.each)
	t, firsts := &turns{s, series{}, series{}, series{}}, series{} // firsts in nanoseconds
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.plain)
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	for round := range roundsOf(o, 4) {
		for i := range firstKinds {
			k := firstKinds[(i+round)%len(firstKinds)]
			used, first, err := p.firstBytes(conn, k, s.each)
			if err != nil {
				return nil, err
			}
			t.add(k, used)
			firsts.add(k, first)
		}
	}
	perRun := float64(s.load.events())
	for _, k := range firstKinds {
		res.Rows = append(res.Rows, []string{
			string(k), fmt.Sprintf("%.2f", firsts.ratio(k, bare).Median), fmt.Sprintf("(%.0f)", firsts.median(k)/1e3),
			fmt.Sprintf("%.2f", t.cpu.ratio(k, bare).Median), fmt.Sprintf("(%.0f)", t.cpu.median(k)*perRun/1e3),
		})
	}
	if o.Bench != nil {
		for _, k := range firstKinds {
			for round := range firsts[k] {
				fmt.Fprintf(o.Bench, "Benchmarkfirst-byte/%s-%d\t%d\t%.0f ns/op\t%.0f cpu-ns/op\n", k, runtime.GOMAXPROCS(0), s.each, firsts[k][round], t.cpu[k][round]*perRun)
			}
		}
	}
	t.judgeFirstByte(res, firsts)
	return res, nil
}

// judgeFirstByte adds what is asked of runs without deltas. What a run of ours takes beside its events is what
// json does, and more: its input is checked, and it has contexts and timers. The SDK takes about as much, and
// writes more.
func (t *turns) judgeFirstByte(res *report.Result, firsts series) {
	for _, figure := range []struct {
		what string
		series
	}{{"time to the first byte", firsts}, {"CPU of a run without deltas", t.cpu}} {
		r := figure.ratio(ours, hand)
		res.Ratios = append(res.Ratios, report.Ratio{Name: figure.what + ", agui against json", Got: r.Median, Noise: figure.noise(r)})
	}
	all := setups{t}
	all.alike(res)
	all.falling(res, cpu, ours, hand, bare)
	all.falling(res, cpu, hand, twin)
	all.falling(res, size, peer, ours)
	all.falling(res, size, peer, hand)
}

// firstBytes makes n requests and returns what the server used for them and the median time until the first
// byte in nanoseconds.
func (p *peers) firstBytes(conn net.Conn, k kind, n int) (used child.Usage, first float64, err error) {
	request := fmt.Appendf(nil, "POST /%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", k, p.plain, len(input), input)
	var before, after child.Usage
	if err := p.server.Ask(question{Tidy: true}, &before); err != nil {
		return child.Usage{}, 0, err
	}
	times := make([]float64, n)
	for i := range times {
		took, err := firstByte(conn, request)
		if err != nil {
			return child.Usage{}, 0, fmt.Errorf("wire: %s: %w", k, err)
		}
		times[i] = float64(took.Nanoseconds())
	}
	if err := p.server.Ask(question{}, &after); err != nil {
		return child.Usage{}, 0, err
	}
	return after.Minus(before), measure.Median(times), nil
}

// firstByte makes a request, and reads the response to its last chunk.
func firstByte(conn net.Conn, request []byte) (time.Duration, error) {
	began := time.Now()
	if _, err := conn.Write(request); err != nil {
		return 0, err
	}
	response := make([]byte, 4096) // more than four events have
	n, err := conn.Read(response)
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(response, []byte("HTTP/1.1 200 ")) {
		return 0, fmt.Errorf("the answer is %q", response[:n])
	}
	for !bytes.HasSuffix(response[:n], []byte("\r\n0\r\n\r\n")) {
		more, err := conn.Read(response[n:])
		if err != nil {
			return 0, fmt.Errorf("after %q: %w", response[:n], err)
		}
		n += more
	}
	return took, nil
}
