package report_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/bench/report"
)

func TestGoalState(t *testing.T) {
	for _, tt := range []struct {
		name string
		goal report.Goal
		want report.State
	}{
		{"at the limit", report.Goal{Got: 1.5, Want: 1.5}, report.Reached},
		{"below", report.Goal{Got: 1, Want: 1.5}, report.Reached},
		{"above by less than the noise", report.Goal{Got: 1.55, Want: 1.5, Noise: 0.05}, report.WithinNoise},
		{"above by more than the noise", report.Goal{Got: 1.6, Want: 1.5, Noise: 0.05}, report.Missed},
		{"at least, reached", report.Goal{Got: 11, Want: 10, AtLeast: true}, report.Reached},
		{"at least, within the noise", report.Goal{Got: 9.6, Want: 10, AtLeast: true, Noise: 0.05}, report.WithinNoise},
		{"at least, missed", report.Goal{Got: 9, Want: 10, AtLeast: true, Noise: 0.05}, report.Missed},
		{"a reason", report.Goal{Got: 2, Want: 1.5, Why: "the lock"}, report.OutOfReach},
		{"a reason, and reached", report.Goal{Got: 1, Want: 1.5, Why: "the lock"}, report.Reached},
		{"nothing of nothing", report.Goal{Got: 0, Want: 0}, report.Reached},
		{"something where nothing is allowed", report.Goal{Got: 1, Want: 0, Noise: 1}, report.Missed},
		{"not measured", report.Goal{Got: math.NaN(), Want: 1}, report.Missed},
		{"not measured, and a reason", report.Goal{Got: math.NaN(), Want: 1, Why: "the lock"}, report.Missed},
		{"not measured, at least, and a reason", report.Goal{Got: math.NaN(), Want: 1, AtLeast: true, Why: "the lock"}, report.Missed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.goal.State(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func section(r report.Result) []report.Section {
	return []report.Section{{Group: report.Group{Key: "group", Title: "Group"}, Result: &r}}
}

func TestJudge(t *testing.T) {
	record := report.Record{Ratios: map[string]float64{"ours": 1.5, "ours against json": 0.1}}
	both := func(floor, json float64) report.Result {
		return report.Result{Ratios: []report.Ratio{
			{Name: "ours", Thing: "ours", Got: floor}, {Name: "ours against json", Thing: "ours", Got: json},
		}}
	}
	for _, tt := range []struct {
		name   string
		result report.Result
		want   string // in the one failure; empty: none
	}{
		{"as recorded", report.Result{Ratios: []report.Ratio{{Name: "ours", Got: 1.5}}}, ""},
		{"faster", report.Result{Ratios: []report.Ratio{{Name: "ours", Got: 1.2}}}, ""},
		{"slower by less than a tenth", report.Result{Ratios: []report.Ratio{{Name: "ours", Got: 1.64}}}, ""},
		{"slower by a tenth and less than the noise", report.Result{Ratios: []report.Ratio{{Name: "ours", Got: 1.7, Noise: 0.05}}}, ""},
		{"slower by a fifth", report.Result{Ratios: []report.Ratio{{Name: "ours", Got: 1.8, Noise: 0.05}}}, "20 % worse"},
		{"slower by a fifth against one of two", both(1.8, 0.1), ""},
		{"slower by a fifth against the other of two", both(1.5, 0.12), ""},
		{"not measured", report.Result{Ratios: []report.Ratio{{Name: "ours", Got: math.NaN()}}}, "worse"},
		{"not on record", report.Result{Ratios: []report.Ratio{{Name: "new", Got: 1}}}, "-record"},
		{"a goal missed", report.Result{Goals: []report.Goal{{Number: 3, What: "by handle", Got: 2, Want: 1, Unit: "x"}}}, "goal 3, by handle: 2 x, which is to be ≤ 1 x"},
		{"a goal missed within the noise", report.Result{Goals: []report.Goal{{Got: 1.04, Want: 1, Noise: 0.05}}}, ""},
		{"a goal out of reach", report.Result{Goals: []report.Goal{{Got: 2, Want: 1, Why: "the lock"}}}, ""},
		{"in order", report.Result{Orders: []report.Order{{What: "SDK over ours", Got: 30}}}, ""},
		{"swapped", report.Result{Orders: []report.Order{{What: "SDK over ours", Got: 0.5, Noise: 0.1}}}, "SDK over ours"},
		{"twins", report.Result{Twins: []report.Twin{{Got: 1.03}}}, ""},
		{"a twin that is slow", report.Result{Twins: []report.Twin{{What: "R again takes as long as R", Got: 1.3}}}, "1.30 times"},
		{"a twin that is fast", report.Result{Twins: []report.Twin{{What: "R again takes as long as R", Got: 0.7}}}, "0.70 times"},
		{"out of order within the noise", report.Result{Orders: []report.Order{{Got: 0.95, Noise: 0.1}}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := report.Judge(section(tt.result), record)
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("got  %q\nwant no failure", got)
			case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
				t.Errorf("got  %q\nwant one failure with %q", got, tt.want)
			}
		})
	}
}

// TestJudgeBoth: what is slower against everything fails, and says so for each.
func TestJudgeBoth(t *testing.T) {
	record := report.Record{Ratios: map[string]float64{"a": 1, "b": 1, "c": 1}}
	got := report.Judge(section(report.Result{Ratios: []report.Ratio{
		{Name: "a", Thing: "ours", Got: 1.2}, {Name: "b", Thing: "ours", Got: 1.2}, {Name: "c", Thing: "theirs", Got: 1},
	}}), record)
	if len(got) != 2 || !strings.Contains(got[0], "a is 1.2") || !strings.Contains(got[1], "b is 1.2") {
		t.Errorf("got  %q\nwant a failure for each of a and b", got)
	}
}

func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratios.json")
	sections := section(report.Result{Ratios: []report.Ratio{{Name: "a", Got: 1.23456}}})
	record := report.Record{Ratios: map[string]float64{"a": 9, "b": 2}}.With("a machine", sections)
	if err := record.Write(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := report.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	if got.Machine != "a machine" || len(got.Ratios) != 2 || got.Ratios["a"] != 1.2346 || got.Ratios["b"] != 2 {
		t.Errorf("got  %v\nwant the ratio of a replaced, and that of b kept", got)
	}
	if _, err := report.ParseRecord([]byte(`{"ratio":{}}`)); err == nil {
		t.Error("a record with an unknown member was read")
	}
}

func TestMarkdown(t *testing.T) {
	var out strings.Builder
	sections := section(report.Result{
		About: "About it.", Header: []string{"text", "R"}, Rows: [][]string{{"ASCII", "1"}}, After: "The floor.",
		Goals: []report.Goal{
			{Number: 2, What: "second", Got: 2, Want: 1, Unit: "x"},
			{Number: 1, What: "first", Got: 12345, Want: 10, AtLeast: true, Unit: "B"},
			{Number: 3, What: "third", Got: 2, Want: 1, Noise: 0.04, Why: "because of the lock"},
		},
		Ratios: []report.Ratio{{Name: "on record", Got: 1.25, Noise: 0.02}, {Name: "new, bytes", Got: 2345.6}},
		Lines:  []report.Line{{Place: 2, What: "b", Figure: "2 x"}, {Place: 1, What: "a", Figure: "0"}},
	})
	sections[0].Markdown(&out)
	report.Goals(&out, sections)
	report.Ratios(&out, sections, report.Record{Ratios: map[string]float64{"on record": 1.5}})
	report.Readme(&out, sections)
	const want = `## Group

About it.

| text | R |
|---|---|
| ASCII | 1 |

The floor.

## Goals

| # | what | got | goal | noise |  |
|---|---|---|---|---|---|
| 1 | first | 12345 B | ≥ 10 B | 0 % | reached |
| 2 | second | 2 x | ≤ 1 x | 0 % | **MISSED** |
| 3 | third | 2 | ≤ 1 | 4 % | out of reach |

Out of reach, and why:

- *3, third*: because of the lock.

## Ratios on record

Less is better. The check fails when what one is about is worse than on record, by more than a tenth and the noise.

|  | now | on record | noise |
|---|---|---|---|
| on record | 1.250 | 1.500 | 2 % |
| new, bytes | 2346 | - | 0 % |

|  | measured |
|---|---|
| a | 0 |
| b | 2 x |

`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoise(t *testing.T) {
	for _, tt := range []struct {
		noise float64
		want  bool
	}{{0.03, false}, {0.3, true}} {
		if _, got := report.Noise(section(report.Result{Ratios: []report.Ratio{{Noise: tt.noise}}})); got != tt.want {
			t.Errorf("noise of %v: got %v\nwant %v", tt.noise, got, tt.want)
		}
	}
}
