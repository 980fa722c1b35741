//go:build conformance

package conformance

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// The search must know when two states are the same. A Verifier does not show all that it remembers, so its
// fields are read by reflection: every field of it is either in the state's text or in the list of those
// that no verdict depends on, and a field that is in neither fails the search.

// unread are the fields that no verdict depends on, by type.
var unread = map[string][]string{
	"Verifier": {"set", "passed", "report"}, // the same in all states of a search
	"state": {
		"index", "since", "terminal", // for messages
		"phase", "begun", "threadID", "runID", // the same in all states of a search, which are of runs under way
	},
	"openSet": {"tables", "steps", "count"}, // read by Open
	"owners":  {"numbers"},                  // where in tags a tag is
	"lanes":   {"byID"},                     // byTag by another key
	"ledger": {
		"earlierEvents", "earlierCalls", // a search is one run
		"calls", // the order of the marks counts
	},
	"idTable": {"last", "count", "pages"}, // where in chunks an id is
}

// read are the fields that the text of a state is made of.
var read = map[string][]string{
	"Verifier": {"state"},
	"state":    {"open", "owners", "ledger", "lanes", "pending"},
	"owners":   {"tags"},
	"lanes":    {"byTag"},
	"ledger":   {"ids"},
	"idTable":  {"chunks"},
	"lane":     {"tag", "kind", "id", "role", "name", "parent"},
}

// checkFields returns an error when a type that states are made of has a field that is not known here.
func checkFields(t reflect.Type) error {
	for i := range t.NumField() {
		f := t.Field(i)
		name := t.Name()
		if !slices.Contains(read[name], f.Name) && !slices.Contains(unread[name], f.Name) {
			return fmt.Errorf("statekey_test.go does not know the field %s of verify.%s: is it part of the state?", f.Name, name)
		}
		inner := f.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map || inner.Kind() == reflect.Array || inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && read[inner.Name()] != nil && slices.Contains(read[name], f.Name) {
			if err := checkFields(inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// stateText returns what v remembers: the entries of its stores, in no order. Only ids and tags have small
// letters.
func stateText(v *verify.Verifier) [][]string {
	state := reflect.ValueOf(v).Elem().FieldByName("state")
	tags := state.FieldByName("owners").FieldByName("tags")
	owner := func(n uint64) string {
		if n < 2 {
			return [...]string{"0", "-"}[n]
		}
		return tags.Index(int(n) - 2).String()
	}

	var open []string
	for _, o := range v.Open() {
		open = append(open, fmt.Sprintf("%d%s%s", o.Kind, o.ID, o.Owner.Or("-")))
	}
	out := [][]string{open, lanesText(state.FieldByName("lanes").FieldByName("byTag"))}

	ids := state.FieldByName("ledger").FieldByName("ids")
	for class := range ids.Len() {
		var records []record
		if table := ids.Index(class); !table.IsNil() {
			records = recordsOf(table.Elem().FieldByName("chunks"), class)
		}
		var entries []string
		for _, r := range records {
			// When something closed is read by messages only, and so is whether a chunk opened it.
			closed, order := uint32(0), 0
			switch class {
			case callClass:
				order = orderOf(r, records)
			case subagentClass:
				closed = min(r.closed, 1)
			case stepClass:
				continue
			}
			entries = append(entries, fmt.Sprintf("%s%s%d%d%d%d", r.id, owner(r.owner), closed, order, r.kind, r.flags&^chunkedFlag))
		}
		out = append(out, entries)
	}
	return append(out, []string{fmt.Sprint(state.FieldByName("pending").Int())})
}

// Places in the ledger and flags of its records; TestStateText holds them to what the Verifier means.
const (
	reasoningClass = 1
	callClass      = 2
	subagentClass  = 4
	stepClass      = 5

	startedFlag = 2
	chunkedFlag = 8
)

// record is what a Verifier keeps of an id.
type record struct {
	id           string
	kind, flags  byte
	owner        uint64
	closed, mark uint32
}

// recordsOf reads the records of a class out of the chunks that hold them.
func recordsOf(chunks reflect.Value, class int) []record {
	var list []record
	for i := range chunks.Len() {
		for rest := chunks.Index(i).Bytes(); len(rest) > 0; {
			n := 1 + int(rest[0]) // the ids of a search are short
			r := record{id: string(rest[1:n]), kind: rest[n] & 7, flags: rest[n] >> 3}
			r.owner = uint64(binary.LittleEndian.Uint32(rest[n+1:]))
			r.closed = binary.LittleEndian.Uint32(rest[n+5:])
			rest = rest[n+9:]
			if class == callClass || class == reasoningClass {
				r.mark = binary.LittleEndian.Uint32(rest)
				rest = rest[4:]
			}
			list = append(list, r)
		}
	}
	return list
}

// orderOf returns the place of a call among those that the run has introduced, from 1, 0 if it is none of
// them.
func orderOf(call record, all []record) int {
	if call.flags&startedFlag == 0 {
		return 0
	}
	order := 1
	for _, other := range all {
		if other.flags&startedFlag != 0 && other.mark < call.mark {
			order++
		}
	}
	return order
}

func lanesText(byTag reflect.Value) []string {
	opt := func(v reflect.Value) string {
		if !v.FieldByName("set").Bool() {
			return "-"
		}
		return v.FieldByName("value").String()
	}
	var entries []string
	for each := byTag.MapRange(); each.Next(); {
		l := each.Value().Elem()
		entries = append(entries, fmt.Sprintf("%s%d%s%s.%s.%s", opt(l.FieldByName("tag")), l.FieldByName("kind").Uint(), l.FieldByName("id").String(),
			strings.ToUpper(l.FieldByName("role").String()), opt(l.FieldByName("name")), opt(l.FieldByName("parent"))))
	}
	return entries
}

// swaps are the ways to give ids and owners other names. A state and what it becomes under one of them have
// the same future, but for the names.
var swaps = func() [4][256]byte {
	var tables [4][256]byte
	for n := range tables {
		for c := range 256 {
			tables[n][c] = byte(c)
		}
		if n&1 != 0 {
			tables[n]['a'], tables[n]['b'] = 'b', 'a'
		}
		if n&2 != 0 {
			tables[n]['x'], tables[n]['y'] = 'y', 'x'
		}
	}
	return tables
}()

// canonical returns one text for all states that are the same but for names. Entries have no order.
func canonical(stores [][]string) string {
	best := ""
	for n := range swaps {
		var b strings.Builder
		for _, entries := range stores {
			renamed := make([]string, len(entries))
			for i, entry := range entries {
				renamed[i] = rename(entry, &swaps[n])
			}
			slices.Sort(renamed)
			for _, entry := range renamed {
				b.WriteString(entry)
				b.WriteByte(';')
			}
			b.WriteByte('|')
		}
		if text := b.String(); best == "" || text < best {
			best = text
		}
	}
	return best
}

func rename(entry string, names *[256]byte) string {
	out := []byte(entry)
	for i, c := range out {
		out[i] = names[c]
	}
	return string(out)
}

// clientStores returns the stores of a state of the client, from the text that explore.mjs makes.
func clientStores(text string) [][]string {
	var stores [][]string
	for store := range strings.SplitSeq(text, "|") {
		var entries []string
		if store != "" {
			entries = strings.Split(store, ";")
		}
		stores = append(stores, entries)
	}
	return stores
}

// TestStateText: what a verdict depends on is in the text of a state, and what none does is not.
func TestStateText(t *testing.T) {
	text := func(list ...events.Event) string {
		v := verify.New(verify.Strict)
		for _, ev := range append([]events.Event{events.NewRunStarted("T", "R")}, list...) {
			if err := v.Observe(ev); err != nil {
				t.Fatal(err)
			}
		}
		var b strings.Builder
		for _, entries := range stateText(v) {
			slices.Sort(entries)
			fmt.Fprintln(&b, entries)
		}
		return b.String()
	}
	call := func(id string) []events.Event {
		return []events.Event{&events.ToolCallStart{ToolCallID: id, ToolCallName: "F"}, &events.ToolCallEnd{ToolCallID: id}}
	}
	message := []events.Event{events.NewTextMessageStart("a"), events.NewTextMessageEnd("a")}
	subagent := []events.Event{&events.SubagentStarted{SubagentRunID: "x", Name: "N"}, &events.SubagentFinished{SubagentRunID: "x"}}
	chunk := &events.TextMessageChunk{MessageID: events.Some("a")}
	tests := []struct {
		name string
		a, b []events.Event
		same bool
	}{
		{"an open message", message[:1], message, false},
		{"a message that was", message, nil, false},
		{"a message twice", message, slices.Concat(message, message), true},
		{"a message by chunk", message, []events.Event{chunk, &events.Custom{Name: "C"}}, true},
		{"a message still being assembled", message, []events.Event{chunk}, false},
		{"an owner", message[:1], []events.Event{&events.TextMessageStart{MessageID: "a", SubagentRunID: events.Some("x")}}, false},
		{"a subagent that was", subagent, nil, false},
		{"a step that was", []events.Event{events.NewStepStarted("a"), events.NewStepFinished("a")}, nil, true},
		{"an open step", []events.Event{events.NewStepStarted("a")}, nil, false},
		{"the order of calls", slices.Concat(call("a"), call("b")), slices.Concat(call("b"), call("a")), false},
		{"a call and its result", slices.Concat(call("a"), message), slices.Concat(call("a"), message, []events.Event{events.NewToolCallResult("b", "a", "")}), false},
		{"a span that was", []events.Event{events.NewReasoningStart("a"), events.NewReasoningEnd("a")},
			[]events.Event{events.NewReasoningStart("a"), &events.Raw{}, events.NewReasoningEnd("a")}, true},
		{"what passes", nil, []events.Event{&events.Raw{}, &events.StateDelta{}}, true},
	}
	for _, tt := range tests {
		if got := text(tt.a...) == text(tt.b...); got != tt.same {
			t.Errorf("%s: same text\n got: %t\nwant: %t\n%s\n%s", tt.name, got, tt.same, text(tt.a...), text(tt.b...))
		}
	}
}
