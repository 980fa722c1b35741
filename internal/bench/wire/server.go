package wire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/agui-go/agui/internal/bench/wire/child"
)

// name is that of the process with the server.
const name = "wire"

// Child serves the runs when this process was started for that, and reports whether it was.
func Child() bool { return child.Run(name, serve) }

// address is where the server listens.
type address struct {
	Plain       string // HTTP/1.1
	TLS         string // HTTP/2
	Certificate []byte // of the latter, in DER
}

// question is what the parent asks the server: what it has used. The first one is answered with its address.
type question struct {
	Load     *load // what runs are to write from now on; nil: as before
	Tidy     bool  // collect the garbage first, so that the next batch does not pay for that of the last
	Recorded bool  // what was recorded of runs that are watched, in place of what was used
}

// serve serves all kinds until the parent wants no more.
func serve(parent *child.Parent) error {
	var current atomic.Pointer[load]
	mux, watch := http.NewServeMux(), newRecorder()
	for k, h := range handlers(func() load { return *current.Load() }, watch) {
		mux.Handle("POST /"+string(k), h)
	}
	where, stop, err := listen(mux)
	if err != nil {
		return err
	}
	defer stop()
	if err := parent.Next(&question{}); err != nil {
		return err
	}
	if err := parent.Answer(where); err != nil {
		return err
	}
	for {
		var q question
		if err := parent.Next(&q); err != nil {
			return err
		}
		if q.Load != nil {
			current.Store(q.Load)
		}
		if q.Recorded {
			err = answerRecorded(parent, watch)
		} else {
			err = answerUsed(parent, q.Tidy)
		}
		if err != nil {
			return err
		}
	}
}

// answerUsed answers with what was used.
func answerUsed(parent *child.Parent, tidy bool) error {
	if tidy {
		runtime.GC()
	}
	used, err := parent.Used()
	if err != nil {
		return err
	}
	return parent.Answer(used)
}

// answerRecorded answers with what was recorded.
func answerRecorded(parent *child.Parent, r *recorder) error {
	all, err := r.recorded(context.Background())
	if err != nil {
		return err
	}
	return parent.Answer(all)
}

// listen serves over HTTP/1.1, and over HTTP/2 with TLS, on loopback, until stop is called.
func listen(h http.Handler) (where *address, stop func(), err error) {
	certificate, err := selfSigned()
	if err != nil {
		return nil, nil, err
	}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("wire: %w", err)
	}
	secure, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		plain.Close()
		return nil, nil, fmt.Errorf("wire: %w", err)
	}
	// Two servers: the first call of Serve or ServeTLS decides whether one speaks HTTP/2.
	one := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	two := &http.Server{
		Handler: h, ReadHeaderTimeout: time.Minute,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS13},
	}
	go func() { _ = one.Serve(plain) }()
	go func() { _ = two.ServeTLS(secure, "", "") }()
	stop = func() {
		one.Close()
		two.Close()
	}
	return &address{plain.Addr().String(), secure.Addr().String(), certificate.Certificate[0]}, stop, nil
}

// selfSigned makes a certificate for 127.0.0.1.
func selfSigned() (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	about := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
