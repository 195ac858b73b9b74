/** Loads a module that is no part of the program. In a file of its own, because code that was compiled before and kept cannot import. */
export function loadModule(url: string): Promise<unknown> {
  return import(url);
}
