/** Text from elsewhere, for pages that are read as Markdown: it mentions nobody, refers to nothing, and holds no mark and no hidden markup. */
export function harmlessMarkdown(text: string): string {
  return text.replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;')).replace(/([@#])(?=\w)/g, '$1\u200b');
}
