// Package child runs a part of a benchmark in a process of its own, so that what it uses can be told
// from what its client uses. The process is this program again: the command and each test ask, before
// anything else, whether they are a child.
package child
