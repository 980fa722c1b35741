// Package readme holds README.md against the code: its tests compile the programs in it, run its
// commands, and write anew what is generated, the blocks between "generated" and "end" comments. Run
// `go generate ./internal/readme` after a change.
package readme

//go:generate go test -count=1 -run ^TestGenerated$ . -update
