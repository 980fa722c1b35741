package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/answer"
	"github.com/agui-go/agui/verify/stream"
)

const runUsage = `usage: agui-verify run -url URL [-input FILE|-message TEXT] [flags]

Posts a RunAgentInput to an agent, prints the events of its answer as they come, and then the verdict.
`

// agentRun is one run of a live agent.
type agentRun struct {
	url     string
	input   string
	message string
	header  http.Header
	raw     bool
	all     bool
	judging judging
	console console
}

// runAgent is the subcommand run.
func runAgent(ctx context.Context, args []string, c console) int {
	run := agentRun{header: make(http.Header), console: c}
	flags := newFlags(c, runUsage)
	run.judging.flags(flags)
	run.judging.framingFlag(flags)
	flags.StringVar(&run.url, "url", "", "`URL` of the agent")
	flags.StringVar(&run.input, "input", "", "`FILE` of the RunAgentInput to post as it is, - for the standard input")
	flags.StringVar(&run.message, "message", "", "`text` of a user message to post, in a thread of its own")
	flags.BoolVar(&run.raw, "raw", false, "print the bytes of the answer as they are, and the verdict on the standard error")
	flags.BoolVar(&run.all, "all", false, "report every violation, not the first alone")
	headerFlag(flags, run.header)
	timeout := flags.Duration("timeout", 0, "how `long` the run may take; 0 is for ever")
	if status, ok := parse(flags, args); !ok {
		return status
	}
	switch {
	case flags.NArg() > 0:
		return c.complain(fmt.Errorf("run takes no arguments: %q", flags.Arg(0)))
	case run.url == "":
		return c.complain(errors.New("run needs -url"))
	case run.input != "" && run.message != "":
		return c.complain(errors.New("give -input or -message, not both"))
	}
	if *timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *timeout)
		defer cancel()
	}
	status, err := run.do(ctx)
	if err != nil {
		return c.complain(err)
	}
	return status
}

// headerFlag adds a flag for headers of a request.
func headerFlag(flags *flag.FlagSet, header http.Header) {
	flags.Func("header", "`header` of the request, as \"Name: value\"; may be repeated", func(s string) error {
		name, value, ok := strings.Cut(s, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return errors.New(`want "Name: value"`)
		}
		header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		return nil
	})
}

// request returns what the agent is asked, and its text.
func (run *agentRun) request() (*events.RunAgentInput, []byte, error) {
	if run.input != "" {
		return readInput(run.input, run.console)
	}
	in := &events.RunAgentInput{
		ThreadID: ids.New(ids.Thread), RunID: ids.New(ids.Run),
		ProtocolVersion: events.Some(events.ProtocolVersion),
		State:           events.MustJSON(struct{}{}), ForwardedProps: events.MustJSON(struct{}{}),
		Messages: []events.Message{}, Tools: []events.Tool{}, Context: []events.Context{},
	}
	if run.message != "" {
		in.Messages = append(in.Messages, events.NewUserMessage(ids.New(ids.Message), run.message))
	}
	text, err := in.AppendJSON(nil)
	return in, text, err
}

// do runs the agent and returns the exit status, or why there is no stream to judge.
func (run *agentRun) do(ctx context.Context) (int, error) {
	in, text, err := run.request()
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, run.url, bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	req.Header = run.header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", answer.SSE)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if err := refused(res); err != nil {
		return 0, err
	}
	return run.follow(in, res)
}

// maxRefusal is how much of an answer that is no stream is shown.
const maxRefusal = 2 << 10

// refused returns an error when the answer is no stream that a client would read.
func refused(res *http.Response) error {
	if answer.MediaType(res) == answer.Binary {
		return fmt.Errorf("the agent answered with %s: only JSON over Server-Sent Events can be checked", answer.Binary)
	}
	if coding := answer.Encoding(res); coding != "" {
		return fmt.Errorf("the agent answered %s with Content-Encoding %q, which cannot be read: let it send the stream as it is", res.Status, coding)
	}
	if res.StatusCode >= 200 && res.StatusCode <= 299 {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	return fmt.Errorf("the agent answered %s: %s", res.Status, printable(strings.TrimSpace(string(text))))
}

// follow prints the stream as it comes and judges it.
func (run *agentRun) follow(in *events.RunAgentInput, res *http.Response) (int, error) {
	out := run.console.out
	show := func(ev events.Event, at stream.Position) { fmt.Fprintf(out, "%5d  %s\n", at.Index, describe(ev)) }
	verdict := out
	if run.raw {
		show, verdict = func(events.Event, stream.Position) {}, run.console.err
	}
	r := &report{name: run.url, judging: run.judging, all: run.all, seeded: run.input != ""}
	r.checker = run.judging.checker(in, stream.WithFraming(stream.SSE), stream.OnEvent(show))
	switch media := answer.MediaType(res); media {
	case answer.SSE:
	case "":
		fmt.Fprintf(run.console.err, "agui-verify: the answer has no Content-Type: send %s\n", answer.SSE)
	default:
		fmt.Fprintf(run.console.err, "agui-verify: the Content-Type of the answer is %q: send %s\n", media, answer.SSE)
	}
	err := run.copy(r, res.Body)
	if err != nil {
		fmt.Fprintln(run.console.err, "agui-verify: the connection broke:", err)
	}
	if !run.raw {
		fmt.Fprintln(out)
	}
	return r.status(), textReporter{verdict}.report(r)
}

// copy reads the answer to its end. It returns why it could not; what came until then is judged.
func (run *agentRun) copy(r *report, body io.Reader) error {
	for buf := make([]byte, 32<<10); ; {
		n, err := body.Read(buf)
		if run.raw {
			if _, err := run.console.out.Write(buf[:n]); err != nil {
				return err
			}
		}
		run.judge(r, r.checker.Feed(buf[:n]))
		if err == nil {
			continue
		}
		run.judge(r, r.checker.End())
		if err == io.EOF {
			return nil
		}
		return err
	}
}

// judge marks what is found among the events, and reports it: of the failures the first alone, unless all
// are asked for.
func (run *agentRun) judge(r *report, found iter.Seq2[stream.Finding, error]) {
	for f, err := range found {
		p := newProblem(f, err, run.judging.strict)
		if !run.raw {
			fmt.Fprintf(run.console.out, "       ! %s: %s\n", p.rule, printable(p.sentence))
		}
		if p.level == failure && r.level > warning && !run.all {
			r.more++
			continue
		}
		r.add(f, err)
	}
}
