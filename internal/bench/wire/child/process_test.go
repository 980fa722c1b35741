package child

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	adds := func(p *Parent) error {
		for sum := 0; ; {
			var n int
			if err := p.Next(&n); err != nil {
				return err
			}
			sum += n
			if err := p.Answer(sum); err != nil {
				return err
			}
		}
	}
	fails := func(*Parent) error { return errors.New("no bread") }
	uses := func(p *Parent) error {
		for {
			var write string
			if err := p.Next(&write); err != nil {
				return err
			}
			if write != "" {
				if err := os.WriteFile(os.DevNull, []byte(write), 0); err != nil {
					return err
				}
			}
			used, err := p.Used()
			if err != nil {
				return err
			}
			if err := p.Answer(used); err != nil {
				return err
			}
		}
	}
	sleeps := func(*Parent) error {
		time.Sleep(time.Minute)
		return nil
	}
	if Run("sleeps", sleeps) || Run("adds", adds) || Run("fails", fails) || Run("uses", uses) {
		return
	}
	os.Exit(m.Run())
}

func start(t *testing.T, ctx context.Context, name string) *Process {
	t.Helper()
	p, err := Start(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAsk(t *testing.T) {
	p := start(t, t.Context(), "adds")
	for i, want := range []int{1, 3, 6} {
		var got int
		if err := p.Ask(i+1, &got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("sum after %d\n got: %d\nwant: %d", i+1, got, want)
		}
	}
	if err := p.Close(); err != nil {
		t.Errorf("Close\n got: %v\nwant: no error", err)
	}
}

func TestChildFails(t *testing.T) {
	p := start(t, t.Context(), "fails")
	if err := p.Ask(1, new(int)); err == nil {
		t.Error("Ask\n got: no error\nwant: one")
	}
	if err := p.Close(); err == nil || !strings.Contains(err.Error(), "exit status 1: fails: no bread") {
		t.Errorf("Close\n got: %v\nwant: the status and what the child printed", err)
	}
}

func TestChildIsKilledWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := start(t, ctx, "sleeps")
	cancel()
	if err := p.Close(); err == nil {
		t.Error("Close\n got: no error\nwant: one, the child was killed")
	}
}

func TestUsed(t *testing.T) {
	p := start(t, t.Context(), "uses")
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	used := func(write string) Usage {
		var u Usage
		if err := p.Ask(write, &u); err != nil {
			t.Fatal(err)
		}
		return u
	}
	before := used("")
	if more := used("").Minus(before); more.Writes > 2 || more.Bytes > 16 { // the runtime may wake itself up
		t.Errorf("used for an answer\n got: %+v\nwant: no writes", more)
	}
	before = used("")
	if more := used(strings.Repeat("x", 1000)).Minus(before); more.Writes < 1 || more.Writes > 3 || more.Bytes < 1000 || more.Bytes > 1024 {
		t.Errorf("used for a write of 1,000 bytes\n got: %+v\nwant: 1 write", more)
	}
}

func TestMemory(t *testing.T) {
	resident, peak, err := Memory(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if resident < 1<<20 || peak < resident/2 {
		t.Errorf("memory\n got: %d bytes, %d at most\nwant: more than a MiB", resident, peak)
	}
	if _, _, err := Memory(-1); err == nil {
		t.Error("memory of no process\n got: no error\nwant: one")
	}
}
