package main

import (
	"errors"
	"fmt"
	"os"
)

// result is what became of a mutant.
type result struct {
	*mutant
	by int // the group that killed it, or survives
}

// counted reports whether the case file or the table tests killed the mutant.
func (r result) counted() bool { return r.by < byRandom }

// fate says in words what became of a mutant that was not counted.
func (r result) fate() string {
	if r.by == survives {
		return "survives"
	}
	return "killed by " + groups[r.by].name + " alone"
}

// conclude writes the page about results, and fails when they are not good enough or not explained.
func conclude(survivorsFile, page string, files []string, results []result) error {
	reasons, err := readReasons(survivorsFile)
	if err != nil {
		return err
	}
	if err := os.WriteFile(page, []byte(pageOf(files, results, reasons)), 0o644); err != nil {
		return err
	}
	return errors.Join(shareFault(results), reasonFault(results, reasons))
}

// shareFault fails when too few mutants were killed.
func shareFault(results []result) error {
	killed := 0
	for _, r := range results {
		if r.counted() {
			killed++
		}
	}
	if killed*100 < least*len(results) {
		return fmt.Errorf("%s and %s kill %d of %d mutants: want %d of 100", groups[byCases].name, groups[byTables].name, killed, len(results), least)
	}
	return nil
}

// reasonFault fails when a survivor has no reason, or a reason no survivor.
func reasonFault(results []result, reasons []reason) error {
	why := make(map[string]bool)
	for _, r := range reasons {
		for _, key := range r.keys {
			why[key] = true
		}
	}
	var faults []error
	for _, r := range results {
		key := r.key()
		switch {
		case !r.counted() && !why[key]:
			faults = append(faults, fmt.Errorf("%s:%d: survives without a reason in survivors.txt: %s", r.file, r.line, key))
		case r.counted() && why[key]:
			faults = append(faults, fmt.Errorf("%s:%d: is killed and has a reason in survivors.txt to survive: %s", r.file, r.line, key))
		}
		delete(why, key)
	}
	for key := range why {
		faults = append(faults, fmt.Errorf("survivors.txt has a reason for no mutant: %s", key))
	}
	return errors.Join(faults...)
}
