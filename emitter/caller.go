package emitter

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// callSite returns the file and line of the innermost frame that belongs neither to this library nor
// to the standard library, or "" when there is none.
func callSite() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function != "" && !isLibrary(packageOf(f.Function)) {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// packageOf returns the import path of the package of a function as package runtime names it.
func packageOf(function string) string {
	dir, name := "", function
	if i := strings.LastIndexByte(function, '/'); i >= 0 {
		dir, name = function[:i+1], function[i+1:]
	}
	name, _, _ = strings.Cut(name, ".")
	return dir + name
}

// isLibrary reports whether the package is one of ours, tests and examples apart, or of the standard
// library.
func isLibrary(pkg string) bool {
	module := strings.TrimSuffix(reflect.TypeFor[Emitter]().PkgPath(), "/emitter")
	if rest, ok := strings.CutPrefix(pkg, module+"/"); ok {
		return slices.Contains(libraryPackages, rest)
	}
	first, _, _ := strings.Cut(pkg, "/")
	return slices.Contains(standardRoots, first)
}

// libraryPackages are the packages that a call passes through on its way to the emitter.
var libraryPackages = []string{
	"emitter", "middleware", "middleware/aguiecho",
}

// standardRoots are the first elements of the standard library's import paths. A path cannot be told
// by its file: builds with -trimpath have no GOROOT.
var standardRoots = []string{
	"archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database",
	"debug", "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image",
	"index", "internal", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin",
	"reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync",
	"syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "vendor", "weak",
}
