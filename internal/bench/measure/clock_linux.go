package measure

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the time that this thread has had a processor. What other processes take of it does not count,
// nor what the collector does in threads of its own. The goroutine has to stay on its thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic("measure: the clock of the thread: " + err.Error()) // Linux has it
	}
	return time.Duration(t.Nano())
}
