package build_test

import (
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/build"
)

func TestConstantsFollowTags(t *testing.T) {
	tags := buildTags(t)
	tests := []struct {
		name string
		got  bool
		tag  string
	}{
		{"Debug", build.Debug, "aguidebug"},
		{"NoVerify", build.NoVerify, "aguinoverify"},
	}
	for _, tt := range tests {
		if want := slices.Contains(tags, tt.tag); tt.got != want {
			t.Errorf("%s with tags %q\n got: %t\nwant: %t", tt.name, tags, tt.got, want)
		}
	}
}

func TestBuildsCompile(t *testing.T) {
	for _, tags := range []string{"", "aguidebug", "aguinoverify"} {
		if out, err := exec.Command("go", "build", "-tags", tags, ".").CombinedOutput(); err != nil {
			t.Errorf("go build -tags %q: %v\n%s", tags, err, out)
		}
	}
}

func TestBothTagsAreACompileError(t *testing.T) {
	out, err := exec.Command("go", "build", "-tags", "aguidebug,aguinoverify", ".").CombinedOutput()
	if err == nil {
		t.Fatal("a build with both tags compiles")
	}
	want := "the_build_tags_aguidebug_and_aguinoverify_exclude_each_other"
	if got := string(out); !strings.Contains(got, want) {
		t.Errorf("compile error\n got: %s\nwant it to say: %s", got, want)
	}
	if got := strings.Count(string(out), "conflict.go:"); got != 1 {
		t.Errorf("errors in the output\n got: %d\nwant: 1\n%s", got, out)
	}
}

// buildTags returns the tags that this test binary was built with.
func buildTags(t *testing.T) []string {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("the test binary has no build information")
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" {
			return strings.Split(s.Value, ",")
		}
	}
	return nil
}
