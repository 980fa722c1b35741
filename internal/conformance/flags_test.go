//go:build conformance

package conformance

import (
	"flag"
	"time"
)

// The defaults are for the short run; make conformance gives larger ones.
var (
	seed      = flag.Uint64("seed", 1, "seed of the random tests")
	sequences = flag.Int("sequences", 30_000, "least number of random sequences to judge by Strict; Core gets a third of it")
	programs  = flag.Int("programs", 4_000, "number of random programs of emitter calls")
	explore   = flag.Duration("explore", 20*time.Second, "time for the exhaustive search, for each rule set")
	depth     = flag.Int("depth", 100, "greatest number of events in the exhaustive search")
)
