package main

import (
	"context"
	"crypto/sha256"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definitionvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	kubejson "sigs.k8s.io/json"
)

// definition is an accepted CustomResourceDefinition. Its versions are compiled on first use.
type definition struct {
	internal *apiextensions.CustomResourceDefinition
	versions map[string]*version
	used     uint64
}

// version is one version of a definition, prepared as the server does before it serves it.
type version struct {
	structural *structuralschema.Structural
	schema     validation.SchemaValidator
	rules      *cel.Validator
	status     bool
	scale      *apiextensions.CustomResourceSubresourceScale
}

const remembered = 8

var (
	definitions = map[[sha256.Size]byte]*definition{}
	uses        uint64
)

// compiled returns the definition, or nil with the reason. It caches recently used definitions.
func compiled(raw []byte) (*definition, verdict) {
	key := sha256.Sum256(raw)
	uses++
	if known, ok := definitions[key]; ok {
		known.used = uses
		return known, accepted
	}
	internal, result := acceptedDefinition(raw)
	if internal == nil {
		return nil, result
	}
	forgetOldest()
	found := &definition{internal: internal, versions: map[string]*version{}, used: uses}
	definitions[key] = found
	return found, accepted
}

func forgetOldest() {
	if len(definitions) < remembered {
		return
	}
	var oldest [sha256.Size]byte
	age := uses
	for key, one := range definitions {
		if one.used < age {
			oldest, age = key, one.used
		}
	}
	delete(definitions, oldest)
}

// acceptedDefinition decodes, defaults, converts and validates as the server does for a create with strict fields.
func acceptedDefinition(raw []byte) (*apiextensions.CustomResourceDefinition, verdict) {
	external := &apiextensionsv1.CustomResourceDefinition{}
	strict, err := kubejson.UnmarshalStrict(raw, external)
	if err != nil {
		return nil, refused(cause{"", "FieldValueInvalid", err.Error()})
	}
	if external.APIVersion != "apiextensions.k8s.io/v1" || external.Kind != "CustomResourceDefinition" {
		return nil, notEvaluated(fmt.Sprintf("%q, kind %q, is no CustomResourceDefinition of apiextensions.k8s.io/v1",
			external.APIVersion, external.Kind))
	}
	if len(strict) > 0 {
		return nil, undecodable(runtime.NewStrictDecodingError(strict))
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(external)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(external, internal, nil); err != nil {
		return nil, refused(cause{"spec", "FieldValueInvalid", err.Error()})
	}
	prepareDefinition(internal)
	if problems := definitionvalidation.ValidateCustomResourceDefinition(context.Background(), internal); len(problems) > 0 {
		return nil, refusedFor(problems)
	}
	return internal, accepted
}

// prepareDefinition is PrepareForCreate of pkg/registry/customresourcedefinition.
func prepareDefinition(internal *apiextensions.CustomResourceDefinition) {
	internal.Status = apiextensions.CustomResourceDefinitionStatus{}
	internal.Generation = 1
	for _, one := range internal.Spec.Versions {
		if one.Storage {
			internal.Status.StoredVersions = []string{one.Name}
			return
		}
	}
}

// version returns a served version, compiled, or nil.
func (d *definition) version(name string) *version {
	for _, one := range d.internal.Spec.Versions {
		if one.Name == name && one.Served {
			return d.known(name)
		}
	}
	return nil
}

// known returns a version of the definition, compiled, whether it is served or not.
func (d *definition) known(name string) *version {
	if _, ok := d.versions[name]; !ok {
		d.versions[name] = d.compile(name)
	}
	return d.versions[name]
}

// compile does the same as getOrCreateServingInfoFor and NewStrategy of the server.
func (d *definition) compile(name string) *version {
	result := &version{}
	schema, err := apiextensions.GetSchemaForVersion(d.internal, name)
	must(err)
	var properties *apiextensions.JSONSchemaProps
	if schema != nil {
		properties = schema.OpenAPIV3Schema
		structural, err := structuralschema.NewStructural(properties)
		must(err)
		result.structural = structural.DeepCopy()
		must(defaulting.PruneDefaults(result.structural))
	}
	result.schema, _, err = validation.NewSchemaValidator(properties)
	must(err)
	result.rules = cel.NewValidator(result.structural, true, celconfig.PerCallLimit)
	subresources, err := apiextensions.GetSubresourcesForVersion(d.internal, name)
	must(err)
	if subresources != nil {
		result.status = subresources.Status != nil
		result.scale = subresources.Scale
	}
	return result
}
