package instructions

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/internal/bench/reporttest"
)

func TestMain(m *testing.M) {
	if Child(tables) {
		return
	}
	m.Run()
}

// sink keeps the compiler from leaving the loops out.
var sink int

// tables have loops of which one is twice as long, and what cannot be opened. They are long enough for what the
// runtime does besides to be little.
var tables = []Table{{
	Name: "sums",
	Open: func() ([]measure.Row, func() error, error) {
		return []measure.Row{{Name: "short", Do: func(n int) error { return sum(n, 1_000) }}, {Name: "long", Do: func(n int) error { return sum(n, 2_000) }}},
			func() error { return nil }, nil
	},
	Watched: []string{"long"},
}, {
	Name: "broken",
	Open: func() ([]measure.Row, func() error, error) { return nil, nil, errors.New("no bread") },
}}

//go:noinline
func sum(n, steps int) error {
	for range n {
		for i := range steps {
			sink += i
		}
	}
	return nil
}

func needValgrind(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("LEFT OUT: valgrind is not installed, and no instructions were counted (Debian: apt-get install valgrind)")
	}
}

// TestShort: work that is twice as long takes about twice as many instructions, in the function that does it.
func TestShort(t *testing.T) {
	needValgrind(t)
	r := reporttest.Short(t, Group(tables))
	if len(r.Rows) != 2 || len(r.Ratios) != 1 {
		t.Fatalf("got %d rows and %d ratios\nwant 2 and 1", len(r.Rows), len(r.Ratios))
	}
	if got := r.Ratios[0].Got; got < 1.8 || got > 2.1 {
		t.Errorf("a loop of 2,000 steps against one of 1,000\n got: %.3f\nwant: about 2", got)
	}
	if got := r.Rows[1][4]; !strings.HasPrefix(got, "instructions.sum ") {
		t.Errorf("functions\n got: %s\nwant: instructions.sum first", got)
	}
}

func TestWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r, err := Group(tables).Measure(context.Background(), report.Options{Short: true})
	if err != nil || len(r.Rows) != 0 || !strings.HasPrefix(r.About, "LEFT OUT: valgrind is not installed") {
		t.Errorf("got %+v, %v\nwant to hear that valgrind is not installed", r, err)
	}
}

func TestChildFails(t *testing.T) {
	needValgrind(t)
	for _, tt := range []struct {
		job  job
		want string
	}{
		{job{"nothing", "short", 1}, `no table "nothing"`},
		{job{"sums", "nothing", 1}, `no row "nothing"`},
		{job{"broken", "short", 1}, "no bread"},
	} {
		if _, err := count(context.Background(), tt.job); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v\n got: %v\nwant: what the child says, %s", tt.job, err, tt.want)
		}
	}
}

func TestParse(t *testing.T) {
	const output = `version: 1
events: Ir

fl=a.go
fn=main.one
12 5
cfn=main.two
calls=3 20
13 300
14 2

fn=main.two
20 300
fi=b.go
7 1
fn=main.one
15 1
totals: 309
`
	p, err := parse(strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.String(), "main.two 301, main.one 8"; got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
	for _, bad := range []string{"", "12 5\n", "fn=f\n12 many\n"} {
		if p, err := parse(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: got %v\nwant an error", bad, p)
		}
	}
}

func TestString(t *testing.T) {
	p := profile{"a/b.(*T).f[go.shape.string]": 12.4, "g": 3, "h": 0.4, "i": 0.4, "j": 0.4}
	if got, want := p.String(), "b.(*T).f 12, g 3, others 1"; got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
	if got := nameOf("0x10"); got != "0x10" {
		t.Errorf("an address of no function\n got: %s\nwant: itself", got)
	}
}
