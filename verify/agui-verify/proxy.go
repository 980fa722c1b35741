package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

const proxyUsage = `usage: agui-verify proxy -target URL [-addr ADDR] [-block] [flags]

Passes requests on to an agent, and its streams back unchanged and unbuffered, and checks them on the way.
What breaks a rule goes to the log and, when OTEL_EXPORTER_OTLP_ENDPOINT is set, into spans. With -block the
first bad event is held back, and the stream ends with a RUN_ERROR that names the rule. Answers that cannot be
checked, being binary or compressed, are refused then, and else logged.
`

const (
	// headerTime is how long a client may take to send the header of a request.
	headerTime = 10 * time.Second
	// drainTime is how long open streams may take to end after a signal.
	drainTime = 10 * time.Second
	// exportTime is how long the last spans may take to be sent.
	exportTime = 5 * time.Second
)

// runProxy is the subcommand proxy. It ends with ctx.
func runProxy(ctx context.Context, args []string, c console) int {
	var j judging
	flags := newFlags(c, proxyUsage)
	j.flags(flags)
	j.framingFlag(flags)
	target := flags.String("target", "", "`URL` of the agent; a request for / goes to its path, any other below it")
	addr := flags.String("addr", "127.0.0.1:9090", "`address` to listen on; port 0 picks a free one")
	block := flags.Bool("block", false, "hold back the first bad event and end the stream with RUN_ERROR")
	format := flags.String("format", "text", "`format` of the log: text or json")
	if status, ok := parse(flags, args); !ok {
		return status
	}
	if flags.NArg() > 0 {
		return c.complain(fmt.Errorf("proxy takes no arguments: %q", flags.Arg(0)))
	}
	to, err := parseTarget(*target)
	if err != nil {
		return c.complain(err)
	}
	log, err := newLog(*format, c.err)
	if err != nil {
		return c.complain(err)
	}
	spans, err := newTelemetry(ctx, log)
	if err != nil {
		return c.complain(err)
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return c.complain(err)
	}
	log.Info("listening", "addr", "http://"+listener.Addr().String(), "target", to.String(), "rules", j.set.String(), "block", *block)
	w := newWatcher(j, *block, log, spans)
	err = serve(ctx, listener, newProxy(to, w, log), log)
	w.close()
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), exportTime)
	defer cancel()
	if err := errors.Join(err, spans.shutdown(limit)); err != nil {
		return c.complain(err)
	}
	return exitFine
}

func parseTarget(target string) (*url.URL, error) {
	if target == "" {
		return nil, errors.New("proxy needs -target")
	}
	to, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	if to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil, fmt.Errorf("-target %q: want a URL such as http://127.0.0.1:8080/agent", target)
	}
	return to, nil
}

func newLog(format string, w io.Writer) (*slog.Logger, error) {
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, nil)), nil
	}
	return nil, fmt.Errorf("-format %q: want text or json", format)
}

// newProxy returns the handler that passes requests on, with w looking at what passes.
func newProxy(to *url.URL, w *watcher, log *slog.Logger) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			// What passes is not for this proxy to judge: neither a query that it could not parse nor what
			// the proxies before it have said.
			r.Out.URL.RawQuery = r.In.URL.RawQuery
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
			r.SetXForwarded()
			for _, name := range []string{"Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto"} {
				if said, has := r.In.Header[name]; has {
					r.Out.Header[name] = said
				}
			}
			r.SetURL(to)
			if r.In.URL.Path == "/" { // "/agent", not "/agent/"
				r.Out.URL.Path, r.Out.URL.RawPath = to.Path, to.RawPath
			}
		},
		Transport:     w,
		FlushInterval: -1, // at once, whatever the type
		ErrorLog:      slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		ErrorHandler: func(rw http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil {
				return // nobody waits for an answer
			}
			if unchecked, ok := errors.AsType[*uncheckedError](err); ok { // the log has it
				refuse(rw, http.StatusBadGateway, "answer_not_checked", unchecked.Error())
				return
			}
			log.Error("the agent cannot be reached", "err", err)
			refuse(rw, http.StatusBadGateway, "agent_unreachable", "the agent behind this proxy cannot be reached: see the proxy's log")
		},
	}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		// An agent may answer before the request has been read to its end. Without this the server would
		// close the request's body then, and so break off the exchange with the agent.
		_ = http.NewResponseController(rw).EnableFullDuplex() // HTTP/2 always is
		proxy.ServeHTTP(rw, r)
	})
}

// serve answers requests until ctx is done, and then lets open streams end for a while.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(listener) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping: open streams may end", "within", drainTime)
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	err := server.Shutdown(limit)
	if errors.Is(err, context.DeadlineExceeded) {
		log.Warn("streams were cut off")
		err = server.Close()
	}
	if served := <-stopped; !errors.Is(served, http.ErrServerClosed) {
		err = cmp.Or(err, served)
	}
	return err
}
