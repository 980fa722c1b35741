package ids_test

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/agui-go/agui/ids"
)

var kinds = []ids.Kind{
	ids.Thread, ids.Run, ids.Message, ids.ToolCall, ids.Reasoning, ids.Subagent, ids.Interrupt,
	"order", "two_words", "",
}

func TestRandomForm(t *testing.T) {
	digits := regexp.MustCompile(`^[0-9a-f]{32}$`)
	for _, kind := range kinds {
		id := ids.New(kind)
		prefix, rest := split(id)
		if got, want := prefix, string(kind); got != want {
			t.Errorf("prefix of %q\n got: %q\nwant: %q", id, got, want)
		}
		if !digits.MatchString(rest) {
			t.Errorf("rest of %q\n got: %q\nwant: 32 lower-case hexadecimal digits", id, rest)
		}
		u, err := uuid.Parse(rest)
		if err != nil {
			t.Fatalf("uuid.Parse(%q): %v", rest, err)
		}
		if got, want := u.Version(), uuid.Version(7); got != want {
			t.Errorf("version of %q\n got: %d\nwant: %d", rest, got, want)
		}
		if got, want := u.Variant(), uuid.RFC4122; got != want {
			t.Errorf("variant of %q\n got: %v\nwant: %v", rest, got, want)
		}
	}
}

func TestRandomSortsInOrderOfMaking(t *testing.T) {
	source := ids.Random()
	var made []string
	for range 1000 {
		made = append(made, source.NewID(ids.Message))
	}
	if !slices.IsSorted(made) {
		t.Error("ids of one kind do not sort in the order of their making")
	}
}

func TestSourcesAreUniqueUnderConcurrency(t *testing.T) {
	const goroutines, each = 16, 200
	sources := map[string]ids.Source{
		"Random":            ids.Random(),
		"RandomFrom(nil)":   ids.RandomFrom(nil),
		"RandomFrom(fails)": ids.RandomFrom(failing{}),
		"Sequence":          ids.Sequence(),
	}
	for name, source := range sources {
		var mu sync.Mutex
		seen := make(map[string]bool)
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				for range each {
					id := source.NewID(ids.ToolCall)
					mu.Lock()
					seen[id] = true
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if got, want := len(seen), goroutines*each; got != want {
			t.Errorf("%s: distinct ids\n got: %d\nwant: %d", name, got, want)
		}
	}
}

func TestRandomFromReadsItsReader(t *testing.T) {
	id := ids.RandomFrom(constant(0xab)).NewID(ids.Run)
	if got, want := id[len(id)-14:], strings.Repeat("ab", 7); got != want {
		t.Errorf("random digits at the end of %q\n got: %s\nwant: %s", id, got, want)
	}
}

func TestFailingReaderStillGivesRandomIDs(t *testing.T) {
	for name, r := range map[string]io.Reader{"error": failing{}, "short": short{}} {
		source := ids.RandomFrom(r)
		seen := make(map[string]bool)
		for range 100 {
			id := source.NewID(ids.Message)
			_, rest := split(id)
			u, err := uuid.Parse(rest)
			if err != nil || u.Version() != 7 {
				t.Fatalf("%s: id %q is no UUID of version 7: %v", name, id, err)
			}
			seen[rest[16:]] = true // the random half alone
		}
		if got, want := len(seen), 100; got != want {
			t.Errorf("%s: distinct random halves\n got: %d\nwant: %d", name, got, want)
		}
	}
}

func TestSequenceCountsEachKind(t *testing.T) {
	source := ids.Sequence()
	var got []string
	for _, kind := range []ids.Kind{ids.Message, ids.Message, ids.ToolCall, ids.Message, "", "a_b"} {
		got = append(got, source.NewID(kind))
	}
	want := []string{"msg_1", "msg_2", "call_1", "msg_3", "1", "a_b_1"}
	if !slices.Equal(got, want) {
		t.Errorf("ids\n got: %q\nwant: %q", got, want)
	}
	if got, want := ids.Sequence().NewID(ids.Message), "msg_1"; got != want {
		t.Errorf("first id of a second sequence\n got: %q\nwant: %q", got, want)
	}
}

func TestOr(t *testing.T) {
	source := ids.Func(func(kind ids.Kind) string { return "made-" + string(kind) })
	tests := []struct{ provided, want string }{
		{"", "made-call"},
		{"toolu_01A09q90qw90lq917835lq9", "toolu_01A09q90qw90lq917835lq9"},
		{" ", " "},
		{"日本\x00\xff", "日本\x00\xff"},
	}
	for _, tt := range tests {
		if got := ids.Or(tt.provided, source, ids.ToolCall); got != tt.want {
			t.Errorf("Or(%q)\n got: %q\nwant: %q", tt.provided, got, tt.want)
		}
	}
	if got := ids.Or("", nil, ids.ToolCall); !strings.HasPrefix(got, "call_") || len(got) != len("call_")+32 {
		t.Errorf("Or with a nil source\n got: %q\nwant: a random id with the prefix call_", got)
	}
}

func TestAllocations(t *testing.T) {
	random, sequence := ids.Random(), ids.Sequence()
	tests := []struct {
		name string
		want float64
		f    func()
	}{
		// One for the id, one for the random bits on their way through the io.Reader.
		{"Random", 2, func() { random.NewID(ids.Message) }},
		{"Sequence", 2, func() { sequence.NewID(ids.Message) }},
		{"Or with a provided id", 0, func() { ids.Or("m1", nil, ids.Message) }},
	}
	for _, tt := range tests {
		if got := testing.AllocsPerRun(100, tt.f); got > tt.want {
			t.Errorf("%s: allocations\n got: %v\nwant: at most %v", tt.name, got, tt.want)
		}
	}
}

func BenchmarkRandom(b *testing.B) {
	source := ids.Random()
	b.ReportAllocs()
	for b.Loop() {
		source.NewID(ids.Message)
	}
}

func BenchmarkRandomParallel(b *testing.B) {
	source := ids.Random()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			source.NewID(ids.Message)
		}
	})
}

// split cuts an id at its last underscore.
func split(id string) (prefix, rest string) {
	i := strings.LastIndexByte(id, '_')
	if i < 0 {
		return "", id
	}
	return id[:i], id[i+1:]
}

// constant is a reader of one byte, for ever.
type constant byte

func (c constant) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

// failing is a reader that has nothing.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

// short is a reader that has too little, and then nothing.
type short struct{}

func (short) Read(p []byte) (int, error) { return copy(p, "abc"), io.EOF }
