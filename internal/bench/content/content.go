// Package content measures what one delta costs that is written to a sink which does nothing.
package content

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agui-go/agui/internal/bench/instructions"
	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// Groups returns the groups of this package.
func Groups() []report.Group {
	return []report.Group{
		{Key: "content", Title: "One content delta", Measure: deltas},
		{Key: "goroutines", Title: "Many goroutines, one emitter", Measure: goroutines},
	}
}

const about = `
One TEXT_MESSAGE_CONTENT into a sink that does nothing, in multiples of R. R is the floor: lock, append a cached
prefix, append the raw delta, append the end, hand it to the sink, unlock; it neither escapes nor checks anything.
"R again" is the same code once more: what it is off 1 by is noise. In brackets: allocations for one delta.

Ours checks against Strict, as by default, or against Core; ids have 36 characters, and the id of a delta is in other
memory than that of its start. The official Go SDK validates the event, adds a timestamp, and checks no order.
go-sse and datastar-go have no encoder: they are given the JSON, and frame and send it to an http.ResponseWriter that
does nothing. datastar-go adds an event name, and its pool of buffers has learned the size of the deltas before.
The frames of ours are compared byte for byte with those of encoding/json, those of R where nothing needs escaping,
the others as decoded JSON, before the clock starts.`

// cell names one table of the group: one text in one size.
type cell struct {
	text text
	size int
}

func (c cell) String() string { return c.text.name + " " + sizeName(c.size) }

func sizeName(n int) string {
	if n >= 1024 {
		return fmt.Sprintf("%d KiB", n/1024)
	}
	return fmt.Sprintf("%d B", n)
}

// table is the figures of all cells.
type table map[cell]*measure.Times

func deltas(ctx context.Context, o report.Options) (*report.Result, error) {
	t := table{}
	r := &report.Result{About: about, Header: []string{"text", "R, ns"}}
	for _, w := range writers[1:] {
		r.Header = append(r.Header, w.name)
	}
	for _, text := range texts {
		for _, size := range sizes {
			c := cell{text, size}
			times, err := measureCell(ctx, o, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c, err)
			}
			t[c] = times
			r.Rows = append(r.Rows, rowOf(c, times))
		}
	}
	r.Goals = t.goals()
	r.Ratios = t.ratios()
	r.Orders = t.orders()
	r.Twins = t.twins()
	r.Lines = t.lines()
	return r, nil
}

func measureCell(ctx context.Context, o report.Options, c cell) (times *measure.Times, err error) {
	delta := c.text.of(c.size)
	if err := checkOutput(delta); err != nil {
		return nil, err
	}
	rows, end, err := open(writers, delta)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	for i, w := range writers {
		if o.Short {
			break
		}
		if err := rows[i].Do(w.learn); err != nil {
			return nil, err
		}
	}
	return measure.Rows(ctx, o, "Content/"+c.String(), rows)
}

// open returns a row for each writer, which writes the delta to a sink that does nothing, and what ends all.
func open(writers []writer, delta string) (rows []measure.Row, end func() error, err error) {
	var ends []func() error
	end = func() error {
		var err error
		for _, end := range ends {
			err = errors.Join(err, end())
		}
		return err
	}
	for _, w := range writers {
		write, endOne, err := w.open(null{}, delta)
		if err != nil {
			return nil, nil, errors.Join(err, end())
		}
		rows, ends = append(rows, measure.Row{Name: w.name, Do: write}), append(ends, endOne)
	}
	return rows, end, nil
}

// Counted returns tables of one delta whose instructions are worth counting.
func Counted() []instructions.Table {
	var tables []instructions.Table
	counted := slices.DeleteFunc(slices.Clone(writers), func(w writer) bool {
		return !slices.Contains([]string{rowFloor, rowID, rowHandle, rowJSON, rowSDK}, w.name)
	})
	for _, c := range []cell{{texts[0], 16}, {texts[0], 64}, {texts[1], 16}, {texts[3], 16}} {
		tables = append(tables, instructions.Table{
			Name:    c.String(),
			Open:    func() ([]measure.Row, func() error, error) { return open(counted, c.text.of(c.size)) },
			Watched: []string{rowID, rowHandle},
		})
	}
	return tables
}
