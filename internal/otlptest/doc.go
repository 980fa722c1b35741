// Package otlptest holds the test that follows a run from a front end's request to an OTLP receiver: real
// servers, the SDK, its exporters, and the spans as a collector gets them.
package otlptest
