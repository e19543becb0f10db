package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

const account = "/var/run/secrets/kubernetes.io/serviceaccount/"

// api is the API server of the cluster, as the service account of the pod may use it.
type api struct {
	server string
	token  string
	client http.Client
}

func inCluster() (*api, error) {
	authority, err := os.ReadFile(account + "ca.crt")
	if err != nil {
		return nil, err
	}
	token, err := os.ReadFile(account + "token")
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	server := "https://" + net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	return &api{server, string(token), http.Client{Transport: transport, Timeout: 10 * time.Second}}, nil
}

// refusal is an unsuccessful answer of the API server.
type refusal struct {
	status int
	text   string
}

func (r refusal) Error() string { return fmt.Sprintf("%d: %s", r.status, r.text) }

func isStatus(err error, status int) bool {
	var r refusal
	return errors.As(err, &r) && r.status == status
}

// call sends content as JSON, for PATCH as a merge patch, and reads the answer into answer unless that is nil.
func (a *api) call(method, path string, content, answer any) error {
	var body bytes.Buffer
	if content != nil {
		if err := json.NewEncoder(&body).Encode(content); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, a.server+path, &body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+a.token)
	request.Header.Set("Content-Type", "application/json")
	if method == "PATCH" {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return refusal{response.StatusCode, strings.TrimSpace(string(text))}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
