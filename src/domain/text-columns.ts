/** How many columns of a terminal a text takes: wide characters take two. Pure. */
export function columnsOf(text: string): number {
  return [...text].reduce(
    (sum, char) =>
      sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u.test(char) ? 2 : 1),
    0,
  );
}
