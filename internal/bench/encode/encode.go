// Package encode measures the encoding of every event type.
package encode

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// Group returns the group of this package.
func Group() report.Group {
	return report.Group{Key: "encode", Title: "Every event as JSON", Measure: encode}
}

const about = `
One event of each type with every member that it can have, metadata and the provider's raw event included, as JSON
into a buffer that is used again. json.Marshal is given a struct with the same members in the same order, nested
objects as structs; it writes the same bytes. Free-form members are JSON already in ours and structs there.
The official Go SDK does not know all events and members: it is compared with ours on those that it knows, and its
output as decoded JSON. In brackets: allocations.`

const (
	rowOurs  = "ours"
	rowTwin  = "ours again"
	rowJSON  = "json.Marshal"
	rowKnown = "ours, what the SDK knows"
	rowSDK   = "official SDK"
)

func encode(ctx context.Context, o report.Options) (*report.Result, error) {
	all, err := samples()
	if err != nil {
		return nil, err
	}
	r := &report.Result{
		About:  about,
		Header: []string{"event", "bytes", "ours, ns", rowTwin, rowJSON, "official SDK, on what it knows"},
	}
	var ours, twins, sdks []measure.Ratio
	for _, s := range all {
		name := string(s.event.EventType())
		t, err := measure.Rows(ctx, o, "Encode/"+name, s.rows())
		if err != nil {
			return nil, fmt.Errorf("encode: %s: %w", name, err)
		}
		cell := func(row, base string) string {
			return fmt.Sprintf("%.3g (%.3g)", t.Ratio(row, base).Median, t.Allocs[row])
		}
		ours = append(ours, t.Ratio(rowOurs, rowJSON))
		twins = append(twins, t.Ratio(rowTwin, rowOurs))
		theirs := "-"
		if s.sdk != nil {
			sdks = append(sdks, t.Ratio(rowSDK, rowKnown))
			theirs = cell(rowSDK, rowKnown)
		}
		r.Rows = append(r.Rows, []string{
			name, fmt.Sprint(s.size), fmt.Sprintf("%.0f (%.2g)", t.NS(rowOurs), t.Allocs[rowOurs]),
			cell(rowTwin, rowOurs), cell(rowJSON, rowOurs), theirs,
		})
	}
	same := measure.Geomean(twins)
	mean, sdk := measure.Geomean(ours).Beside(same), measure.Geomean(sdks).Beside(same)
	r.After = fmt.Sprintf("Geometric means: json.Marshal takes %.2f times as long as ours, the official SDK %.2f times (%d events).",
		1/mean.Median, sdk.Median, len(sdks))
	r.Ratios = []report.Ratio{{Name: "encode, against json.Marshal", Got: mean.Median, Noise: mean.Noise}}
	r.Twins = []report.Twin{{What: rowTwin + " takes as long as " + rowOurs, Got: same.Median}}
	r.Orders = []report.Order{
		{What: "json.Marshal takes longer than ours", Got: 1 / mean.Median, Noise: mean.Noise},
		{What: "the official SDK takes longer than ours", Got: sdk.Median, Noise: sdk.Noise},
	}
	return r, nil
}

// rows are the ways to encode the sample.
func (s sample) rows() []measure.Row {
	rows := []measure.Row{
		{Name: rowOurs, Do: appending(s.event)},
		{Name: rowTwin, Do: appending(s.event)},
		{Name: rowJSON, Do: func(n int) error {
			for range n {
				if _, err := json.Marshal(s.typed); err != nil {
					return err
				}
			}
			return nil
		}},
	}
	if s.sdk == nil {
		return rows
	}
	return append(rows, measure.Row{Name: rowKnown, Do: appending(s.known)}, measure.Row{Name: rowSDK, Do: func(n int) error {
		for range n {
			if _, err := s.sdk.ToJSON(); err != nil {
				return err
			}
		}
		return nil
	}})
}

// appending encodes the event into a buffer of its own.
func appending(ev events.Event) func(n int) error {
	var buffer []byte
	return func(n int) error {
		for range n {
			b, err := ev.AppendJSON(buffer[:0])
			if err != nil {
				return err
			}
			buffer = b
		}
		return nil
	}
}
