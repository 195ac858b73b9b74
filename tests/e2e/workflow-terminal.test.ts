/** A workflow with a person at the terminal, through a real pseudo-terminal. */
import { expect, test } from 'vitest';
import { DOWN, ENTER, hasScript, INTERRUPT, sitDown, UP } from './sit-down.ts';
import { read } from './support.ts';
import { output, say, whenAsked, workflowScene } from './workflow-scene.ts';

const TASK = 'Die Funktion zum Addieren muss richtig rechnen und nicht abziehen';

test.runIf(hasScript)(
  'a person who wants the spec changed is asked what should change, in their language, and the planner hears it',
  async () => {
    const scene = await workflowScene({
      'planner-single': whenAsked(
        'mit Brüchen',
        `${output('# Spec', 'zweite Fassung')}; ${say('spec written — v2')}`,
        `${output('# Spec', 'erste Fassung')}; ${say('spec written — v1')}`,
      ),
    });
    const args = ['workflow', TASK, '--mode', 'single', '--model-config', 'default', '--agent-command', `sh "${scene.agent}"`];
    const { code, seen } = await sitDown(scene, args, [
      [/CLAUDE\.md/, DOWN, ENTER],
      [/Bitte lesen Sie die Spezifikation/, UP, ENTER],
      [/Was soll anders werden\?/, 'auch mit Brüchen', ENTER],
      [/zweite Fassung.*Bitte lesen Sie die Spezifikation/, INTERRUPT],
    ]);
    expect(code, seen.slice(-3000)).toBe(130);
    const state = JSON.parse(await read(scene, '.harness/state.json')) as { docs_path: string };
    expect(await read(scene, `${state.docs_path}spec.md`)).toContain('zweite Fassung');
  },
);

test.runIf(hasScript)(
  'a person who edited the file themselves leaves the words out, and nobody is asked to write the spec again',
  async () => {
    const scene = await workflowScene();
    const args = ['workflow', TASK, '--mode', 'single', '--model-config', 'default', '--agent-command', `sh "${scene.agent}"`];
    const { code, seen } = await sitDown(scene, args, [
      [/CLAUDE\.md/, DOWN, ENTER],
      [/Bitte lesen Sie die Spezifikation/, UP, ENTER],
      [/Was soll anders werden\?/, ENTER],
      [/Die Spezifikation gilt so.*Bitte lesen Sie die Spezifikation/, INTERRUPT],
    ]);
    expect(code, seen.slice(-3000)).toBe(130);
  },
);
