/** A feature that passed and whose tests fail, as questions tell of it. Pure. */
export interface BrokenFeature {
  feature: number;
  description: string;
  /** Open features that wait for it, directly or through others. */
  blocks: readonly number[];
}

/** One sentence for each; empty where the tests belong to no feature. */
export function brokenWords(broken: readonly BrokenFeature[] | undefined): string {
  return (broken ?? [])
    .map(({ feature, description, blocks }) => ` Feature #${feature} (${clip(description)}) is broken by it${blockWords(blocks)}.`)
    .join('');
}

function blockWords(blocks: readonly number[]): string {
  if (blocks.length === 0) return '';
  const more = blocks.length > MOST ? ` and ${blocks.length - MOST} more` : '';
  return `, which blocks ${blocks
    .slice(0, MOST)
    .map((id) => `#${id}`)
    .join(', ')}${more}`;
}

const MOST = 10;
const LONGEST = 80;

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
