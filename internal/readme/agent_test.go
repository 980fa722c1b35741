package readme

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/verify"
)

// agent is a running echo-agent.
type agent struct {
	url string
	cmd *exec.Cmd
	out *output
}

// output keeps what a process prints and shows its first line to whoever waits for it.
type output struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	first chan string
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, _, had := bytes.Cut(o.buf.Bytes(), []byte("\n"))
	o.buf.Write(p)
	if line, _, has := bytes.Cut(o.buf.Bytes(), []byte("\n")); has && !had {
		o.first <- string(line)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

var address = regexp.MustCompile(`http://\S+`)

// startAgent builds and starts the echo-agent, as the README's first command does, on a free port.
func startAgent(t *testing.T) *agent {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "echo-agent")
	if text, err := exec.Command("go", "build", "-o", bin, "../../examples/echo-agent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	a := &agent{cmd: exec.Command(bin, "-addr", "127.0.0.1:0"), out: &output{first: make(chan string, 1)}}
	a.cmd.Stdout, a.cmd.Stderr = a.out, a.out
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.stop)
	if a.url = address.FindString(<-a.out.first); a.url == "" {
		t.Fatalf("the agent does not say where it listens: %s", a.out)
	}
	return a
}

// stop ends the agent and waits until all that it prints is there. It may be called again.
func (a *agent) stop() {
	_ = a.cmd.Process.Signal(syscall.SIGTERM)
	_ = a.cmd.Wait()
}

// ask sends what curl sends in the README, and returns the response.
func (a *agent) ask(t *testing.T, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.url+"/agent", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func fenced(language, text string) string {
	return "```" + language + "\n" + strings.TrimSpace(text) + "\n```\n"
}

var curlBody = regexp.MustCompile(`(?s)curl -N http://127\.0\.0\.1:8080/agent .*?-d '(.*?)'`)

// curl answers the request of the README's curl command.
func curl(t *testing.T) string {
	body := curlBody.FindStringSubmatch(readme(t))
	if body == nil {
		t.Fatal("README.md has no curl command")
	}
	return fenced("", startAgent(t).ask(t, body[1]))
}

// mistake returns what the echo-agent prints when it breaks a rule.
func mistake(t *testing.T) string {
	a := startAgent(t)
	a.ask(t, `{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"break"}]}`)
	a.stop()
	return a.out.String()
}

// lines returns the first line of text that begin matches, and those after it as long as keep says so.
func lines(text string, begin *regexp.Regexp, keep func(line string) bool) string {
	var b strings.Builder
	in := bufio.NewScanner(strings.NewReader(text))
	for in.Scan() {
		if line := in.Text(); b.Len() > 0 && keep(line) || b.Len() == 0 && begin.MatchString(line) {
			b.WriteString(line + "\n")
		} else if b.Len() > 0 {
			break
		}
	}
	return b.String()
}

func mistakeLog(t *testing.T) string {
	return fenced("", lines(mistake(t), regexp.MustCompile(` WARN agui: `), func(string) bool { return false }))
}

func mistakeSpan(t *testing.T) string {
	return fenced("", lines(mistake(t), regexp.MustCompile(`^span `), func(line string) bool { return strings.HasPrefix(line, " ") }))
}

// mistakeError makes the same mistake and returns the error's text.
func mistakeError(t *testing.T) string {
	em := emitter.New(context.Background(), emitter.ToWriter(io.Discard), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject))
	defer em.Close(nil)
	if err := em.RunStart("t", "r"); err != nil {
		t.Fatal(err)
	}
	err := em.TextContent("msg_never_opened", "Can you hear me?")
	if v, ok := err.(*verify.Violation); !ok || v.Rule != verify.NotOpen {
		t.Fatalf("got %v\nwant a violation of NotOpen", err)
	}
	return fenced("", err.Error())
}
