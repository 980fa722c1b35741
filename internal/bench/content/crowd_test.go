package content

import (
	"strings"
	"testing"
)

// TestCrowd: what many goroutines write comes out whole, and in order.
func TestCrowd(t *testing.T) {
	for _, w := range crowdWriters {
		for _, n := range crowd {
			if err := w.check(n); err != nil {
				t.Errorf("%s, %d goroutines: %v", w.name, n, err)
			}
		}
	}
}

// TestCheckCrowd: a stream that is not what the goroutines wrote is found.
func TestCheckCrowd(t *testing.T) {
	members := []member{{id: "a"}, {id: "b"}}
	var frames []string
	for i := range checkedDeltas {
		frames = append(frames, crowdFrame("a", 0, i), crowdFrame("b", 1, i))
	}
	stream := func(edit func(frames []string) []string) string {
		return strings.Join(edit(append([]string(nil), frames...)), "")
	}
	for _, tt := range []struct {
		name string
		edit func([]string) []string
		ok   bool
	}{
		{"the same", func(f []string) []string { return f }, true},
		{"two of two goroutines the other way round", func(f []string) []string { f[0], f[1] = f[1], f[0]; return f }, true},
		{"two of one goroutine the other way round", func(f []string) []string { f[0], f[2] = f[2], f[0]; return f }, false},
		{"one is missing", func(f []string) []string { return f[1:] }, false},
		{"the last is missing", func(f []string) []string { return f[:len(f)-1] }, false},
		{"one twice", func(f []string) []string { return append(f, f[len(f)-1]) }, false},
		{"one too many", func(f []string) []string { return append(f, crowdFrame("a", 0, checkedDeltas)) }, false},
		{"the message of another", func(f []string) []string { f[0] = crowdFrame("b", 0, 0); return f }, false},
		{"nobody's", func(f []string) []string { f[0] = crowdFrame("a", 2, 0); return f }, false},
		{"one within another", func(f []string) []string { f[0] = f[0][:70] + f[1] + f[0][70:]; f[1] = ""; return f }, false},
		{"torn off", func(f []string) []string { f[len(f)-1] = f[len(f)-1][:80]; return f }, false},
		{"nothing", func([]string) []string { return nil }, false},
	} {
		if err := checkCrowd(stream(tt.edit), members); (err == nil) != tt.ok {
			t.Errorf("%s: got %v\nwant it to pass: %v", tt.name, err, tt.ok)
		}
	}
}
