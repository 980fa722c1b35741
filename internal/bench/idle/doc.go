// Package idle measures what a stream holds on which nothing happens: memory and goroutines of the server's
// process, which is another one than the client's and a fresh one for each kind of handler.
package idle

import "github.com/agui-go/agui/internal/bench/report"

// Groups are the tables of this package.
func Groups() []report.Group {
	return []report.Group{{Key: "idle", Title: "Idle streams", Measure: measure}}
}
