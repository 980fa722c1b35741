package aguiotel_test

import (
	"context"
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/agui-go/agui/events"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

func Example() {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	ctx, span := provider.Tracer("example").Start(context.Background(), "POST /agent")

	// What the emitter does when an agent breaks a rule.
	aguiotel.New().Run().Violation(ctx, &verify.Violation{
		Rule:      verify.NotOpen,
		EventType: events.TypeTextMessageContent,
		ID:        "m1",
		Index:     1,
	})

	span.End()
	for _, event := range recorder.Ended()[0].Events() {
		fmt.Println(event.Name)
		for _, attr := range event.Attributes {
			fmt.Printf("  %s=%s\n", attr.Key, attr.Value.String())
		}
	}
	// Output:
	// agui.verify.violation
	//   agui.rule=NotOpen
	//   agui.event.type=TEXT_MESSAGE_CONTENT
	//   agui.entity.id=m1
	//   agui.event.index=1
}
