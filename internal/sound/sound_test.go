package sound_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/sound"
)

type typed struct{ name string }

func (*typed) Error() string       { return "typed" }
func (t *typed) ErrorType() string { return t.name }

func TestError(t *testing.T) {
	plain := errors.New("plain")
	wrapped := fmt.Errorf("more: %w", errors.Join(plain, &typed{"x"}))
	for _, err := range []error{nil, plain, wrapped} {
		if got := sound.Error(err); got != err {
			t.Errorf("\n got: %v\nwant: %v itself", got, err)
		}
	}
	for name, err := range map[string]error{
		"a nil that unwraps":   (*fs.PathError)(nil),
		"a nil with a type":    (*typed)(nil),
		"deep in a chain":      errors.Join(plain, fmt.Errorf("more: %w", (*fs.PathError)(nil))),
		"a nil within a chain": errors.Join(plain, (*typed)(nil)),
	} {
		got := sound.Error(err)
		if got == nil || !strings.Contains(got.Error(), "whose own methods panic") || errors.Unwrap(got) != nil {
			t.Errorf("%s\n got: %v\nwant: an error of its own that says what panics", name, got)
		}
	}
}
