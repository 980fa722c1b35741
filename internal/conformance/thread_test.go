//go:build conformance

package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// thread is a conversation, as a front end holds it between runs.
type thread struct {
	driver     *driver
	url        string
	messages   []any
	state      any
	interrupts []any
}

// run is what the official client says of one run.
type run struct {
	Error      *string // why the client failed the run
	Events     []map[string]any
	Messages   []any
	State      any
	Interrupts []any
	Result     any
	Pending    []string // nil unless the run finished as a success
	Warnings   []string // what the client printed
}

// say starts a run with one more message of the user.
func (th *thread) say(t *testing.T, content any) *run {
	t.Helper()
	th.messages = append(th.messages, map[string]any{
		"id": fmt.Sprintf("user-%d", len(th.messages)), "role": "user", "content": content,
	})
	return th.run(t, nil)
}

// run starts a run with more params than the thread's own.
func (th *thread) run(t *testing.T, more map[string]any) *run {
	t.Helper()
	params := map[string]any{
		"url":        th.url,
		"threadId":   "thread-1",
		"messages":   th.messages,
		"state":      th.state,
		"interrupts": th.interrupts,
		"tools":      []any{},
		"context":    []any{},
	}
	maps.Copy(params, more)
	r := &run{}
	th.driver.call(t, "run", params, r)
	th.messages, th.state, th.interrupts = r.Messages, r.State, r.Interrupts
	return r
}

// types returns the types of the run's events, each once where it comes several times in a row.
func (r *run) types() string {
	var types []string
	for _, ev := range r.Events {
		types = append(types, ev["type"].(string))
	}
	return strings.Join(slices.Compact(types), " ")
}

// last returns the event that ended the run.
func (r *run) last() map[string]any {
	if len(r.Events) == 0 {
		return nil
	}
	return r.Events[len(r.Events)-1]
}

// checkClean fails the test if the client has complained of anything.
func (r *run) checkClean(t *testing.T) {
	t.Helper()
	if r.Error != nil {
		t.Errorf("the client failed the run: %s", *r.Error)
	}
	for _, w := range r.Warnings {
		t.Errorf("the client warned: %s", w)
	}
}

// checkJSON compares values as JSON. Both may name ids: those that the library made are numbered in the
// order of first appearance. What goroutines wrote side by side is in an order of its own.
func checkJSON(t *testing.T, what string, got any, want string) {
	t.Helper()
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatalf("%s: the wanted value is no JSON: %v", what, err)
	}
	if messages, ok := got.([]any); ok {
		sortParallel(messages)
	}
	gotText, wantText := numberIDs(indented(t, got)), indented(t, wanted)
	if gotText != wantText {
		t.Errorf("%s\n got: %s\nwant: %s", what, gotText, wantText)
	}
}

func indented(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var randomID = regexp.MustCompile(`\b(msg|call|reason|sub)_[0-9a-f]{32}\b`)

// numberIDs writes msg_1, msg_2, call_1 and so on for the ids that the library made.
func numberIDs(s string) string {
	names, count := map[string]string{}, map[string]int{}
	return randomID.ReplaceAllStringFunc(s, func(id string) string {
		if names[id] == "" {
			kind, _, _ := strings.Cut(id, "_")
			count[kind]++
			names[id] = fmt.Sprintf("%s_%d", kind, count[kind])
		}
		return names[id]
	})
}

// sortParallel puts into one order what may come in any: the calls of a message by their arguments, and
// neighbours that are tool results, or messages of subagents, by their content.
func sortParallel(messages []any) {
	for _, m := range messages {
		if calls, ok := m.(map[string]any)["toolCalls"].([]any); ok {
			slices.SortFunc(calls, func(a, b any) int { return cmp.Compare(arguments(a), arguments(b)) })
		}
	}
	for start := 0; start < len(messages); {
		end := start + 1
		for end < len(messages) && parallel(messages[start]) != "" && parallel(messages[start]) == parallel(messages[end]) {
			end++
		}
		slices.SortFunc(messages[start:end], func(a, b any) int { return cmp.Compare(content(a), content(b)) })
		start = end
	}
}

func arguments(call any) string {
	return call.(map[string]any)["function"].(map[string]any)["arguments"].(string)
}

func content(message any) string {
	return fmt.Sprint(message.(map[string]any)["content"])
}

// parallel says with which neighbours a message may change places: those of the same group, "" for none.
func parallel(message any) string {
	m := message.(map[string]any)
	switch {
	case m["role"] == "tool":
		return "tool"
	case m["subagentRunId"] != nil:
		return "subagent"
	}
	return ""
}
