package main

import (
	"fmt"
	"log"
	"net/http"
	"slices"
	"strings"
	"time"
)

const interval = 300 * time.Millisecond

// reconciler keeps the state of each CR, and where it has a finalizer to remove it by, a ConfigMap.
type reconciler struct {
	behaviour
	api        *api
	readySince map[string]time.Time
	ticks      int
}

func newReconciler(b behaviour) (*reconciler, error) {
	api, err := inCluster()
	return &reconciler{behaviour: b, api: api, readySince: map[string]time.Time{}}, err
}

type object struct {
	Metadata struct {
		Name              string   `json:"name"`
		Namespace         string   `json:"namespace"`
		UID               string   `json:"uid"`
		DeletionTimestamp string   `json:"deletionTimestamp"`
		Finalizers        []string `json:"finalizers"`
	} `json:"metadata"`
	Status struct {
		State      string `json:"state"`
		Conditions []struct {
			Message string `json:"message"`
		} `json:"conditions"`
	} `json:"status"`
}

func (r *reconciler) reconcileAll() error {
	var list struct{ Items []object }
	group, plural := r.names()
	if err := r.api.call("GET", fmt.Sprintf("/apis/%s/%s", group, plural), nil, &list); err != nil {
		return err
	}
	r.ticks++
	for _, one := range list.Items {
		if err := r.reconcile(one); err != nil {
			log.Printf("%s/%s: %v", one.Metadata.Namespace, one.Metadata.Name, err)
		}
	}
	return nil
}

func (r *reconciler) reconcile(one object) error {
	if one.Metadata.DeletionTimestamp != "" {
		return r.finish(one)
	}
	if r.finalizer != "" && !slices.Contains(one.Metadata.Finalizers, r.finalizer) {
		finalizers := append(one.Metadata.Finalizers, r.finalizer)
		if err := r.patch(one, "", map[string]any{"metadata": map[string]any{"finalizers": finalizers}}); err != nil {
			return err
		}
	}
	if r.hot {
		annotations := map[string]string{"sample.example.com/seen": fmt.Sprint(r.ticks)}
		if err := r.patch(one, "", map[string]any{"metadata": map[string]any{"annotations": annotations}}); err != nil {
			return err
		}
	}
	if r.finalizer != "" {
		if err := r.keepConfigMap(one); err != nil {
			return err
		}
	}
	return r.setState(one)
}

// finish removes what the CR brought, and then its finalizer.
func (r *reconciler) finish(one object) error {
	if r.finalizer == "" || !slices.Contains(one.Metadata.Finalizers, r.finalizer) || r.stuck {
		return nil
	}
	if !r.leave {
		err := r.api.call("DELETE", r.configMaps(one)+"/"+r.configMapName(one), nil, nil)
		if err != nil && !isStatus(err, http.StatusNotFound) {
			return err
		}
	}
	others := slices.DeleteFunc(slices.Clone(one.Metadata.Finalizers), func(f string) bool { return f == r.finalizer })
	return r.patch(one, "", map[string]any{"metadata": map[string]any{"finalizers": others}})
}

func (r *reconciler) keepConfigMap(one object) error {
	err := r.api.call("GET", r.configMaps(one)+"/"+r.configMapName(one), nil, nil)
	if err == nil || !isStatus(err, http.StatusNotFound) {
		return err
	}
	content := map[string]any{"metadata": map[string]any{"name": r.configMapName(one)}, "data": map[string]string{"uid": one.Metadata.UID}}
	return r.api.call("POST", r.configMaps(one), content, nil)
}

// setState writes only what differs.
func (r *reconciler) setState(one object) error {
	state, message := r.stateOf(one)
	status := map[string]any{"state": state}
	said := ""
	if len(one.Status.Conditions) > 0 {
		said = one.Status.Conditions[0].Message
	}
	if message != "" || said != "" {
		status["conditions"] = []any{map[string]any{
			"type": "Installation", "status": "True", "reason": state, "message": message,
			"lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
		}}
	}
	if one.Status.State == state && said == message {
		return nil
	}
	return r.patch(one, "/status", map[string]any{"status": status})
}

func (r *reconciler) stateOf(one object) (state, message string) {
	if r.requires != "" {
		if err := r.api.call("GET", "/apis/"+r.requires, nil, nil); isStatus(err, http.StatusNotFound) {
			return "Warning", "the API " + r.requires + " is missing: install the module that brings it"
		}
	}
	since, isKnown := r.readySince[one.Metadata.UID]
	if !isKnown {
		r.readySince[one.Metadata.UID] = time.Now()
	} else if r.errorAfter > 0 && time.Since(since) > r.errorAfter {
		return "Error", "the connection to the backend was lost"
	}
	return r.finalState, ""
}

func (r *reconciler) patch(one object, subresource string, content any) error {
	group, plural := r.names()
	path := fmt.Sprintf("/apis/%s/namespaces/%s/%s/%s%s", group, one.Metadata.Namespace, plural, one.Metadata.Name, subresource)
	return r.api.call("PATCH", path, content, nil)
}

func (r *reconciler) configMaps(one object) string {
	return "/api/v1/namespaces/" + one.Metadata.Namespace + "/configmaps"
}

func (r *reconciler) configMapName(one object) string {
	_, plural := r.names()
	return plural + "-" + one.Metadata.Name
}

// names splits group/version/plural into its API and its plural.
func (r *reconciler) names() (group, plural string) {
	at := strings.LastIndex(r.resource, "/")
	return r.resource[:at], r.resource[at+1:]
}
