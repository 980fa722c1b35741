// Package startup measures the program of the example agent in the three builds of this module: its size, how
// soon it answers, and what memory it takes for that.
package startup

import "github.com/agui-go/agui/internal/bench/report"

// Groups are the tables of this package.
func Groups() []report.Group {
	return []report.Group{{Key: "startup", Title: "Size and start of the example agent", Measure: measureStart}}
}
