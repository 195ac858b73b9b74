/**
 * Files that a tool writes into its own package, below `node_modules`: vitest's type check keeps there what `tsc` found.
 *
 * What is installed is read-only for every run. An install leaves these files empty, and each run gets one of its own over them.
 */
export const WRITTEN_IN_PACKAGES: readonly string[] = ['dist', 'dist/vendor', 'dist/chunks'].map(
  (folder) => `vitest/${folder}/tsconfig.tmp.tsbuildinfo`,
);
