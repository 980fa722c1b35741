package content

import (
	"context"
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
of R with as many goroutines: the lock is the same, and what is measured is how long it is held.`

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

// measureCrowd measures n goroutines that write the delta to one writer.
func measureCrowd(ctx context.Context, o report.Options, n int, delta string) (*measure.Times, error) {
	em, err := begin(null{}, emitter.WithIDs(ids.Random()))
	if err != nil {
		return nil, err
	}
	defer em.Close(nil)
	shared, twin := newFloor(null{}), newFloor(null{})
	var onShared, onTwin, byID, byHandle []func(n int) error
	for range n {
		id := em.NewID(ids.Message)
		if err := em.TextStart(id); err != nil {
			return nil, err
		}
		msg := em.Text()
		if err := msg.Err(); err != nil {
			return nil, err
		}
		prefix := []byte(framePrefix)
		floorOf := func(f *floor) func(int) error {
			return func(n int) error {
				for range n {
					if err := f.writeTo(prefix, delta); err != nil {
						return err
					}
				}
				return nil
			}
		}
		onShared, onTwin = append(onShared, floorOf(shared)), append(onTwin, floorOf(twin))
		byID = append(byID, func(n int) error {
			for range n {
				if err := em.TextContent(id, delta); err != nil {
					return err
				}
			}
			return nil
		})
		byHandle = append(byHandle, func(n int) error {
			for range n {
				if _, err := msg.WriteString(delta); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return measure.Rows(ctx, o, fmt.Sprintf("Goroutines/%d", n), []measure.Row{
		{Name: rowFloor, Parallel: true, Do: together(onShared)},
		{Name: rowTwin, Parallel: true, Do: together(onTwin)},
		{Name: rowID, Parallel: true, Do: together(byID)},
		{Name: rowHandle, Parallel: true, Do: together(byHandle)},
	})
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
