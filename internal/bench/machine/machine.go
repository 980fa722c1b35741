// Package machine measures the ordering machine of package verify by itself.
package machine

import "github.com/agui-go/agui/internal/bench/report"

// Groups returns the groups of this package.
func Groups() []report.Group {
	return []report.Group{
		{Key: "machine", Title: "The ordering machine against a map look-up", Measure: lookups},
		{Key: "age", Title: "Early and late in a run", Measure: ages},
		{Key: "runs", Title: "Whole runs through the ordering machine", Measure: runs},
	}
}
