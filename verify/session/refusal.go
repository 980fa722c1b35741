package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/agui-go/agui/internal/answer"
)

// Refusal says that the agent answered with an HTTP status other than 2xx: no run was started.
type Refusal struct {
	// Status is the HTTP status, and Header the response's: Retry-After and WWW-Authenticate say more.
	Status int
	Header http.Header
	// Code, Message and Field are what the body {"error":{"code":…,"message":…,"field":…}} says, which
	// agents behind package middleware answer with. They are empty when the body has another form.
	Code    string // for programs, such as "invalid_input"
	Message string // for people
	Field   string // the JSON Pointer of the member of the input at fault
	// Body is the body as it came, up to 64 KiB.
	Body []byte
}

// maxRefusal is how much of a refusal's body is kept.
const maxRefusal = 64 << 10

// Error returns one line: the status, and what the agent says.
func (r *Refusal) Error() string {
	text := fmt.Sprintf("session: the agent refused the run: %d %s", r.Status, http.StatusText(r.Status))
	text = strings.TrimSpace(text)
	switch {
	case r.Message != "":
		text += ": " + shown(r.Message)
	case len(r.Body) > 0:
		text += ": " + shown(strings.TrimSpace(string(r.Body)))
	}
	if r.Code != "" {
		text += fmt.Sprintf(" (code %s)", shown(r.Code))
	}
	if r.Field != "" {
		text += fmt.Sprintf(" at %s", shown(r.Field))
	}
	return text
}

// refusalOf reads the refusal in a response.
func refusalOf(res *http.Response) *Refusal {
	r := &Refusal{Status: res.StatusCode, Header: res.Header}
	r.Body, _ = io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // the status is what counts
	var body struct {
		Error struct{ Code, Message, Field string }
	}
	if json.Unmarshal(r.Body, &body) == nil {
		r.Code, r.Message, r.Field = body.Error.Code, body.Error.Message, body.Error.Field
	}
	return r
}

// ErrBinary says that the agent answered in the binary form of the protocol, which is not asked for.
var ErrBinary = errors.New("session: the agent answered with " + answer.Binary +
	", and only Server-Sent Events can be read: let it heed the request's Accept: text/event-stream")

// ErrEncoded says that the agent answered with a Content-Encoding, such as br, that has not been undone. The
// error of the session names it.
var ErrEncoded = errors.New("session: the answer is compressed, and only a plain one can be read: " +
	"let the agent send the stream as it is, or undo the Content-Encoding in the client's transport")

// accept returns an error when the response is no stream that can be read. Whatever has not the binary media
// type is taken for Server-Sent Events, as the official client does.
func accept(res *http.Response) error {
	switch {
	case res.StatusCode < 200 || res.StatusCode > 299:
		return refusalOf(res)
	case answer.MediaType(res) == answer.Binary:
		return ErrBinary
	case answer.Encoding(res) != "":
		return fmt.Errorf("%w (Content-Encoding: %s)", ErrEncoded, shown(answer.Encoding(res)))
	}
	return nil
}
