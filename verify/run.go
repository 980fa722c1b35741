package verify

// NextRun begins another run of the same stream, once the run has ended, and reports whether it had. The
// calls that earlier runs introduced may still be answered, and the ids that they knew keep their owners
// and kinds, as if they had been given to [Verifier.Seed]. All else is forgotten, what a RUN_ERROR left
// open included. The index goes on. The cost does not grow with the number of retained ids.
//
// One response is one run: NextRun is for whoever reads several that were recorded one after the other.
func (v *Verifier) NextRun() bool {
	if v.phase != ended {
		return false
	}
	for _, e := range v.open.all() {
		v.open.remove(e)
	}
	v.ledger.nextRun(v.index)
	v.state = state{index: v.index, owners: v.owners, ledger: v.ledger}
	return true
}
