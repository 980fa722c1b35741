package aguiecho

import (
	"context"
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
