/** Shell-like path patterns over forward-slash paths: `**`, `*`, `?`, `[abc]`, `{a,b}`. A pattern without a slash matches at any depth. */

export function matchesGlob(path: string, pattern: string): boolean {
  return compileGlob(pattern).test(path);
}

/** Whether any of the patterns matches, for lists that are asked about many paths: one look at the name, and one at the path. */
export function anyGlob(patterns: readonly string[]): (path: string) => boolean {
  const isOfName = (pattern: string): boolean => !/[/[]|\*\*/.test(pattern);
  const names = oneOf(patterns.filter(isOfName).map(anchoredGlob));
  const places = oneOf(patterns.filter((pattern) => !isOfName(pattern)).map(compileGlob));
  return (path) => names.test(path.slice(path.lastIndexOf('/') + 1)) || places.test(path);
}

function oneOf(patterns: readonly RegExp[]): RegExp {
  return patterns.length === 0 ? /(?!)/ : new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 's');
}

/** Paths that a command's argument stands for: itself, or what it expands to. */
export function expandGlob(argument: string, paths: readonly string[]): string[] {
  if (!isGlob(argument)) return [argument];
  const pattern = anchoredGlob(argument.replace(/^\.\//, ''));
  return paths.filter((path) => pattern.test(path)).toSorted();
}

function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

const compiled = new Map<string, RegExp>();

function compileGlob(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const clean = pattern.replace(/^\.?\//, '').replace(/\/$/, '/**');
  const made = anchoredGlob(clean.includes('/') ? clean : `**/${clean}`);
  if (compiled.size > 1_000) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

function anchoredGlob(pattern: string): RegExp {
  let source = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (pattern.startsWith('**/', at)) {
      source += '(?:[^/]+/)*';
      at += 2;
    } else if (pattern.startsWith('**', at)) {
      source += '.*';
      at += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '[' && pattern.indexOf(']', at + 2) > 0) {
      const end = pattern.indexOf(']', at + 2);
      source += `[${pattern
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')
        .replaceAll('[', '\\[')}]`;
      at = end;
    } else if (char === '{' && pattern.indexOf('}', at) > 0) {
      source += '(?:';
      depth += 1;
    } else if (char === '}' && depth > 0) {
      source += ')';
      depth -= 1;
    } else if (char === ',' && depth > 0) source += '|';
    else source += char.replace(/[\\^$.|+()[\]{}]/, '\\$&');
  }
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return new RegExp(`^${pattern.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')}$`);
  }
}
