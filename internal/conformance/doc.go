// Package conformance holds the tests in which the official AG-UI client (@ag-ui/client, under Node.js)
// reads what this module writes. They run the real client against the real example agent, so that
// "accepted" means accepted by it.
//
// The tests have the build tag conformance, since they need Node.js 20 and the client's packages:
//
//	make client-test
//
// or, in this directory, npm ci and then go test -tags conformance. The client runs in driver.mjs, which
// knows one verb for each thing that tests ask of it.
package conformance
