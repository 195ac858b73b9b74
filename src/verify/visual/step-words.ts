/** Words in steps: quotes of every kind, names for files, addresses. Pure. */

/** All quotation marks as `"`; an apostrophe inside a word stays one. */
export function withPlainQuotes(text: string): string {
  return text
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll('`', '"')
    .replaceAll(/(^|[\s(:])['‘]([^'’]+)['’](?=$|[\s).,;:!?])/g, '$1"$2"');
}

export function unquote(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}

/** A path of the site, or a whole address. */
export function isAddress(text: string): boolean {
  return /^(?:\/\S*|https?:\/\/\S+)$/i.test(text);
}

const LONGEST_NAME = 60;

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replaceAll(/^-+|-+$/g, '');
}
