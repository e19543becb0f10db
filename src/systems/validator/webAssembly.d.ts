/** The part of WebAssembly that the validator uses: TypeScript declares it for browsers only, with all their names. */
declare namespace WebAssembly {
  /** A compiled program, which threads can share. */
  interface Module {
    readonly [Symbol.toStringTag]: "WebAssembly.Module";
  }
  /** What a program needs, by module and name. */
  type Imports = object;
  /** What a program offers, by name. */
  type Exports = object;
  /** A program with memory of its own. */
  interface Instance {
    readonly exports: Exports;
  }
  /** The memory of a program; the buffer is another one after it grew. */
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  /** Compiles a program on threads of the engine. */
  function compile(bytes: Uint8Array): Promise<Module>;
  /** Makes a program that can run. */
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
