package main

import (
	_ "embed"
	"net"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"go.opentelemetry.io/otel/trace"

	agui "github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

//go:embed index.html
var page []byte

// newServer returns the whole server: the agent, with the options for its runs, and the page to try it.
func newServer(tracer trace.Tracer, opts ...agui.Option) *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Use(traced(tracer))
	// A front end on another origin, its development server for one, needs this. AG-UI requests are
	// JSON, so a browser asks with an OPTIONS request first, and the middleware answers that one.
	e.Use(middleware.CORSWithConfig(middleware.CORSConfig{
		AllowOriginFunc: isLoopback,
		AllowMethods:    []string{http.MethodPost},
	}))
	e.POST("/agent", aguiecho.Handler(run, opts...))
	e.GET("/", func(c echo.Context) error { return c.HTMLBlob(http.StatusOK, page) })
	return e
}

// isLoopback reports whether the origin is this machine, on any port. In production, name the origins
// of the front end instead.
func isLoopback(origin string) (bool, error) {
	u, err := url.Parse(origin)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return false, nil //nolint:nilerr // an origin that cannot be read is another
	}
	host := u.Hostname()
	return host == "localhost" || net.ParseIP(host).IsLoopback(), nil
}
