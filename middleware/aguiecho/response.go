package aguiecho

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
)

// response writes through echo's response, so that its Committed, Status and Size are right, and
// flushes what is beneath it: echo's own Flush hides every error and panics when the writer beneath
// cannot flush.
type response struct {
	*echo.Response
	echo echo.Context
}

// RunContext returns ctx with the echo.Context in it, for [FromContext].
func (r response) RunContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, contextKey{}, r.echo)
}

// FlushError commits the response and flushes the writer beneath.
func (r response) FlushError() error {
	if !r.Committed {
		r.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(r.Writer).Flush()
}

// Flush is FlushError without the error. It hides echo's.
func (r response) Flush() { _ = r.FlushError() }

// errAnswered is the error of a Write to a response that has its answer.
var errAnswered = errors.New("aguiecho: the request has been answered, and nothing more can be written")

// answered is the writer beneath a response that has its answer. It has no Unwrap, which would lead around it.
type answered struct{ w http.ResponseWriter }

// Header returns what was sent.
func (a answered) Header() http.Header { return a.w.Header() }

// Write writes nothing and returns errAnswered.
func (a answered) Write([]byte) (int, error) { return 0, errAnswered }

// WriteHeader does nothing.
func (a answered) WriteHeader(int) {}

// Flush does nothing: what was written was flushed. Echo's own panics when there is none.
func (a answered) Flush() {}
