export function topWords(text, count) {
  const times = new Map();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)).slice(0, count);
}
