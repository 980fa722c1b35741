package middleware_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/middleware"
)

const exampleInput = `{"threadId":"thread_1","runId":"run_1","messages":[]}`

// show serves one request and prints the answer.
func show(handler http.Handler, input string) {
	server := httptest.NewServer(handler)
	defer server.Close()
	resp, err := http.Post(server.URL, "application/json", strings.NewReader(input))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode)
	fmt.Println(strings.TrimSpace(string(body)))
}

func ExampleHandler() {
	agent := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
		msg := em.Text()
		defer msg.Close()
		_, err := msg.WriteString("Hello")
		return err
	}
	show(middleware.Handler(agent, middleware.WithEmitter(emitter.WithIDs(ids.Sequence()))), exampleInput)
	// Output:
	// 200
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
	//
	// data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"Hello"}
	//
	// data: {"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
	//
	// data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}
}

func ExampleWrap() {
	search := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		em, _ := emitter.FromContext(r.Context())
		if err := em.Custom("example:found", 3); err != nil {
			middleware.FailRun(r.Context(), err)
		}
	})
	show(middleware.Wrap()(search), exampleInput)
	// Output:
	// 200
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"CUSTOM","name":"example:found","value":3}
	//
	// data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}
}

func ExampleWithPrepare() {
	agent := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error { return nil }
	login := func(r *http.Request, in *events.RunAgentInput) (context.Context, error) {
		if r.Header.Get("Authorization") == "" {
			return nil, &middleware.Refusal{Status: http.StatusUnauthorized, Message: "log in first"}
		}
		return r.Context(), nil
	}
	show(middleware.Handler(agent, middleware.WithPrepare(login)), exampleInput)
	// Output:
	// 401
	// {"error":{"code":"unauthorized","message":"log in first","field":""}}
}

func ExampleRefusal() {
	agent := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error { return nil }
	show(middleware.Handler(agent), `{"threadId":7}`)
	// Output:
	// 422
	// {"error":{"code":"invalid_input","message":"the body is not a RunAgentInput of AG-UI 1.0: /threadId: want a string, got a number","field":"/threadId"}}
}

func ExampleWithPublicError() {
	agent := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
		return context.DeadlineExceeded // say, of a call to a model
	}
	public := func(err error) (message, code string) {
		return "The model is busy. Try again.", "model_busy"
	}
	show(middleware.Handler(agent, middleware.WithPublicError(public), middleware.WithLogger(nil)), exampleInput)
	// Output:
	// 200
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"RUN_ERROR","message":"The model is busy. Try again.","code":"model_busy"}
}
