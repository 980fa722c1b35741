// Package instructions counts the machine instructions of rows that other packages time. They are the same in
// each run, whatever else the machine does, and say what a piece of code costs where the clock is too coarse.
package instructions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// Table is rows whose instructions are counted. The first one is what the others are compared with.
type Table struct {
	Name string
	// Open returns the rows, and what ends them.
	Open func() (rows []measure.Row, end func() error, err error)
	// Watched are the rows that are compared with those on record.
	Watched []string
}

// Group returns the group of the tables. Its children are this program, whose main calls [Child] first with
// the same tables.
func Group(tables []Table) report.Group {
	return report.Group{Key: "instructions", Title: "Instructions", Measure: func(ctx context.Context, o report.Options) (*report.Result, error) {
		return measureTables(ctx, o, tables)
	}}
}

const about = `
Machine instructions of one unit of work, counted by callgrind (valgrind) as the difference of two runs of other
length, and the functions that they are in, without what those call. Functions that the compiler has put into others
are counted there. Callgrind's processor has no AVX-512, and an instruction is no time: a lock is three of
them and takes as long as thirty, and those that wait for no memory and no result of another come four at a time.`

func measureTables(ctx context.Context, o report.Options, tables []Table) (*report.Result, error) {
	r := &report.Result{About: about, Header: []string{"", "row", "instructions", "x the first", "of them in"}}
	n := many
	if o.Short {
		n, tables = shortMany, tables[:1]
	}
	for _, t := range tables {
		err := t.measure(ctx, o, n, r)
		if errors.Is(err, errNoValgrind) {
			return &report.Result{About: "LEFT OUT: " + err.Error() + "."}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return r, nil
}

// measure counts the rows of the table, and adds them to the result.
func (t Table) measure(ctx context.Context, o report.Options, n int, r *report.Result) error {
	rows, end, err := t.Open()
	if err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	base := 0.0
	for _, row := range rows {
		if o.Progress != nil {
			fmt.Fprintf(o.Progress, "instructions: %s, %s\n", t.Name, row.Name)
		}
		p, err := perUnit(ctx, t.Name, row.Name, n)
		if err != nil {
			return err
		}
		sum := p.sum()
		base = cmp.Or(base, sum)
		r.Rows = append(r.Rows, []string{t.Name, row.Name, fmt.Sprintf("%.0f", sum), fmt.Sprintf("%.2f", sum/base), p.String()})
		if slices.Contains(t.Watched, row.Name) {
			r.Ratios = append(r.Ratios, report.Ratio{Name: fmt.Sprintf("instructions, %s, %s, against %s", t.Name, row.Name, rows[0].Name), Got: sum / base})
		}
	}
	return nil
}

func (p profile) sum() float64 {
	sum := 0.0
	for _, instructions := range p {
		sum += instructions
	}
	return sum
}

// mostNamed is how many functions of a row are named.
const mostNamed = 10

// String lists the functions that most instructions are in, and all the rest as one.
func (p profile) String() string {
	functions := slices.SortedFunc(maps.Keys(p), func(a, b string) int {
		return cmp.Or(cmp.Compare(p[b], p[a]), cmp.Compare(a, b))
	})
	var parts []string
	rest := 0.0
	for i, function := range functions {
		if i < mostNamed && p[function] >= 1 {
			parts = append(parts, fmt.Sprintf("%s %.0f", short(function), p[function]))
			continue
		}
		rest += p[function]
	}
	if math.Abs(rest) >= 1 {
		parts = append(parts, fmt.Sprintf("others %.0f", rest))
	}
	return strings.Join(parts, ", ")
}

// short is the name of a function without the path of its package and the shapes of a generic one.
func short(function string) string {
	function, _, _ = strings.Cut(function, "[")
	return function[strings.LastIndexByte(function, '/')+1:]
}
