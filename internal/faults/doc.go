// Package faults holds the fault campaign: random agents behind real servers, with clients, networks and
// servers that misbehave at a random moment. Its tests check of every run what package middleware
// promises: one terminal event and a valid stream for a client that stayed, the beginning of one for a
// client that left, the right cause for the agent, and nothing left behind. docs/production.md has the
// figures of a long campaign.
//
//	go test ./internal/faults                            a few seconds
//	go test ./internal/faults -run 'TestCampaign$' -v -faults.time=30m -timeout=40m
//	go test ./internal/faults -run 'TestCampaign$' -v -faults.seed=7 -faults.only=123
//
// It also measures what idle streams cost (-faults.idle), and puts nginx in front of a server.
package faults
