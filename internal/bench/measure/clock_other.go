//go:build !linux

package measure

import "time"

var begin = time.Now()

// threadTime is the time that has passed: there is no clock of the thread here, so other processes are in it.
func threadTime() time.Duration { return time.Since(begin) }
