package verify

// Option sets up a [Verifier]. A nil Option does nothing. When two options name one rule, the later
// one counts.
type Option interface {
	apply(*Verifier)
}

type optionFunc func(*Verifier)

func (f optionFunc) apply(v *Verifier) { f(v) }

// Allow returns an option that skips rules: an event that breaks one goes on to the next check, and is
// applied when none rejects it. A start then opens what was not open; content or an end of nothing
// changes nothing; a tag never changes an owner; RUN_STARTED while the run is active and anything after
// its end change nothing; RUN_FINISHED ends the run.
func Allow(rules ...Rule) Option {
	return optionFunc(func(v *Verifier) {
		for _, r := range rules {
			v.pass(r, nil)
		}
	})
}

// Report returns an option that lets events through as [Allow] does, but calls fn for each breach first,
// in the order of checks, also when a later check then rejects the event. fn runs inside Observe and may
// look at the Verifier (Open, Index, Would) but must not change it. It is not called by Would.
//
// [RunNotStarted], [RunEnded], [DuplicateRunStarted] and [InvalidField] cannot be reported: naming them
// here changes nothing, so that Report(fn, Rules()...) reports all that can be.
func Report(fn func(*Violation), rules ...Rule) Option {
	return optionFunc(func(v *Verifier) {
		for _, r := range rules {
			switch r {
			case RunNotStarted, RunEnded, DuplicateRunStarted, InvalidField:
				continue
			}
			v.pass(r, fn)
		}
	})
}

// pass lets what breaks r through, and fn, where there is one, hear of it.
func (v *Verifier) pass(r Rule, fn func(*Violation)) {
	if !r.known() {
		return
	}
	v.passed |= 1 << r
	delete(v.report, r)
	if fn == nil {
		return
	}
	if v.report == nil {
		v.report = make(map[Rule]func(*Violation))
	}
	v.report[r] = fn
}

// skips reports whether r is not even to be told about.
func (v *Verifier) skips(r Rule) bool {
	if r.Set() == Strict && v.set != Strict {
		return true
	}
	return v.passes(r) && v.report[r] == nil
}

// passes reports whether an event that breaks r is let through.
func (v *Verifier) passes(r Rule) bool { return v.passed&(1<<r) != 0 }
