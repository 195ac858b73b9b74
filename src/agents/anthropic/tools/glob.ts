/** Globs over paths with forward slashes: `*` and `?` inside a segment, `**` over segments, `{a,b}` and `[abc]`. */
export function globToRegExp(glob: string): RegExp {
  let source = '';
  let depth = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at]!;
    if (glob.startsWith('**/', at)) {
      source += '(?:[^/]+/)*';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      source += '.*';
      at += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '{') {
      source += '(?:';
      depth += 1;
    } else if (char === '}' && depth > 0) {
      source += ')';
      depth -= 1;
    } else if (char === ',' && depth > 0) source += '|';
    else if (char === '[' && /^\[!?[^\]/\\]+\]/.test(glob.slice(at))) {
      const end = glob.indexOf(']', at + 2);
      source += `[${glob.slice(at + 1, end).replace(/^!/, '^')}]`;
      at = end;
    } else source += char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  return new RegExp(`^${source}${')'.repeat(depth)}$`);
}
