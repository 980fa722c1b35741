// Package wire measures whole runs over loopback: what the server's process spends on an event, from the
// request to the end of the response, for handlers that deliver the same events. All of them are in one
// server process and take turns; the client is another process.
package wire

import "github.com/agui-go/agui/internal/bench/report"

// Groups are the tables of this package.
func Groups() []report.Group {
	return []report.Group{
		{Key: "wire", Title: "Whole runs over loopback", Measure: measureRuns},
		{Key: "latency", Title: "From emit to client in whole runs", Measure: measureLatency},
		{Key: "storm", Title: "Storms of 20,000 deltas", Measure: measureStorm},
		{Key: "telemetry", Title: "Long runs, watched", Measure: measureTelemetry},
		{Key: "first-byte", Title: "From the request to the first byte", Measure: measureFirstByte},
		{Key: "paced", Title: "20 streams of 1,000 deltas a second", Measure: measurePaced},
	}
}
