//go:build conformance

package conformance

import (
	"flag"
	"time"
)

// The defaults are for the short run; make conformance gives larger ones.
var (
	seed      = flag.Uint64("seed", 1, "seed of the random tests")
	sequences = flag.Int("sequences", 15_000, "least number of random sequences to judge by Strict; Core gets a third of it")
	programs  = flag.Int("programs", 2_000, "number of random programs of emitter calls")
	explore   = flag.Duration("explore", 12*time.Second, "time for the exhaustive search, for each rule set")
	families  = flag.String("families", "", "only the families of events in the exhaustive search whose name holds this")
	depth     = flag.Int("depth", 100, "greatest number of events in the exhaustive search")
)
