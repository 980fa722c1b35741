// Package conformance holds the tests in which the official AG-UI client (@ag-ui/client, under Node.js)
// reads what this module writes and judges what this module judges. They run the real client, so that
// "accepted" means accepted by it:
//
//   - the example agent serves it, over HTTP (echoagent_test.go);
//   - every event passes the official schemas, and wrong values are refused on both sides (schema_test.go);
//   - random programs write with an emitter, and all that they write is accepted (program_test.go);
//   - random runs, mostly legal, get the same verdict at the same event (verdict_test.go), the exceptions
//     being those of exception_test.go;
//   - every event is tried in every state of both machines, as far as time allows (explore_test.go).
//
// The tests have the build tag conformance, since they need Node.js 20 and the client's packages:
//
//	make client-test   # a short run, part of make test
//	make conformance   # the long run, whose last figures are in docs/conformance.md
//
// or, in this directory, npm ci and then go test -tags conformance. The client runs in driver.mjs, which
// knows one verb for each thing that tests ask of it.
package conformance
