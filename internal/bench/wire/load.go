package wire

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// load is what each run of a batch is to write.
type load struct {
	Deltas  int           // contents of the one message of a run
	Size    int           // bytes of a delta, at least those of a stamp
	Pace    time.Duration // from one delta to the next; zero: as fast as it goes
	Stamped bool          // each delta begins with the time at which it was given to emit
}

// events is how many events a run has: its deltas, in a message, in a run.
func (l load) events() int { return l.Deltas + 4 }

// stampSize is the length of a stamp.
const stampSize = 16

// text is what deltas are filled up with.
const text = "the quick brown fox jumps over the lazy dog and runs all the way "

// delta returns a delta that is still to be stamped.
func (l load) delta() []byte {
	delta := make([]byte, l.Size)
	for n := copy(delta, "0123456789abcdef"); n < l.Size; {
		n += copy(delta[n:], text)
	}
	return delta
}

// each produces the deltas of a run, at their pace if they have one. Emit must not keep the delta.
func (l load) each(emit func(delta []byte) error) error {
	delta := l.delta()
	began := time.Now()
	for i := range l.Deltas {
		if l.Pace > 0 {
			time.Sleep(time.Until(began.Add(time.Duration(i) * l.Pace)))
		}
		if l.Stamped {
			if err := stamp(delta); err != nil {
				return err
			}
		}
		if err := emit(delta); err != nil {
			return err
		}
	}
	return nil
}

// stamp writes the time into the delta.
func stamp(delta []byte) error {
	now, err := monotonic()
	if err != nil {
		return err
	}
	var b [stampSize / 2]byte
	binary.BigEndian.PutUint64(b[:], uint64(now))
	hex.Encode(delta, b[:])
	return nil
}

// stamped returns the time in a delta.
func stamped(delta []byte) (time.Duration, error) {
	var b [stampSize / 2]byte
	if len(delta) < stampSize {
		return 0, fmt.Errorf("wire: the delta %q has no time", delta)
	}
	if _, err := hex.Decode(b[:], delta[:stampSize]); err != nil {
		return 0, fmt.Errorf("wire: the delta %q has no time: %w", delta, err)
	}
	return time.Duration(binary.BigEndian.Uint64(b[:])), nil
}

// monotonic returns the time of CLOCK_MONOTONIC, which all processes of a machine share. That of
// time.Time counts from the start of its process.
func monotonic() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0, fmt.Errorf("wire: clock_gettime: %w", err)
	}
	return time.Duration(t.Nano()), nil
}
