export function longestWord(text) {
  let longest = null;
  for (const word of text.match(/[\p{L}\p{N}']+/gu) ?? []) if (longest === null || word.length > longest.length) longest = word;
  return longest;
}
