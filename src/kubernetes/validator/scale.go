package main

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func (d *definition) namespaced() bool {
	return d.internal.Spec.Scope == apiextensions.NamespaceScoped
}

// validateScale is ValidateScaleSpec and ValidateScaleStatus of pkg/registry/customresource.
func (v *version) validateScale(object *unstructured.Unstructured) field.ErrorList {
	if v.scale == nil {
		return nil
	}
	problems := validateReplicas(object, v.scale.SpecReplicasPath)
	problems = append(problems, validateReplicas(object, v.scale.StatusReplicasPath)...)
	if at := v.scale.LabelSelectorPath; at != nil {
		if selector, _, err := unstructured.NestedString(object.Object, steps(*at)...); err != nil {
			problems = append(problems, field.Invalid(field.NewPath(*at), selector, err.Error()))
		}
	}
	return problems
}

func validateReplicas(object *unstructured.Unstructured, at string) field.ErrorList {
	replicas, _, err := unstructured.NestedInt64(object.Object, steps(at)...)
	switch {
	case err != nil:
		return field.ErrorList{field.Invalid(field.NewPath(at), replicas, err.Error())}
	case replicas < 0:
		return field.ErrorList{field.Invalid(field.NewPath(at), replicas, "should be a non-negative integer")}
	case replicas > math.MaxInt32:
		return field.ErrorList{field.Invalid(field.NewPath(at), replicas,
			fmt.Sprintf("should be less than or equal to %v", math.MaxInt32))}
	}
	return nil
}

func steps(at string) []string {
	return strings.Split(strings.TrimPrefix(at, "."), ".")
}
