package session

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
)

var (
	errNilInput    = errors.New("session: nil input: give the RunAgentInput to send")
	errNilResponse = errors.New("session: no response: give the one that the agent has answered with")
)

// completed returns a copy of in with what producers may insist on: ids, the version of the protocol, and an
// empty value of each member that is absent, as the official client sends them.
func completed(in *events.RunAgentInput, source ids.Source) *events.RunAgentInput {
	full := *in
	full.ThreadID = ids.Or(in.ThreadID, source, ids.Thread)
	full.RunID = ids.Or(in.RunID, source, ids.Run)
	if !full.ProtocolVersion.IsSet() {
		full.ProtocolVersion = events.Some(events.ProtocolVersion)
	}
	if full.State.IsZero() {
		full.State = events.MustParseJSON("{}")
	}
	if full.ForwardedProps.IsZero() {
		full.ForwardedProps = events.MustParseJSON("{}")
	}
	if full.Tools == nil {
		full.Tools = []events.Tool{}
	}
	if full.Context == nil {
		full.Context = []events.Context{}
	}
	return &full
}

// post sends in to the agent. The caller closes the response's body.
func (c *config) post(ctx context.Context, client *http.Client, url string, in *events.RunAgentInput) (*http.Response, error) {
	text, err := completed(in, c.ids).AppendJSON(nil)
	if err != nil {
		return nil, failed("the input cannot be sent", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return nil, failed("the request cannot be made", err)
	}
	req.Header = c.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		if gaveUp := gaveUp(ctx, err); gaveUp != nil {
			return nil, gaveUp
		}
		return nil, failed("the agent cannot be reached", err)
	}
	return res, nil
}
