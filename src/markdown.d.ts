/** Texts are part of the program: the bundler and the test runner both give a file's content. */
declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*.txt' {
  const text: string;
  export default text;
}
