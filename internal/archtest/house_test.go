package archtest

// room is one package of the module.
type room struct {
	// path is the package's directory in the module.
	path string
	// uses are the packages of this module that it may import, beside those of the ground floor.
	uses []string
	// modules are the other modules that it may import.
	modules []string
	kind    kind
}

// kind says which rules a room is under.
type kind int

const (
	library kind = iota // imported by users: documented, few dependencies, no init
	ground              // internal, and open to every package
	inner               // internal, and open to the rows that name it
	program             // examples and commands: other modules are up to the row alone
	suite               // holds tests of the whole; imported by nobody
)

const (
	uuid           = "github.com/google/uuid"
	echo           = "github.com/labstack/echo/v4"
	otel           = "go.opentelemetry.io/otel"
	otelTrace      = "go.opentelemetry.io/otel/trace"
	otelSDK        = "go.opentelemetry.io/otel/sdk"
	otelOTLP       = "go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	otelMetric     = "go.opentelemetry.io/otel/metric"
	otelLog        = "go.opentelemetry.io/otel/log"
	otelMeter      = "go.opentelemetry.io/otel/sdk/metric"
	otelOTLPMetric = "go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
)

// house lists every package from the ground up. A row names only rows above it, so that no arrow
// points up.
var house = []room{
	{path: "internal/answer", kind: ground},
	{path: "internal/build", kind: ground},
	{path: "internal/clip", kind: ground},
	{path: "internal/ended", kind: ground},
	{path: "internal/quote", kind: ground},
	{path: "internal/sound", kind: ground},

	{path: "events"},
	{path: "ids", modules: []string{uuid}},
	{path: "verify", uses: []string{"events"}},
	{path: "verify/stream", uses: []string{"events", "verify"}},
	{path: "verify/session", uses: []string{"events", "ids", "verify", "verify/stream"}},
	{path: "verify/verifytest", uses: []string{"events", "verify"}},
	{path: "otel", uses: []string{"events", "verify"}, modules: []string{otel, otelTrace, otelMetric, otelLog}},

	{path: "internal/watch", uses: []string{"ids", "verify"}, kind: inner},
	{path: "emitter", uses: []string{"events", "ids", "verify", "otel", "internal/watch"}, modules: []string{otel, otelTrace}},
	{path: "emitter/emittertest", uses: []string{"events", "ids", "verify", "emitter", "internal/watch"}},

	{path: "middleware", uses: []string{"events", "ids", "verify", "otel", "emitter"}},
	{path: "middleware/aguiecho", uses: []string{"events", "emitter", "middleware"}, modules: []string{echo}},

	{
		path:    "verify/agui-verify",
		uses:    []string{"events", "ids", "verify", "verify/stream", "otel"},
		modules: []string{otel, otelTrace, otelSDK, otelOTLP},
		kind:    program,
	},
	{
		path:    "examples/echo-agent",
		uses:    []string{"events", "ids", "verify", "otel", "emitter", "middleware", "middleware/aguiecho"},
		modules: []string{echo, otel, otelTrace, otelMetric, otelSDK, otelMeter, otelOTLP, otelOTLPMetric},
		kind:    program,
	},

	{path: "internal/archtest", kind: suite},
	{path: "internal/conformance", kind: suite},
	{path: "internal/faults", kind: suite},
	{path: "internal/mutation", kind: program},
	{path: "internal/otlptest", kind: suite},
	{path: "internal/readme", kind: suite},
}

// brought lists the modules that come with those that a library package imports, and with which.
var brought = map[string]string{
	"github.com/cespare/xxhash/v2":    otel,
	"github.com/go-logr/logr":         otel,
	"github.com/go-logr/stdr":         otel,
	"go.opentelemetry.io/auto/sdk":    otelTrace,
	"go.opentelemetry.io/otel/log":    otel,
	"go.opentelemetry.io/otel/metric": otel,

	"github.com/labstack/gommon":        echo,
	"github.com/mattn/go-colorable":     echo,
	"github.com/mattn/go-isatty":        echo,
	"github.com/valyala/bytebufferpool": echo,
	"github.com/valyala/fasttemplate":   echo,
	"golang.org/x/crypto":               echo,
	"golang.org/x/net":                  echo,
	"golang.org/x/sys":                  echo,
	"golang.org/x/text":                 echo,
	"golang.org/x/time":                 echo,
}
