/** Scenes for the spec flow: a project, and an agent that plays every role by a small piece of shell. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyScene, git, harness, makeScene, write, type Run, type Scene } from './support.ts';

export const TASK = 'Order export as CSV for the back office';
export const DOCS = 'docs/harness/order-export-as-csv-for-the-back-office';

export const SECTIONS = ['Goal', 'Background & Decisions', 'Scope', 'Out of Scope', 'Edge Cases', 'Acceptance Criteria', 'Risks'];

/** A spec with all seven sections; `mark` goes into the first. */
export function specText(mark: string, headings: readonly string[] = SECTIONS): string {
  const scenario = '- **Scenario: Export**\n  - Given: three orders\n  - When: the clerk exports\n  - Then: the file has three lines';
  return headings.map((heading, at) => `## ${heading}\n${at === 0 ? mark : at === 5 ? scenario : `- text ${at}`}\n`).join('\n');
}

const says = (text: string): string => `cat > "$HARNESS_OUTPUT" <<'END'\n${text}\nEND\n`;
const analyst = (persona: string): string =>
  `echo 'the ${persona} view' > "$HARNESS_OUTPUT"; echo '${persona} analysis written — 2 points'`;

/** What each role of this flow does (those of others are named with their flow: `workflow/evaluator`); `$PROMPT` is the file with what it was told. */
export const HONEST: Readonly<Record<string, string>> = {
  'discovery-analyst': `if grep -q 'Round 1 of 3' "$PROMPT"; then
${says('{"questions":[{"question":"Who uses it?","why":"It decides the view."},{"question":"Which columns?","why":"It decides the scope."}]}')}
else ${says('{"questions":[]}')} fi
echo asked`,
  'requirements-analyst': analyst('requirements'),
  'user-scenario-analyst': analyst('scenario'),
  'risk-auditor': analyst('risk'),
  'tech-constraint-analyst': analyst('tech constraint'),
  synthesis: `if grep -q 'data: critic findings' "$PROMPT"; then
${says(specText('Second draft'))}
else ${says(specText('First draft'))} fi
echo written`,
  critic: `if grep -q 'Second draft' "$PROMPT"; then echo 'none' > "$HARNESS_OUTPUT"; echo 'critic_findings written — Critical=0, Major=0, Minor=1'
else echo '[C1] no result for an empty list' > "$HARNESS_OUTPUT"; echo 'critic_findings written — Critical=1, Major=0, Minor=2'; fi`,
};

export async function specScene(
  roles: Readonly<Record<string, string>> = {},
  options: { git?: boolean; files?: Readonly<Record<string, string>> } = {},
): Promise<Scene> {
  const files = { 'README.md': '# Shop\n', ...options.files };
  const scene = options.git === false ? await emptyScene() : await makeScene(files);
  if (options.git === false) await write(scene, files);
  await giveRoles(scene, roles);
  return scene;
}

export async function giveRoles(scene: Scene, roles: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(scene.env['HOME']!, 'roles');
  await mkdir(folder, { recursive: true });
  for (const [role, text] of Object.entries({ ...HONEST, ...roles })) {
    const name = role.includes('/') ? role.replace('/', '-') : `spec-${role}`;
    await writeFile(join(folder, `${name}.sh`), text);
  }
  const lines = ['PROMPT="$TMPDIR/prompt"', 'cat > "$PROMPT"', '. "$HOME/roles/${HARNESS_ROLE%%/*}-${HARNESS_ROLE#*/}.sh"', ''];
  await writeFile(join(folder, 'agent.sh'), lines.join('\n'));
}

export function specCommand(...args: string[]): string[] {
  return ['spec', ...args, '--agent', 'command', '--agent-command', 'sh "$HOME/roles/agent.sh"'];
}

export function spec(scene: Scene, ...args: string[]): Promise<Run> {
  return harness(scene, ...specCommand(...args), '--json');
}

export type Answers = Record<string, unknown>;

export const ANSWERS: Answers = {
  'spec.conventions': 'Skip',
  'spec.questions-1': { option: 'Answer inline', text: '1. The back office\n2. unsure' },
  'spec.questions-2': 'No more questions',
  'spec.critic': 'Auto-revise',
  'spec.approval': 'Approve',
  'spec.next': 'Done',
};

export async function specWith(scene: Scene, answers: Answers, ...args: string[]): Promise<Run> {
  const file = join(scene.folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  return spec(scene, ...args, '--answers', file);
}

/** Branch, and what git sees as new. */
export async function standing(scene: Scene): Promise<{ branch: string; untracked: string[] }> {
  const status = await git(scene, 'status', '--porcelain', '-uall');
  return { branch: await git(scene, 'symbolic-ref', '--short', 'HEAD'), untracked: status.split('\n').map((line) => line.slice(3)) };
}
