package content

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

const goroutinesAbout = `
Deltas of 16 B ASCII from many goroutines into one emitter, each goroutine with a message of its own, in multiples
of R with as many goroutines: the lock is the same, and what is measured is how long it is held. Before the clock
starts, what all of them write at once is compared: whole frames, all of them, and those of each goroutine in order.`

var crowd = []int{1, 2, 64}

func goroutines(ctx context.Context, o report.Options) (*report.Result, error) {
	r := &report.Result{About: goroutinesAbout, Header: []string{"goroutines", "R, ns", rowTwin, rowID, rowHandle}}
	delta := texts[0].of(16)
	o.Turn = 20 * time.Millisecond // who waits for the lock waits for milliseconds
	var byID, byHandle, twins []measure.Ratio
	for _, n := range crowd {
		times, err := measureCrowd(ctx, o, n, delta)
		if err != nil {
			return nil, fmt.Errorf("content: %d goroutines: %w", n, err)
		}
		row := []string{fmt.Sprint(n), fmt.Sprintf("%.0f", times.NS(rowFloor))}
		for _, name := range r.Header[2:] {
			row = append(row, fmt.Sprintf("%.2f (%.2g)", times.Ratio(name, rowFloor).Median, times.Allocs[name]))
		}
		r.Rows = append(r.Rows, row)
		twins = append(twins, times.Ratio(rowTwin, rowFloor))
		byID, byHandle = append(byID, times.Ratio(rowID, rowFloor)), append(byHandle, times.Ratio(rowHandle, rowFloor))
	}
	same := measure.Geomean(twins)
	id, handle := measure.Geomean(byID).Beside(same), measure.Geomean(byHandle).Beside(same)
	r.Ratios = []report.Ratio{
		{Name: "goroutines, by id, against R", Got: id.Median, Noise: id.Noise},
		{Name: "goroutines, by handle, against R", Got: handle.Median, Noise: handle.Noise},
	}
	r.Orders = []report.Order{{What: "by handle takes longer than R", Got: handle.Median, Noise: handle.Noise}}
	r.Twins = []report.Twin{{What: rowTwin + " takes as long as " + rowFloor, Got: same.Median}}
	return r, nil
}

// member is one goroutine of a crowd: the message that it writes to, and what writes its delta there n times.
type member struct {
	id    string
	write func(n int) error
}

// crowdWriter is a row: one way to write from as many goroutines as there are deltas, to one sink.
type crowdWriter struct {
	name string
	// open returns a member for each delta. What the delta is when it writes is what it writes.
	open func(sink emitter.Sink, deltas []string) (members []member, end func() error, err error)
}

var crowdWriters = []crowdWriter{
	{rowFloor, crowdOfFloor},
	{rowTwin, crowdOfFloor},
	{rowID, crowdByID},
	{rowHandle, crowdByHandle},
}

func crowdOfFloor(sink emitter.Sink, deltas []string) (members []member, end func() error, err error) {
	shared := newFloor(sink)
	for i := range deltas {
		delta, prefix := &deltas[i], []byte(framePrefix)
		members = append(members, member{messageID, func(n int) error {
			for range n {
				if err := shared.writeTo(prefix, *delta); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	return members, nothing, nil
}

func crowdByID(sink emitter.Sink, deltas []string) (members []member, end func() error, err error) {
	em, err := begin(sink, emitter.WithIDs(ids.Random()))
	if err != nil {
		return nil, nil, err
	}
	for i := range deltas {
		delta, id := &deltas[i], em.NewID(ids.Message)
		if err := em.TextStart(id); err != nil {
			return nil, nil, errors.Join(err, em.Close(nil))
		}
		members = append(members, member{id, func(n int) error {
			for range n {
				if err := em.TextContent(id, *delta); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	return members, func() error { return em.Close(nil) }, nil
}

func crowdByHandle(sink emitter.Sink, deltas []string) (members []member, end func() error, err error) {
	em, err := begin(sink, emitter.WithIDs(ids.Random()))
	if err != nil {
		return nil, nil, err
	}
	for i := range deltas {
		delta, msg := &deltas[i], em.Text()
		if err := msg.Err(); err != nil {
			return nil, nil, errors.Join(err, em.Close(nil))
		}
		members = append(members, member{msg.ID(), func(n int) error {
			for range n {
				if _, err := msg.WriteString(*delta); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	return members, func() error { return em.Close(nil) }, nil
}

// measureCrowd measures n goroutines that write the delta to one writer.
func measureCrowd(ctx context.Context, o report.Options, n int, delta string) (times *measure.Times, err error) {
	deltas := make([]string, n)
	for i := range deltas {
		deltas[i] = delta
	}
	var rows []measure.Row
	for _, w := range crowdWriters {
		if err := w.check(n); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
		members, end, openErr := w.open(null{}, deltas)
		if openErr != nil {
			return nil, openErr
		}
		defer func() { err = errors.Join(err, end()) }()
		var writes []func(int) error
		for _, m := range members {
			writes = append(writes, m.write)
		}
		rows = append(rows, measure.Row{Name: w.name, Parallel: true, Do: together(writes)})
	}
	return measure.Rows(ctx, o, fmt.Sprintf("Goroutines/%d", n), rows)
}

// together shares the work out among the functions, each in a goroutine, and waits for all of them.
func together(fns []func(n int) error) func(n int) error {
	if len(fns) == 1 {
		return fns[0]
	}
	return func(n int) error {
		var group sync.WaitGroup
		errs := make([]error, len(fns))
		for i, fn := range fns {
			share := (n + i) / len(fns)
			group.Go(func() { errs[i] = fn(share) })
		}
		group.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	}
}
