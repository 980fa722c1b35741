package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// lateness has the delays of each turn of each kind.
type lateness map[kind][]*delays

// read returns what reads the responses of the next turn of the kind.
func (l lateness) read(k kind) func(io.Reader) error {
	d := &delays{}
	l[k] = append(l[k], d)
	return d.read
}

// quantile has the delay of each turn that a share of its deltas does not exceed, in nanoseconds.
func (l lateness) quantile(share float64) series {
	s := series{}
	for k, turns := range l {
		for _, d := range turns {
			s.add(k, float64(d.quantile(share)))
		}
	}
	return s
}

// complete checks that each turn had so many deltas.
func (l lateness) complete(deltas int) error {
	for k, turns := range l {
		for _, d := range turns {
			if len(d.all) != deltas {
				return fmt.Errorf("wire: %d deltas of %s arrived with a time, not %d", len(d.all), k, deltas)
			}
		}
	}
	return nil
}

// delays collects how long each delta was on its way. It may be used by several readers at a time.
type delays struct {
	mu  sync.Mutex
	all []time.Duration
}

// read reads a response whose deltas are stamped.
func (d *delays) read(r io.Reader) error {
	var mine []time.Duration
	arrival := &arrivals{r: r}
	lines := bufio.NewReader(arrival)
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		_, delta, ok := bytes.Cut(line, []byte(`"delta":"`))
		if !ok {
			continue
		}
		sent, err := stamped(delta)
		if err != nil {
			return err
		}
		mine = append(mine, arrival.last-sent)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, mine...)
	return nil
}

// arrivals notes when something was last read.
type arrivals struct {
	r    io.Reader
	last time.Duration
}

func (a *arrivals) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if now, clock := monotonic(); clock == nil {
		a.last = now
	} else {
		err = errors.Join(err, clock)
	}
	return n, err
}

// quantile returns the delay that a share of the deltas does not exceed; zero if there are none.
func (d *delays) quantile(share float64) time.Duration {
	if len(d.all) == 0 {
		return 0
	}
	slices.Sort(d.all)
	return d.all[int(share*float64(len(d.all)-1))]
}
