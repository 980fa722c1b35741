package verify

import (
	"fmt"
	"strings"
)

// Set is a set of rules. The zero Set is [Core].
type Set uint8

const (
	// Core is the ordering machine itself.
	Core Set = iota
	// Strict is [Core] plus what the official AG-UI 1.0 client and the 1.0 specification refuse on
	// top of it.
	Strict
)

// String returns "core" or "strict".
func (s Set) String() string {
	switch s {
	case Core:
		return "core"
	case Strict:
		return "strict"
	}
	return fmt.Sprintf("set(%d)", uint8(s))
}

// ParseSet returns the set that String calls name. Any other name is an error.
func ParseSet(name string) (Set, error) {
	for _, s := range []Set{Core, Strict} {
		if s.String() == name {
			return s, nil
		}
	}
	return Core, fmt.Errorf("verify: unknown rule set %q: use core or strict", name)
}

// Rule is one ordering rule. It is an error, so that errors.Is(err, verify.NotOpen) tells which rule a
// [Violation] is about. The zero Rule is none of them.
//
// The rules, in the order of the table (docs/rules.md says more):
//
//	Rule                 Set     Rejects
//	RunNotStarted        core    anything before RUN_STARTED, except RAW and CUSTOM
//	RunEnded             core    anything after RUN_FINISHED or RUN_ERROR, a new RUN_STARTED included
//	DuplicateRunStarted  core    a second RUN_STARTED while the run is active
//	DuplicateStart       core    opening what is already open; starting a subagent whose id was used before in the run
//	NotOpen              core    content or a terminator for something that is not open
//	UnknownId            core    TOOL_CALL_RESULT for a call that was never introduced; a parentSubagentRunId that was never started
//	OutOfOrder           core    TOOL_CALL_RESULT for a call whose TOOL_CALL_END has not come
//	OpenAtFinish         core    RUN_FINISHED while anything is open, whatever the outcome
//	OwnerMismatch        core    a tagged continuation, terminator or re-open whose subagentRunId is not the owner's
//	InvalidOutcome       core    RUN_FINISHED with an interrupt outcome that has no interrupts
//	Preamble             strict  RAW or CUSTOM before RUN_STARTED
//	ChunkSequence        strict  a chunk stream that the official client cannot expand
//	IdCollision          strict  one message id used for two kinds of message
//	RunMismatch          strict  RUN_FINISHED whose threadId or runId is not that of RUN_STARTED
//	DuplicateInterrupt   strict  two interrupts with one id in an interrupt outcome
//	PendingToolCalls     strict  a non-empty pendingToolCallIds that is not exactly the calls of this run without a result, in order of their start
//	InvalidField         strict  a value that the AG-UI 1.0 schema refuses
//	Unterminated         end     a stream that ends without RUN_FINISHED or RUN_ERROR
//
// Unterminated is judged at the end of the stream, in both sets.
type Rule uint8

// The rules. Their String is the spelling that errors, logs, metrics and the checker use.
const (
	RunNotStarted Rule = iota + 1
	RunEnded
	DuplicateRunStarted
	DuplicateStart
	NotOpen
	UnknownID
	OutOfOrder
	OpenAtFinish
	OwnerMismatch
	InvalidOutcome
	Preamble
	ChunkSequence
	IDCollision
	RunMismatch
	DuplicateInterrupt
	PendingToolCalls
	InvalidField
	Unterminated
)

// ruleInfo is one row of the rules table.
type ruleInfo struct {
	name     string
	set      Set
	sentence string // what the rule rejects
	remedy   string
}

// ruleTable holds the one description of every rule, indexed by rule. The table in the doc comment of
// Rule and the one in docs/rules.md are generated from it: go test ./verify -run Docs -update.
var ruleTable = [...]ruleInfo{
	RunNotStarted: {
		"RunNotStarted", Core,
		"anything before RUN_STARTED, except RAW and CUSTOM",
		"send RUN_STARTED first; a run that fails at once is started, then failed with RUN_ERROR",
	},
	RunEnded: {
		"RunEnded", Core,
		"anything after RUN_FINISHED or RUN_ERROR, a new RUN_STARTED included",
		"send nothing after the terminal event; a new run is a new stream",
	},
	DuplicateRunStarted: {
		"DuplicateRunStarted", Core,
		"a second RUN_STARTED while the run is active",
		"send RUN_STARTED once in a run",
	},
	DuplicateStart: {
		"DuplicateStart", Core,
		"opening what is already open; starting a subagent whose id was used before in the run",
		"close it first, or open with a new id",
	},
	NotOpen: {
		"NotOpen", Core,
		"content or a terminator for something that is not open",
		"send its start event first, and content before its end event",
	},
	UnknownID: {
		"UnknownId", Core,
		"TOOL_CALL_RESULT for a call that was never introduced; a parentSubagentRunId that was never started",
		"send TOOL_CALL_START or SUBAGENT_STARTED first; a call of an earlier run must be in the messages of the request (Verifier.Seed, emitter.WithInput)",
	},
	OutOfOrder: {
		"OutOfOrder", Core,
		"TOOL_CALL_RESULT for a call whose TOOL_CALL_END has not come",
		"send TOOL_CALL_END before the result",
	},
	OpenAtFinish: {
		"OpenAtFinish", Core,
		"RUN_FINISHED while anything is open, whatever the outcome",
		"close what is open first, or end with RUN_ERROR, which needs nothing closed",
	},
	OwnerMismatch: {
		"OwnerMismatch", Core,
		"a tagged continuation, terminator or re-open whose subagentRunId is not the owner's",
		"send the owner's subagentRunId or none, or use an id of its own",
	},
	InvalidOutcome: {
		"InvalidOutcome", Core,
		"RUN_FINISHED with an interrupt outcome that has no interrupts",
		"name at least one interrupt, or finish with another outcome",
	},
	Preamble: {
		"Preamble", Strict,
		"RAW or CUSTOM before RUN_STARTED",
		"send RUN_STARTED first",
	},
	ChunkSequence: {
		"ChunkSequence", Strict,
		"a chunk stream that the official client cannot expand",
		"send the id (and the tool name) with the first chunk and after anything that ended the chunk stream, or use START, CONTENT and END",
	},
	IDCollision: {
		"IdCollision", Strict,
		"one message id used for two kinds of message",
		"give each message an id of its own: clients keep text, tool, reasoning and activity messages in one list",
	},
	RunMismatch: {
		"RunMismatch", Strict,
		"RUN_FINISHED whose threadId or runId is not that of RUN_STARTED",
		"finish with the ids of RUN_STARTED",
	},
	DuplicateInterrupt: {
		"DuplicateInterrupt", Strict,
		"two interrupts with one id in an interrupt outcome",
		"give each interrupt an id of its own",
	},
	PendingToolCalls: {
		"PendingToolCalls", Strict,
		"a non-empty pendingToolCallIds that is not exactly the calls of this run without a result, in order of their start",
		"list exactly those calls, or leave pendingToolCallIds out: the client derives it",
	},
	InvalidField: {
		"InvalidField", Strict,
		"a value that the AG-UI 1.0 schema refuses",
		"send a value that the AG-UI 1.0 schema allows",
	},
	Unterminated: {
		"Unterminated", Core,
		"a stream that ends without RUN_FINISHED or RUN_ERROR",
		"end every run with RUN_FINISHED or RUN_ERROR",
	},
}

// numRules is one more than the last rule.
const numRules = Rule(len(ruleTable))

// Rules returns all rules in the order of the table.
func Rules() []Rule {
	rules := make([]Rule, 0, numRules-1)
	for r := RunNotStarted; r < numRules; r++ {
		rules = append(rules, r)
	}
	return rules
}

// ParseRule returns the rule that String calls name. Any other name is an error.
func ParseRule(name string) (Rule, error) {
	var names []string
	for _, r := range Rules() {
		if r.String() == name {
			return r, nil
		}
		names = append(names, r.String())
	}
	return 0, fmt.Errorf("verify: unknown rule %q: the rules are %s", name, strings.Join(names, ", "))
}

// String returns the rule's name as errors, logs and metrics spell it.
func (r Rule) String() string {
	if r.known() {
		return ruleTable[r].name
	}
	return fmt.Sprintf("rule(%d)", uint8(r))
}

// Error returns the rule's name and what it rejects.
func (r Rule) Error() string {
	return "agui rule " + r.String() + ": " + r.Sentence()
}

// Set returns the smallest set that holds the rule.
func (r Rule) Set() Set {
	if r.known() {
		return ruleTable[r].set
	}
	return Strict
}

// Sentence says what the rule rejects.
func (r Rule) Sentence() string {
	if r.known() {
		return ruleTable[r].sentence
	}
	return "no such rule"
}

// Remedy says what to do instead.
func (r Rule) Remedy() string {
	if r.known() {
		return ruleTable[r].remedy
	}
	return ""
}

func (r Rule) known() bool { return RunNotStarted <= r && r < numRules }
