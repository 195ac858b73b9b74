/** The files that findings are about: a subject names a path, or a path and what about it. Pure. */
export function pathsInSubjects(subjects: readonly string[]): string[] {
  return [...new Set(subjects.map((subject) => /^[^:]+/.exec(subject)?.[0] ?? ''))].filter((path) => path !== '');
}
