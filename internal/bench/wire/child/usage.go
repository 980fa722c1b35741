package child

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Usage is what a process has used since it began.
type Usage struct {
	CPU    time.Duration // user and system: the kernel tells the sum exactly, and the parts by its ticks
	Writes int64         // calls of write(2) and its kin
	Bytes  int64         // what they wrote
}

// Minus returns what was used since earlier.
func (u Usage) Minus(earlier Usage) Usage {
	return Usage{u.CPU - earlier.CPU, u.Writes - earlier.Writes, u.Bytes - earlier.Bytes}
}

// Used returns what the child has used, without the writing of its answers. It needs Linux.
func (p *Parent) Used() (Usage, error) {
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		return Usage{}, fmt.Errorf("child: getrusage: %w", err)
	}
	writes, err := counter("/proc/self/io", "syscw")
	if err != nil {
		return Usage{}, err
	}
	bytes, err := counter("/proc/self/io", "wchar")
	if err != nil {
		return Usage{}, err
	}
	return Usage{
		CPU:    time.Duration(self.Utime.Nano() + self.Stime.Nano()),
		Writes: writes - p.told,
		Bytes:  bytes - p.bytes,
	}, nil
}

// Memory returns how many bytes of a process's memory are in RAM, and the most that ever were. It needs
// Linux. The peak is not that of getrusage, which begins with what the process had from its parent.
func Memory(pid int) (resident, peak int64, err error) {
	status := fmt.Sprintf("/proc/%d/status", pid)
	if resident, err = counter(status, "VmRSS"); err != nil {
		return 0, 0, err
	}
	if peak, err = counter(status, "VmHWM"); err != nil {
		return 0, 0, err
	}
	return resident << 10, peak << 10, nil // they are in KiB
}

// counter returns the number in the line of a file of /proc that begins with the name.
func counter(file, name string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("child: counters of a process are read from /proc, which Linux has: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name+":" {
			return strconv.ParseInt(fields[1], 10, 64)
		}
	}
	return 0, fmt.Errorf("child: %s has no %s", file, name)
}
