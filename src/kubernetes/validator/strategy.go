package main

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// validateCreate is Validate of pkg/registry/customresource, which cannot be linked without etcd's client.
func (v *version) validateCreate(object *unstructured.Unstructured, namespaced bool) field.ErrorList {
	problems := metavalidation.ValidateObjectMetaAccessor(object, namespaced, metavalidation.NameIsDNSSubdomain, metadataPath)
	problems = append(problems, validation.ValidateCustomResource(nil, object.Object, v.schema)...)
	problems = append(problems, v.validateScale(object)...)
	problems = append(problems, schemaobjectmeta.Validate(nil, object.Object, v.structural, false)...)
	problems = append(problems, listtype.ValidateListSetsAndMaps(nil, v.structural, object.Object)...)
	return append(problems, v.evaluateRules(object.Object, nil, problems)...)
}

// validateUpdate is ValidateUpdate of the same package, after what BeforeUpdate of the generic registry checks.
func (v *version) validateUpdate(object, old *unstructured.Unstructured, namespaced bool) field.ErrorList {
	correlated := common.NewCorrelatedObject(object.Object, old.Object, &model.Structural{Structural: v.structural})
	problems := metavalidation.ValidateObjectMetaAccessor(object, namespaced, pathSegment, metadataPath)
	problems = append(problems, metavalidation.ValidateObjectMetaAccessorUpdate(object, old, metadataPath)...)
	problems = append(problems, validation.ValidateCustomResourceUpdate(nil, object.Object, old.Object, v.schema,
		validation.WithRatcheting(correlated))...)
	problems = append(problems, v.validateScale(object)...)
	problems = append(problems, schemaobjectmeta.Validate(nil, object.Object, v.structural, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, v.structural, old.Object)) == 0 {
		problems = append(problems, listtype.ValidateListSetsAndMaps(nil, v.structural, object.Object)...)
	}
	return append(problems, v.evaluateRules(object.Object, old.Object, problems, cel.WithRatcheting(correlated))...)
}

// evaluateRules skips CEL, and reports that, when the object is too broken for the types that rules rely on.
func (v *version) evaluateRules(object, old map[string]any, problems field.ErrorList, options ...cel.Option) field.ErrorList {
	if v.rules == nil {
		return nil
	}
	for _, problem := range problems {
		switch problem.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany,
			field.ErrorTypeTypeInvalid:
			return field.ErrorList{field.Invalid(nil, nil, "some validation rules were not checked because the object "+
				"was invalid; correct the existing errors to complete validation")}
		}
	}
	var before any
	if old != nil {
		before = old
	}
	found, _ := v.rules.Validate(context.Background(), nil, v.structural, object, before, celconfig.RuntimeCELCostBudget, options...)
	return found
}
