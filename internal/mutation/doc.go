// Command mutation finds out what the tests of package verify would miss. It changes the package in one small
// place after the other (each change is a mutant), runs the tests on each, and writes docs/mutation.md: how many
// mutants the tests kill, and which survive and why. The table of rules is left out: it is text. Run it in the
// module, -p 2 for two mutants at a time:
//
//	go run ./internal/mutation -p 2
//
// The tree is not edited. All mutants are woven into one copy of the package, which the go command builds in
// place of the files (-overlay); an environment variable then says which of them the test binary is.
//
// A survivor needs a reason in survivors.txt: it changes nothing that can be observed, or something that is no
// rule. Without one, with a reason for a mutant that is killed, or when the case file and the table tests kill
// less than 95 of 100, the command fails.
package main
