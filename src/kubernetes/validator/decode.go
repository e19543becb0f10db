package main

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

type creator struct{}

func (creator) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object, nil
}

var decoder = serializer.NewSerializerWithOptions(
	serializer.DefaultMetaFactory, creator{}, crdserverscheme.NewUnstructuredObjectTyper(),
	serializer.SerializerOptions{Strict: true})

// parse reads an object of the definition's kind, and returns it with its version.
func (d *definition) parse(raw []byte) (*unstructured.Unstructured, *version, verdict) {
	object := &unstructured.Unstructured{}
	if _, _, err := decoder.Decode(raw, nil, object); err != nil {
		return nil, nil, undecodable(err)
	}
	wanted, found := d.internal.Spec, object.GroupVersionKind()
	if found.Group != wanted.Group {
		return nil, nil, refused(cause{"apiVersion", "FieldValueInvalid", fmt.Sprintf("the group must be %s", wanted.Group)})
	}
	if found.Kind != wanted.Names.Kind {
		return nil, nil, refused(cause{"kind", "FieldValueInvalid", fmt.Sprintf("must be %s", wanted.Names.Kind)})
	}
	by := d.version(found.Version)
	if by == nil {
		return nil, nil, notEvaluated(fmt.Sprintf("version %s of %s is not served", found.Version, found.GroupKind()))
	}
	return object, by, accepted
}

// coerce treats a decoded object as the server does.
func (d *definition) coerce(object *unstructured.Unstructured, structural *structuralschema.Structural, stored bool) error {
	if err := d.prune(object, structural, stored); err != nil {
		return err
	}
	defaulting.Default(object.Object, structural)
	return nil
}

// prune is unstructuredSchemaCoercer.apply of the server. It repairs a stored object where necessary, and refuses a sent
// object with unknown fields.
func (d *definition) prune(object *unstructured.Unstructured, structural *structuralschema.Structural, stored bool) error {
	apiVersion, kind := object.GetAPIVersion(), object.GetKind()
	meta, hasMeta, unknown, err := schemaobjectmeta.GetObjectMetaWithOptions(object.Object,
		schemaobjectmeta.ObjectMetaOptions{DropMalformedFields: stored, ReturnUnknownFieldPaths: !stored})
	if err != nil {
		return err
	}
	preserve := d.internal.Spec.PreserveUnknownFields != nil && *d.internal.Spec.PreserveUnknownFields
	if !preserve {
		unknown = append(unknown, pruning.PruneWithOptions(object.Object, structural, true,
			structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: !stored})...)
		defaulting.PruneNonNullableNullsWithoutDefaults(object.Object, structural)
	}
	problem, paths := schemaobjectmeta.CoerceWithOptions(nil, object.Object, structural, false,
		schemaobjectmeta.CoerceOptions{DropInvalidFields: stored, ReturnUnknownFieldPaths: !stored})
	if problem != nil {
		return problem
	}
	object.SetKind(kind)
	object.SetAPIVersion(apiVersion)
	if hasMeta {
		if err := schemaobjectmeta.SetObjectMeta(object.Object, meta); err != nil {
			return err
		}
	}
	if unknown = append(unknown, paths...); len(unknown) > 0 && !stored {
		return unknownFields(unknown)
	}
	return nil
}

func unknownFields(paths []string) error {
	problems := make([]error, 0, len(paths))
	for _, path := range paths {
		problems = append(problems, fmt.Errorf(`unknown field "%s"`, path))
	}
	return runtime.NewStrictDecodingError(problems)
}

// convertsByWebhook reports whether the server would call a webhook for the conversion between two versions.
func (d *definition) convertsByWebhook(from, to string) bool {
	conversion := d.internal.Spec.Conversion
	return from != to && conversion != nil && conversion.Strategy == apiextensions.WebhookConverter
}
