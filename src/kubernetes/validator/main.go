// Kubernetes' own validation of custom resources, for WebAssembly. A caller allocates memory, writes JSON into it and
// calls define, create, read or update. These return the length of a verdict, as JSON, at answerAt.
// The validation is the linked code of the API server; this package only calls it in the order of the server.
package main

import (
	"encoding/json"
	"fmt"
	"unsafe"
)

// held and answer keep the memory that the caller uses from being garbage collected.
var held, answer []byte

// current is the definition by which objects are validated.
var current *definition

//go:wasmexport allocate
func allocate(size uint32) uint32 {
	held = make([]byte, max(size, 1))
	return uint32(uintptr(unsafe.Pointer(&held[0])))
}

//go:wasmexport answerAt
func answerAt() uint32 {
	return uint32(uintptr(unsafe.Pointer(&answer[0])))
}

// define validates a CustomResourceDefinition, and uses it for the objects that follow.
//
//go:wasmexport define
func define() uint32 {
	current = nil
	return give(func(input []byte) (result verdict) {
		current, result = compiled(input)
		return result
	})
}

// create validates the creation of an object.
//
//go:wasmexport create
func create() uint32 {
	return give(current.create)
}

// read validates the creation of an object, and returns the object as it is read afterwards.
//
//go:wasmexport read
func read() uint32 {
	return give(func(input []byte) verdict { return current.read(input) })
}

// update validates a change: `{"old": …, "new": …}`.
//
//go:wasmexport update
func update() uint32 {
	return give(func(input []byte) verdict {
		var both change
		must(json.Unmarshal(input, &both))
		return current.update(both)
	})
}

// give answers with a verdict, even if Kubernetes' code panics.
func give(evaluate func(input []byte) verdict) uint32 {
	input := held
	held = nil
	encoded, err := json.Marshal(recovered(func() verdict { return evaluate(input) }))
	must(err)
	answer = encoded
	return uint32(len(answer))
}

func recovered(evaluate func() verdict) (result verdict) {
	defer func() {
		if problem := recover(); problem != nil {
			result = notEvaluated(fmt.Sprintf("Kubernetes' validation failed on it: %v", problem))
		}
	}()
	return evaluate()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {}
