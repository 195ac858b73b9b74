import { describe, expect, test } from 'vitest';
import { keepCriteria } from '../steps/plan.ts';

const CRITERIA = '- Given three orders, when the clerk exports, then the file has three lines\n- An empty list gives the header alone';
const HANDED = `# Export\n\n## Goal\n\nx\n\n## Acceptance Criteria\n\n${CRITERIA}\n\n## Risks\n\nnone\n`;

describe('acceptance criteria of a spec that was handed over', () => {
  test('are added word for word where the plan reworded them', () => {
    const planned = '# Spec\n\n## Acceptance Criteria\n\n- Exporting works\n';
    expect(keepCriteria(HANDED, planned)).toBe(
      `# Spec\n\n## Acceptance Criteria\n\n- Exporting works\n\n## Acceptance Criteria\n\n${CRITERIA}\n`,
    );
  });

  test('are not doubled where they stand as they were, however the lines are spaced', () => {
    const planned = `# Spec\n\n${CRITERIA.replace('\n', '  \n\n')}\n\n## Approach\n`;
    expect(keepCriteria(HANDED, planned)).toBe(planned);
    expect(keepCriteria(HANDED, keepCriteria(HANDED, '# Spec\n'))).toBe(keepCriteria(HANDED, '# Spec\n'));
  });

  test('keep their heading in its language', () => {
    expect(keepCriteria('# x\n\n## Akzeptanzkriterien\n\n- eins\n', '# Spec')).toContain('## Akzeptanzkriterien\n\n- eins\n');
  });

  test.each([
    ['no spec', null],
    ['a spec without them', '# Export\n\n## Goal\n\nx\n'],
    ['an empty section', '# Export\n\n## Acceptance Criteria\n\n## Risks\n'],
  ])('are nothing to add for %s', (_, original) => {
    expect(keepCriteria(original, '# Spec\n')).toBe('# Spec\n');
  });
});
