package faults

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// nginxConf is a configuration that says nothing of buffers, so that nginx buffers what it may.
const nginxConf = `
daemon off; pid %[1]s/nginx.pid; error_log %[1]s/error.log;
events {}
http {
  access_log off;
  client_body_temp_path %[1]s/1; proxy_temp_path %[1]s/2; fastcgi_temp_path %[1]s/3; uwsgi_temp_path %[1]s/4; scgi_temp_path %[1]s/5;
  server { listen unix:%[1]s/socket; location / { proxy_pass %[2]s; } }
}
`

// TestBehindNginx has an agent that goes on when its client, behind an nginx that buffers by default,
// has seen the event before.
func TestBehindNginx(t *testing.T) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		if _, err := os.Stat("/usr/sbin/nginx"); err != nil { // where Debian puts it, and no PATH of a user leads to
			t.Skip("LEFT OUT: nginx is not installed, and nothing was tried behind it (Debian: apt-get install nginx-light)")
		}
		nginx = "/usr/sbin/nginx"
	}
	const count = 5
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			seen := make(chan bool, count) // a client whose agent has given up reads on
			server := httptest.NewServer(s.serve(func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
				for i := range count {
					select {
					case <-seen:
					case <-time.After(patience):
						t.Errorf("event %d is held back", i)
						return context.DeadlineExceeded
					}
					if err := em.Custom("faults:n", i); err != nil {
						return err
					}
				}
				return nil
			}, middleware.WithLogger(nil)))
			defer server.Close()
			resp, err := behind(t, nginx, server.URL).Post("http://nginx/", "application/json", strings.NewReader(input))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			lines := bufio.NewScanner(resp.Body)
			got := 0
			for lines.Scan() {
				if !strings.HasPrefix(lines.Text(), "data: ") {
					continue
				}
				if got++; got <= count {
					seen <- true
				}
			}
			if err := lines.Err(); err != nil || got != count+2 {
				t.Errorf("events:\n got %d, %v\nwant %d", got, err, count+2)
			}
		})
	}
}

// behind starts nginx in front of the server, and returns a client that goes through it.
func behind(t *testing.T, nginx, url string) *http.Client {
	t.Helper()
	dir, err := os.MkdirTemp("", "nginx") //nolint:usetesting // t.TempDir may be too long for a socket's name
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // a worker may run as another user
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxConf, dir, url), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(nginx, "-p", dir, "-c", conf, "-e", filepath.Join(dir, "error.log"))
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, "socket"))
	}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // how nginx ends is not what is tested
	})
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("unix", filepath.Join(dir, "socket"))
		if err == nil {
			conn.Close()
			return &http.Client{Transport: transport}
		}
		if time.Since(begin) > patience {
			t.Fatalf("nginx does not listen: %v", err)
		}
	}
}
