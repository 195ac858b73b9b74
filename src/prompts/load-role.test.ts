import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { listRoles, loadRole } from './load-role.ts';
import { SHIPPED_ROLES } from './shipped.ts';
import { parseRole, renderPrompt } from './role.ts';

describe.each(Object.keys(SHIPPED_ROLES))('the shipped role %s', (name) => {
  const text = SHIPPED_ROLES[name]!;
  const role = parseRole(text, name);

  test('parses and carries its own name', () => {
    expect(role.role).toBe(name);
    const hasOwnModel = name.startsWith('project/') && role.output === null;
    if (hasOwnModel) expect(role.model).toBe(name.split('/')[1]);
    expect(role.system.length).toBeGreaterThan(200);
  });

  test('declares exactly what it uses, and nothing in its stable part', () => {
    const used = [...role.prompt.matchAll(/\{\{(.*?)\}\}/g)].map((match) => match[1]!);
    expect(new Set(used)).toEqual(new Set(role.variables));
    expect(new Set(role.variables).size).toBe(role.variables.length);
    expect(role.system).not.toMatch(/\{\{|\}\}/);
  });

  test('leaves nothing unfilled when it is rendered', () => {
    const prompt = renderPrompt(role, Object.fromEntries(role.variables.map((variable) => [variable, `value of ${variable}`])));
    expect(prompt).not.toMatch(/\{\{|\}\}/);
    for (const variable of role.variables) expect(prompt).toContain(`value of ${variable}`);
  });

  test('tells the agent that fenced text is data', () => {
    expect(role.system).toMatch(/data fences/);
  });

  test('has a stable part that is the same bytes every time', () => {
    expect(parseRole(text, name).system).toBe(role.system);
    expect(role.system).not.toMatch(/\r/);
  });
});

test('every role file that ships has its line in a table', async () => {
  const files = (await readdir(new URL('roles', import.meta.url))).map((name) => name.replace(/\.md$/, '').replace('-', '/'));
  expect(files.toSorted()).toEqual(Object.keys(SHIPPED_ROLES).toSorted());
});

describe('a role of the user', () => {
  let root = '';
  const platform = nodePlatform({});
  const own = (mark: string): string => `---\nrole: project/coding\n---\n${mark}\n<!-- prompt -->\nGo.`;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'harness-roles-'));
    await Promise.all(['project', 'home'].map((folder) => mkdir(join(root, folder))));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  test('replaces the shipped one, the first folder before the second', async () => {
    const folders = [join(root, 'project'), join(root, 'home')];
    expect((await loadRole(platform, 'project/coding', folders)).system).toContain('software engineer');
    await writeFile(join(root, 'home', 'project-coding.md'), own('from home'));
    expect((await loadRole(platform, 'project/coding', folders)).system).toBe('from home');
    await writeFile(join(root, 'project', 'project-coding.md'), own('from project'));
    expect((await loadRole(platform, 'project/coding', folders)).system).toBe('from project');
    expect((await loadRole(platform, 'project/cleanup', folders)).system).toContain('tidies');
  });

  test('that is broken is refused with its path', async () => {
    const path = join(root, 'project', 'project-coding.md');
    await writeFile(path, 'no front matter');
    await expect(loadRole(platform, 'project/coding', [join(root, 'project')])).rejects.toThrow(path);
  });

  test('is looked for only under names that exist or are shipped', async () => {
    await expect(loadRole(platform, 'project/unheard-of', [root])).rejects.toThrow('There is no role project/unheard-of');
  });

  test('under another name than its file has is refused', async () => {
    await writeFile(join(root, 'project', 'project-cleanup.md'), own('mistaken'));
    await expect(loadRole(platform, 'project/cleanup', [join(root, 'project')])).rejects.toThrow('means project/cleanup');
  });

  test('can be one that a flow did not have', async () => {
    const folders = [join(root, 'project'), join(root, 'home'), join(root, 'missing')];
    const shipped = await listRoles(platform, 'project', []);
    await writeFile(join(root, 'home', 'project-gardener.md'), own('x').replace('project/coding', 'project/gardener'));
    await writeFile(join(root, 'project', 'project-coding.md'), own('x'));
    await writeFile(join(root, 'project', 'projects-other.md'), own('x'));
    await writeFile(join(root, 'project', 'project-notes.txt'), 'x');
    expect(await listRoles(platform, 'project', folders)).toEqual([...shipped, 'project/gardener']);
    expect((await loadRole(platform, 'project/gardener', folders)).system).toBe('x');
  });
});
