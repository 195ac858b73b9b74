export function countLines(text) {
  if (text === '') return 0;
  return text.replace(/\n$/, '').split('\n').length;
}
