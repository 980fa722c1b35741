// Package middleware serves agents over net/http: it turns a request into the input of a run and what
// the agent emits into a stream of Server-Sent Events, and it sees to it that every run ends as AG-UI
// 1.0 wants it, whatever the agent, the client or the network does.
//
//	package main
//
//	import (
//		"context"
//		"log"
//		"net/http"
//
//		"github.com/agui-go/agui/emitter"
//		"github.com/agui-go/agui/events"
//		"github.com/agui-go/agui/middleware"
//	)
//
//	func main() {
//		http.Handle("/agent", middleware.Handler(func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
//			msg := em.Text()
//			defer msg.Close()
//			_, err := msg.WriteString("Hello")
//			return err
//		}))
//		log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
//	}
//
// answers the run that curl asks for here
//
//	curl -N -H 'Content-Type: application/json' -d '{"threadId":"thread_1","runId":"run_1","messages":[]}' http://127.0.0.1:8080/agent
//
// with
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
// # Three shapes
//
// [Handler] serves an agent. [Wrap] makes an agent of an http.Handler, for code that is one already.
// [Runner] is what both are made of: an adapter to a framework calls [Runner.Serve], as package
// aguiecho does for echo.
//
// # How a run ends
//
// The client gets exactly one terminal event. The codes of RUN_ERROR:
//
//	the agent returned nil                     RUN_FINISHED
//	the agent sent the terminal event itself   that, and nothing after it
//	the agent returned an error                RUN_ERROR agent_error
//	the agent panicked                         RUN_ERROR panic
//	a function given to Emitter.Go did either  the same, at once
//	the run's time was up                      RUN_ERROR run_timeout
//	the server shuts down                      RUN_ERROR server_shutdown: see [Drainer]
//	the request was cancelled                  RUN_ERROR request_cancelled, if somebody still reads
//	a broken rule, when that ends a run        RUN_ERROR protocol_violation
//
// A broken rule ends a run with [emitter.FailOnViolation], with [emitter.FailFast] (and in builds with
// the tag aguidebug), and when the agent returns nil with something open that cannot be closed
// truthfully. Messages, steps and complete tool calls that it left open are closed for it: see
// [WithOnOpenAtReturn].
//
// The message of a RUN_ERROR is a fixed sentence: the text of an error or a panic goes to the log, and
// to the client only through [WithPublicError]. In fail-fast mode it is the sentence of the violation. A
// panic with http.ErrAbortHandler ends the run as a panic does and is then passed on.
//
// # Refusals
//
// A request that asks for no run gets an HTTP error instead of a stream, with a body as [Refusal]
// documents it:
//
//	405  method_not_allowed             it is not a POST
//	415  unsupported_media_type         its Content-Type is neither application/json nor one with +json
//	413  body_too_large                 its body is larger than [WithMaxBody] allows
//	400  unreadable_body                its body breaks off
//	400  invalid_json                   its body is not JSON
//	422  invalid_input                  its body is not a RunAgentInput; field says where
//	422  unsupported_protocol_version   it wants a major version of AG-UI after 1
//	422  too_deep                       its body is nested deeper than [WithMaxDepth] allows
//	422  too_many_messages              it has more messages than [WithMaxMessages] allows
//	503  too_many_runs                  there are as many runs as [WithMaxRuns] allows; with Retry-After
//	503  server_shutdown                the [Drainer] drains; with Retry-After
//	409  thread_busy                    another run is active on its thread: see [WithRegistry]
//	409  run_known                      a run with its id was started before
//	500  cannot_stream                  a wrapper of the response hides Flush; the message names it
//	500  internal_error                 the function given to [WithPrepare] returned an error without a status
//
// CORS is left to a middleware in front: it answers the preflight, and a second header breaks browsers.
//
// # The connection
//
// Each event is flushed as it is written. After 15 seconds of silence a comment keeps proxies from
// closing the connection ([WithKeepAlive], [WithHeartbeat]). An event that cannot be sent within 30
// seconds means that the client is gone ([WithWriteTimeout]); http.Server.WriteTimeout does not cut a
// stream, and applies again to the next request on the connection. Over HTTP/2 a client that does not
// read its connection at all is noticed by the server alone, and only if that has a WriteByteTimeout:
//
//	server.HTTP2 = &http.HTTP2Config{WriteByteTimeout: 30 * time.Second}
//
// When the client is gone, by the first of a failed write, a failed flush and a cancelled request, the
// run's context is cancelled with a cause that Is [emitter.ErrDisconnected], and every later call fails
// alike; with [WithDetach] the run goes on for a while and is not told.
package middleware
