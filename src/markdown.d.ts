/** Texts are part of the program: the bundler and the test runner both give a file's content. */
declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*.txt' {
  const text: string;
  export default text;
}

/** Programs under `assets/`, for rooms, runners and threads: they are written there as text, never imported. */
declare module '*.py' {
  const text: string;
  export default text;
}

declare module '*.mjs' {
  const text: string;
  export default text;
}

declare module '*.cjs' {
  const text: string;
  export default text;
}
