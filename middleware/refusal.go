package middleware

import (
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"
)

// A Refusal answers a request for which no run was started. Its body is
//
//	{"error":{"code":"invalid_input","message":"...","field":"/messages/0/role"}}
//
// The package makes them for bad requests; a [PrepareFunc] may return its own.
type Refusal struct {
	Status  int         // the HTTP status, 400 to 599
	Code    string      // for programs; empty stands for the status text in lower case: "too_many_requests"
	Message string      // for people, with the remedy
	Field   string      // the JSON Pointer (RFC 6901) of the member of the body at fault, if one is
	Header  http.Header // more headers: Retry-After, WWW-Authenticate
}

// Error returns the message.
func (e *Refusal) Error() string {
	if e == nil {
		return "middleware: a nil refusal"
	}
	return "middleware: " + e.Message
}

// HTTPStatus returns the status, 0 for a nil refusal, which is no answer.
func (e *Refusal) HTTPStatus() int {
	if e == nil {
		return 0
	}
	return e.Status
}

// ErrAnswered is the error of a [PrepareFunc] that has answered the request itself, as code of a
// framework can, whose context has the response: no run is started, and nothing is added to the answer.
var ErrAnswered = errors.New("middleware: the request has been answered")

// refusalOf returns how err is told to the client, and whether err itself says so. One whose HTTPStatus
// panics, as that of a nil pointer may, does not.
func refusalOf(err error) (refusal *Refusal, deliberate bool) {
	defer func() {
		if recover() != nil {
			refusal, deliberate = internalError(), false
		}
	}()
	if errors.As(err, &refusal) && isErrorStatus(refusal.HTTPStatus()) {
		return refusal, true
	}
	var answer interface {
		error
		HTTPStatus() int
	}
	if errors.As(err, &answer) && isErrorStatus(answer.HTTPStatus()) {
		return &Refusal{Status: answer.HTTPStatus(), Message: answer.Error()}, true
	}
	return internalError(), false
}

func internalError() *Refusal {
	return &Refusal{
		Status:  http.StatusInternalServerError,
		Code:    "internal_error",
		Message: "the request could not be served; the server's log has the reason",
	}
}

func isErrorStatus(status int) bool { return 400 <= status && status <= 599 }

// refuse answers with err. What the client is not told, or can do nothing about, is logged.
func (rn *Runner) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, ErrAnswered) {
		return
	}
	refusal, deliberate := refusalOf(err)
	if !deliberate || refusal.Code == codeCannotStream {
		rn.note(r.Context(), slog.LevelError, "agui: the request could not be served", slog.Any("error", err))
	}
	refusal.write(w)
}

func (e *Refusal) write(w http.ResponseWriter) {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Field   string `json:"field"`
	}
	code := e.Code
	if code == "" {
		code = strings.ReplaceAll(strings.ToLower(http.StatusText(e.Status)), " ", "_")
	}
	text, _ := json.Marshal(map[string]body{"error": {code, e.Message, e.Field}}) // strings always have a JSON form
	h := w.Header()
	maps.Copy(h, e.Header)
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(e.Status)
	_, _ = w.Write(append(text, '\n')) // a client that is gone needs no answer
}
