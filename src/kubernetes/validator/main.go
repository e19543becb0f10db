// Kubernetes' own validation of custom resources, for WebAssembly. A caller allocates room, writes JSON into it and
// calls define, create, read or update; what these give is the length of a verdict, as JSON, at answerAt.
// What is linked is the code of the API server; what is written here is the order in which the server calls it.
package main

import (
	"encoding/json"
	"fmt"
	"unsafe"
)

// held keeps the garbage collector away from memory that the caller writes to or reads.
var held, answer []byte

// current is the definition that objects are judged by.
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

// define judges a CustomResourceDefinition; the objects that follow are judged by it.
//
//go:wasmexport define
func define() uint32 {
	current = nil
	return give(func(input []byte) (result verdict) {
		current, result = compiled(input)
		return result
	})
}

// create judges an object that somebody would create.
//
//go:wasmexport create
func create() uint32 {
	return give(current.create)
}

// read judges an object that somebody would create, and gives it as it is read afterwards.
//
//go:wasmexport read
func read() uint32 {
	return give(func(input []byte) verdict { return current.read(input) })
}

// update judges a change: `{"old": …, "new": …}`.
//
//go:wasmexport update
func update() uint32 {
	return give(func(input []byte) verdict {
		var both change
		must(json.Unmarshal(input, &both))
		return current.update(both)
	})
}

// give answers with a verdict, also where Kubernetes' code panics.
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
