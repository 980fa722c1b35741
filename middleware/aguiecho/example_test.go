package aguiecho_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

// show serves one request and prints the answer.
func show(handler http.Handler) {
	server := httptest.NewServer(handler)
	defer server.Close()
	resp, err := http.Post(server.URL+"/agent", "application/json", strings.NewReader(input))
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
	e := echo.New()
	e.POST("/agent", aguiecho.Handler(func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
		msg := em.Text()
		defer msg.Close()
		_, err := msg.WriteString("Hello")
		return err
	}, middleware.WithEmitter(emitter.WithIDs(ids.Sequence()))))
	show(e)
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

func ExampleMiddleware() {
	e := echo.New()
	e.POST("/agent", func(c echo.Context) error {
		em, _ := emitter.FromContext(c.Request().Context())
		return em.Custom("example:path", c.Path())
	}, aguiecho.Middleware())
	show(e)
	// Output:
	// 200
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"CUSTOM","name":"example:path","value":"/agent"}
	//
	// data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}
}

func ExampleWithPrepare() {
	login := func(c echo.Context, in *events.RunAgentInput) (context.Context, error) {
		if c.Request().Header.Get("Authorization") == "" {
			return nil, echo.NewHTTPError(http.StatusUnauthorized, "log in first")
		}
		return c.Request().Context(), nil
	}
	agent := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error { return nil }
	e := echo.New()
	e.POST("/agent", aguiecho.Handler(agent, aguiecho.WithPrepare(login)))
	show(e)
	// Output:
	// 401
	// {"error":{"code":"unauthorized","message":"log in first","field":""}}
}
