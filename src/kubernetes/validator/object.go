package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// change is an update of an object.
type change struct {
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
}

// Values that the server would set; no rule can depend on them.
const (
	someUID      = types.UID("00000000-0000-4000-8000-000000000000")
	someRevision = "1"
	nameSuffix   = "xxxxx"
	longestBase  = 63 - len(nameSuffix)
)

var (
	creation     = metav1.Unix(1_700_000_000, 0)
	metadataPath = field.NewPath("metadata")
)

// create validates like POST: decoding, server-set fields, then Validate of the strategy of custom resources.
func (d *definition) create(raw []byte) verdict {
	_, _, found := d.created(raw)
	return found
}

// created also returns the object to store, unless it is refused before its fields are validated.
func (d *definition) created(raw []byte) (*unstructured.Unstructured, *version, verdict) {
	object, by, found := d.parse(raw)
	if object == nil {
		return nil, nil, found
	}
	if err := d.coerce(object, by.structural, false); err != nil {
		return nil, nil, undecodable(err)
	}
	if revision, err := strconv.ParseUint(object.GetResourceVersion(), 10, 64); err == nil && revision != 0 {
		return nil, nil, refused(cause{"metadata.resourceVersion", "FieldValueInvalid", "should not be set on objects to be created"})
	}
	d.prepareCreate(object, by)
	problems := by.validateCreate(object, d.namespaced())
	if len(problems) == 0 {
		problems = metavalidation.ValidateObjectMetaAccessor(object, d.namespaced(), pathSegment, metadataPath)
	}
	return object, by, d.outcome(problems, object)
}

// read validates like create, and returns what a client then reads in the version that it wrote: the object is converted
// to the storage version and back, and loses the fields that the storage version does not have.
func (d *definition) read(raw []byte) verdict {
	object, by, found := d.created(raw)
	if found.Kind != accepted.Kind {
		return found
	}
	written, stored := object.GetAPIVersion(), d.internal.Status.StoredVersions[0]
	object.SetAPIVersion(d.internal.Spec.Group + "/" + stored)
	if err := d.coerce(object, d.known(stored).structural, true); err != nil {
		return notEvaluated("it could not be converted to " + stored + ": " + err.Error())
	}
	object.SetAPIVersion(written)
	if err := d.prune(object, by.structural, true); err != nil {
		return notEvaluated("it could not be converted from " + stored + ": " + err.Error())
	}
	return verdict{Kind: accepted.Kind, Object: object.Object}
}

func (d *definition) prepareCreate(object *unstructured.Unstructured, by *version) {
	d.placeIn(object, metav1.NamespaceDefault)
	object.SetDeletionTimestamp(nil)
	object.SetDeletionGracePeriodSeconds(nil)
	object.SetSelfLink("")
	object.SetManagedFields(nil)
	object.SetCreationTimestamp(creation)
	object.SetUID(someUID)
	if base := object.GetGenerateName(); base != "" && object.GetName() == "" {
		object.SetName(base[:min(len(base), longestBase)] + nameSuffix)
	}
	if by.status {
		delete(object.Object, "status")
	}
	object.SetGeneration(1)
}

// update validates like PUT. A new object without a revision gets that of the old one.
func (d *definition) update(one change) verdict {
	old, before, found := d.parse(one.Old)
	if old == nil {
		return notEvaluated("the old object could not be read: " + why(found))
	}
	object, by, found := d.parse(one.New)
	if object == nil {
		return found
	}
	if from, to := old.GroupVersionKind().Version, object.GroupVersionKind().Version; d.convertsByWebhook(from, to) {
		return notEvaluated(fmt.Sprintf("a webhook would convert the old object from %s to %s", from, to))
	}
	if err := d.coerce(old, before.structural, true); err != nil {
		return notEvaluated("the old object could not be read: " + err.Error())
	}
	old.SetAPIVersion(object.GetAPIVersion())
	if err := d.coerce(old, by.structural, true); err != nil {
		return notEvaluated("the old object could not be converted: " + err.Error())
	}
	if err := d.coerce(object, by.structural, false); err != nil {
		return undecodable(err)
	}
	d.prepareUpdate(object, old, by)
	if problem := addressedElsewhere(object, old); problem != nil {
		return refused(*problem)
	}
	return d.outcome(by.validateUpdate(object, old, d.namespaced()), object)
}

// addressedElsewhere returns the server's error for an object that is not the one in the URL.
func addressedElsewhere(object, old *unstructured.Unstructured) *cause {
	if object.GetNamespace() != old.GetNamespace() {
		return &cause{"metadata.namespace", "FieldValueInvalid",
			"the namespace of the provided object does not match the namespace sent on the request"}
	}
	if wanted, found := old.GetName(), object.GetName(); found != wanted {
		return &cause{"metadata.name", "FieldValueInvalid",
			fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", found, wanted)}
	}
	return nil
}

func why(found verdict) string {
	if len(found.Causes) > 0 {
		return found.Causes[0].Message
	}
	return found.Why
}

func (d *definition) prepareUpdate(object, old *unstructured.Unstructured, by *version) {
	d.placeIn(old, metav1.NamespaceDefault)
	d.placeIn(object, old.GetNamespace())
	fill(old.GetUID, old.SetUID, someUID)
	fill(old.GetResourceVersion, old.SetResourceVersion, someRevision)
	fill(object.GetUID, object.SetUID, old.GetUID())
	fill(object.GetResourceVersion, object.SetResourceVersion, old.GetResourceVersion())
	object.SetGeneration(max(old.GetGeneration(), 1))
	if old.GetGeneration() == 0 {
		old.SetGeneration(1)
	}
	if created := old.GetCreationTimestamp(); created.IsZero() {
		old.SetCreationTimestamp(creation)
	}
	object.SetCreationTimestamp(old.GetCreationTimestamp())
	if old.GetDeletionTimestamp() != nil {
		object.SetDeletionTimestamp(old.GetDeletionTimestamp())
	}
	if old.GetDeletionGracePeriodSeconds() != nil && object.GetDeletionGracePeriodSeconds() == nil {
		object.SetDeletionGracePeriodSeconds(old.GetDeletionGracePeriodSeconds())
	}
	object.SetManagedFields(nil)
	old.SetManagedFields(nil)
	if by.status {
		keepStatus(object.Object, old.Object)
	}
}

func keepStatus(object, old map[string]any) {
	if status, ok := old["status"]; ok {
		object["status"] = status
	} else {
		delete(object, "status")
	}
}

func fill[T ~string](get func() T, set func(T), value T) {
	if get() == "" {
		set(value)
	}
}

// placeIn sets the namespace of the request in an object without one, as the server does.
func (d *definition) placeIn(object *unstructured.Unstructured, namespace string) {
	switch {
	case !d.namespaced():
		object.SetNamespace("")
	case object.GetNamespace() == "":
		object.SetNamespace(namespace)
	}
}

// outcome considers that a webhook may still refuse an object that must be converted before it is stored.
func (d *definition) outcome(problems field.ErrorList, object *unstructured.Unstructured) verdict {
	if len(problems) > 0 {
		return refusedFor(problems)
	}
	name, stored := object.GroupVersionKind().Version, d.internal.Status.StoredVersions[0]
	if d.convertsByWebhook(name, stored) {
		return notEvaluated(fmt.Sprintf("it is valid as %s, and a webhook would convert it to %s", name, stored))
	}
	return accepted
}

func pathSegment(name string, prefix bool) []string {
	return path.ValidatePathSegmentName(name, prefix)
}
