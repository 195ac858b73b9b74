/**
 * A spec that was handed over keeps its acceptance criteria: they were approved word for word, and stand so in the spec that is planned from it. Pure.
 */
import { sectionText, titleOf } from '../../../kernel/ground/spec-sections.ts';

/** The planned spec, with the criteria of the original at its end where they do not stand in it as they are. */
export function keepCriteria(original: string | null, planned: string): string {
  if (original === null) return planned;
  const criteria = (sectionText(original, 'acceptance') ?? '').trim();
  if (criteria === '' || squeezed(planned).includes(squeezed(criteria))) return planned;
  return `${planned.trimEnd()}\n\n## ${titleOf(original, 'acceptance')}\n\n${criteria}\n`;
}

/** White space at line ends and empty lines make no difference. */
function squeezed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}
