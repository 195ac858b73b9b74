/** What an agent is asked to look at, and which of it the harness looks at itself. Pure. */
import { visualOf, type Feature } from '../../../domain/feature.ts';
import { fence } from '../../../domain/fence.ts';

export function checkWords({ automated_checks: checks = [] }: Feature): string[] {
  if (checks.length === 0) return [];
  const words = checks.map((one) => (typeof one === 'string' ? one : one.name === undefined ? one.command : `${one.name}: ${one.command}`));
  return [
    '',
    'These have to hold as well. Commands among them are run by the harness and have to succeed:',
    fence('automated checks', words.join('\n')),
  ];
}

export function visualWords(feature: Feature): string[] {
  const visual = visualOf(feature);
  if (visual === null) return [];
  const steps = (visual.steps ?? ['look at the page']).map((step, index) => `${index + 1}. ${step}`);
  const own =
    visual.url === undefined
      ? []
      : [
          'The harness does not take your word for it. It serves your files itself, visits the address below in its own browser without any network, and follows the same steps; a missing text, an error in the console or a part of the page that does not load refuses the work.',
          fence(
            'where the harness looks',
            [`url: ${visual.url}`, ...(visual.startup === undefined ? [] : [`startup: ${visual.startup}`])].join('\n'),
          ),
        ];
  return [
    '',
    'This feature is something to look at. Where you have a browser among your tools, follow these steps with it after the tests pass, and save a picture (PNG or JPEG) for each screenshot below `.harness/screenshots/`:',
    fence('steps to look at', steps.join('\n')),
    'Name each picture on a separate line, `[VISUAL:SCREENSHOT] path`, and say what can be seen on it: `[VISUAL:VERIFY] what`.',
    ...own,
  ];
}
