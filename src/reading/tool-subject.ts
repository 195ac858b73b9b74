/** The part of a tool's input that says most about what it does. */
export function toolSubject(input: Readonly<Record<string, unknown>>): string {
  for (const key of ['command', 'cmd', 'path', 'file_path', 'pattern', 'url']) {
    const value = input[key];
    if (typeof value === 'string') return value;
  }
  return '';
}
