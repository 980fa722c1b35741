package retained

import (
	"context"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/bench/reporttest"
)

func TestMain(m *testing.M) {
	if Child() {
		return
	}
	m.Run()
}

func TestShort(t *testing.T) {
	if r := reporttest.Short(t, Group()); len(r.Rows) != 2 || len(r.Goals) != 4 {
		t.Errorf("got %d rows and %d goals\nwant 2 and 4", len(r.Rows), len(r.Goals))
	}
}

// TestMap: what is known of a map of strings comes out: 36 characters take 48 bytes, a header 16, and the table
// is up to seven eighths full.
func TestMap(t *testing.T) {
	f, err := inChild(context.Background(), keepMap, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	if f.BytesPerID < 64 || f.BytesPerID > 140 || f.MarkMS <= 0 || f.InsertNS <= 0 || f.WorstMS <= 0 {
		t.Errorf("got %+v\nwant 64 to 140 bytes for an id, and times", f)
	}
}

func TestChildFails(t *testing.T) {
	_, err := inChild(context.Background(), "nothing", 1)
	if err == nil || !strings.Contains(err.Error(), `no way "nothing"`) {
		t.Errorf("got %v\nwant what the child says", err)
	}
}

func TestIDText(t *testing.T) {
	const n = 10_000
	text := idText(n)
	seen := map[string]bool{}
	for i := range n {
		seen[string(text[i*idLen:(i+1)*idLen])] = true
	}
	if len(text) != n*idLen || len(seen) != n {
		t.Errorf("got %d ids in %d bytes\nwant %d of %d", len(seen), len(text), n, idLen)
	}
}

func TestMedians(t *testing.T) {
	all := []figures{{WorstMS: 1, MarkMS: 1}, {WorstMS: 3, MarkMS: 3}, {WorstMS: 2, MarkMS: 2}}
	if got := medians(all); got.MarkMS != 2 || got.WorstMS != 1 {
		t.Errorf("got %+v\nwant a median of 2, and 1 for the slowest batch", got)
	}
	if got := spread(all).MarkMS; got != 0.5 {
		t.Errorf("got a spread of %v\nwant 0.5", got)
	}
}
