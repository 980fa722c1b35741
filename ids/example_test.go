package ids_test

import (
	"fmt"

	"github.com/agui-go/agui/ids"
)

func ExampleNew() {
	id := ids.New(ids.Message)
	fmt.Println(id[:4], len(id))
	// Output: msg_ 36
}

func ExampleSequence() {
	source := ids.Sequence()
	fmt.Println(source.NewID(ids.Message))
	fmt.Println(source.NewID(ids.ToolCall))
	fmt.Println(source.NewID(ids.Message))
	// Output:
	// msg_1
	// call_1
	// msg_2
}

func ExampleOr() {
	source := ids.Sequence()
	fmt.Println(ids.Or("toolu_01A09q90qw90lq917835lq9", source, ids.ToolCall))
	fmt.Println(ids.Or("", source, ids.ToolCall))
	// Output:
	// toolu_01A09q90qw90lq917835lq9
	// call_1
}

// Any function is a source: here one that marks the ids of a tenant.
func ExampleFunc() {
	next := ids.Sequence()
	source := ids.Func(func(kind ids.Kind) string { return "acme-" + next.NewID(kind) })
	fmt.Println(source.NewID(ids.Run))
	// Output: acme-run_1
}
