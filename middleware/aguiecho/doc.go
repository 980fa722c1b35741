// Package aguiecho serves agents from echo v4.
//
//	package main
//
//	import (
//		"context"
//
//		"github.com/labstack/echo/v4"
//
//		"github.com/agui-go/agui/emitter"
//		"github.com/agui-go/agui/events"
//		"github.com/agui-go/agui/middleware/aguiecho"
//	)
//
//	func main() {
//		e := echo.New()
//		e.POST("/agent", aguiecho.Handler(func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
//			msg := em.Text()
//			defer msg.Close()
//			_, err := msg.WriteString("Hello")
//			return err
//		}))
//		e.Logger.Fatal(e.Start("127.0.0.1:8080"))
//	}
//
// answers a run with what package middleware documents, and with the same options:
//
//	data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
//
//	data: {"type":"TEXT_MESSAGE_START","messageId":"msg_..."}
//
//	data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_...","delta":"Hello"}
//
//	data: {"type":"TEXT_MESSAGE_END","messageId":"msg_..."}
//
//	data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}
//
// [Handler] serves an agent; [Middleware] makes an agent of an echo handler.
//
// # Other middlewares
//
// Recover, Logger, Secure, CORS and BodyDump work in front of a run. ContextTimeout ends the run with
// RUN_ERROR run_timeout when its time is up. Gzip works, but compresses each event by itself and hides a client that
// has left until the next write: skip it for the agent's route. Timeout holds back the whole response; a run
// behind it is refused with status 500 before it starts.
//
// When the run is over, the response refuses to write, so that nothing comes behind the last event: an error
// that a middleware returns after that still reaches echo's error handler, and what that writes reaches nobody. A
// middleware that wraps the writer of the response must not put back the one that it found.
//
// # Shutdown
//
// Echo.Shutdown waits for streams, and first for those of the server for TLS. A middleware.Drainer ends them
// when it is registered with both:
//
//	e.Server.RegisterOnShutdown(drainer.Drain)
//	e.TLSServer.RegisterOnShutdown(drainer.Drain)
package aguiecho
