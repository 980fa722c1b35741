package aguiotel

import (
	"errors"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/internal/ended"
	"github.com/agui-go/agui/verify"
)

// An Outcome says how a run ended: the value of agui.run.outcome.
type Outcome string

// The outcomes. The first three are those of RUN_FINISHED.
const (
	OutcomeSuccess            Outcome = "success"
	OutcomeInterrupt          Outcome = "interrupt"
	OutcomeCancelled          Outcome = "cancelled"
	OutcomeError              Outcome = "error"
	OutcomeViolation          Outcome = "violation"
	OutcomeClientDisconnected Outcome = "client_disconnected"
	OutcomeServerShutdown     Outcome = "server_shutdown"
	OutcomeTimeout            Outcome = "timeout"
)

// outcomes says what each outcome means, and whether the run's span gets the status Error.
var outcomes = []struct {
	outcome Outcome
	failed  bool
	text    string
}{
	{OutcomeSuccess, false, "RUN_FINISHED was sent"},
	{OutcomeInterrupt, false, "RUN_FINISHED was sent with interrupts: the run waits for answers"},
	{OutcomeCancelled, false, "RUN_FINISHED was sent with the outcome cancelled: the run was stopped on purpose"},
	{OutcomeError, true, "the agent returned an error, panicked, or sent RUN_ERROR"},
	{OutcomeViolation, true, "a broken rule ended the run"},
	{OutcomeClientDisconnected, false, "the client left before the end, or did not read for too long"},
	{OutcomeServerShutdown, true, "the server was shut down"},
	{OutcomeTimeout, true, "the run's time was up"},
}

func (o Outcome) failed() bool {
	for _, row := range outcomes {
		if row.outcome == o {
			return row.failed
		}
	}
	return false
}

// errorTypeOther is error.type where nothing better is known.
const errorTypeOther = "_OTHER"

// errorTypes are the error types, beside the names of the rules, that metrics carry.
var errorTypes = []struct{ name, text string }{
	{string(OutcomeTimeout), "the run's time was up"},
	{string(OutcomeServerShutdown), "the server was shut down"},
	{"panic", "the agent panicked"},
	{"agent_error", "the agent returned an error that has no type of its own"},
	{errorTypeOther, "anything else"},
}

// An ending is how a run ended and, when it failed, why.
type ending struct {
	outcome   Outcome
	errorType string // empty unless the run failed
	reason    string // one line for the developer, empty unless the run failed
}

// outside are the outcomes of runs that were ended from outside.
var outside = map[ended.Kind]Outcome{
	ended.ClientDisconnected: OutcomeClientDisconnected,
	ended.ServerShutdown:     OutcomeServerShutdown,
	ended.Timeout:            OutcomeTimeout,
}

// endingOf judges the end of the run. The outcome is what this library knows of it: a violation that is none
// of this run's, or an error that only has the type of a time-out, is an error of the agent's like others. Any
// error says by a method ErrorType() string, its own or that of an error in its chain, which one it is.
func (r *Run) endingOf(terminal events.Event, cause error) ending {
	if cause == nil {
		return endingBy(terminal)
	}
	e := ending{outcome: OutcomeError, errorType: typeOf(cause), reason: clip.ID(cause.Error())}
	var broken *verify.Violation
	var end ended.Error
	switch {
	case errors.As(cause, &broken) && r.broke(broken):
		e.outcome, e.errorType = OutcomeViolation, broken.ErrorType()
	case errors.As(cause, &end):
		e.outcome = outside[end.RunEnding()]
	}
	switch {
	case e.outcome == OutcomeClientDisconnected:
		return ending{outcome: OutcomeClientDisconnected}
	case e.errorType == "":
		e.errorType = codeOf(terminal)
	}
	return e
}

// endingBy judges the end of a run that ended itself.
func endingBy(terminal events.Event) ending {
	switch end := terminal.(type) {
	case *events.RunFinished:
		if end.Outcome == nil {
			return ending{outcome: OutcomeSuccess}
		}
		switch outcome := Outcome(end.Outcome.OutcomeType()); outcome {
		case OutcomeInterrupt, OutcomeCancelled:
			return ending{outcome: outcome}
		}
		return ending{outcome: OutcomeSuccess}
	case *events.RunError:
		return ending{outcome: OutcomeError, errorType: codeOf(end), reason: clip.ID(end.Message)}
	}
	return ending{outcome: OutcomeError, errorType: errorTypeOther, reason: "the run ended without a terminal event"}
}

// typeOf returns the type that an error gives itself, or nothing.
func typeOf(err error) string {
	var typed interface{ ErrorType() string }
	if errors.As(err, &typed) {
		return clip.ID(typed.ErrorType())
	}
	return ""
}

// codeOf returns the code of a RUN_ERROR.
func codeOf(terminal events.Event) string {
	if failed, ok := terminal.(*events.RunError); ok && failed.Code.Or("") != "" {
		return clip.ID(failed.Code.Or(""))
	}
	return errorTypeOther
}
