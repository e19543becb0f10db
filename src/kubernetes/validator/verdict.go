package main

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// verdict is the type Verdict of ../validation.ts.
type verdict struct {
	Kind   string  `json:"kind"`
	Causes []cause `json:"causes,omitempty"`
	Why    string  `json:"why,omitempty"`
	Object any     `json:"object,omitempty"`
}

type cause struct {
	Field   string `json:"field"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// limit is the maximum number of causes of one object.
const limit = 1000

var accepted = verdict{Kind: "accepted"}

func notEvaluated(why string) verdict { return verdict{Kind: "not-evaluated", Why: why} }

func refused(causes ...cause) verdict {
	return verdict{Kind: "refused", Causes: causes[:min(len(causes), limit)]}
}

// refusedFor returns the causes like apimachinery's errors.NewInvalid.
func refusedFor(problems field.ErrorList) verdict {
	causes := make([]cause, 0, len(problems))
	for _, problem := range problems {
		causes = append(causes, cause{problem.Field, string(problem.Type), problem.ErrorBody()})
	}
	return refused(causes...)
}

// undecodable returns the causes of an object that is refused before its fields are validated. The server then
// answers with one text that names the fields.
func undecodable(err error) verdict {
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		causes := make([]cause, 0, len(strict.Errors()))
		for _, one := range strict.Errors() {
			causes = append(causes, decodingCause(one))
		}
		return refused(causes...)
	}
	return refused(decodingCause(err))
}

func decodingCause(err error) cause {
	message := err.Error()
	if path, found := strings.CutPrefix(message, `unknown field "`); found {
		return cause{strings.TrimSuffix(path, `"`), "FieldValueForbidden", message}
	}
	var problem *field.Error
	if errors.As(err, &problem) {
		return cause{problem.Field, string(problem.Type), problem.ErrorBody()}
	}
	return cause{decodingField(message), "FieldValueInvalid", message}
}

// decodingField finds the field in an error of Go's JSON decoder about metadata:
// "cannot unmarshal number into Go struct field ObjectMeta.labels of type string".
func decodingField(message string) string {
	if _, rest, found := strings.Cut(message, "Go struct field ObjectMeta."); found {
		name, _, _ := strings.Cut(rest, " ")
		return "metadata." + name
	}
	return "metadata"
}
