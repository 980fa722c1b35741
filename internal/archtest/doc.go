// Package archtest holds the tests of the module as a whole: which package may import which, what
// comes from other modules, and that the program at the head of each package's documentation
// compiles.
package archtest
