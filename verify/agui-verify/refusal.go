package main

import (
	"net/http"
)

// refuse answers a request that cannot be passed on. What has not been read of the request stays unread, so that
// its connection cannot be used again.
func refuse(w http.ResponseWriter, status int, code, message string) {
	var body struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	body.Error.Code, body.Error.Message = code, message
	w.Header().Set("Connection", "close")
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = encodeLine(w, body) // the client may have gone
}
