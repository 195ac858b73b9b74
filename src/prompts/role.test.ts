import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HarnessError } from '../domain/errors.ts';
import { parseRole, renderPrompt } from './role.ts';

const TEXT =
  '---\nrole: project/coding\nmodel: coding\nvariables: [one, two]\n---\nStable part.\n<!-- prompt -->\n{{one}} and {{two}}, {{one}} again\n';

describe('a role file', () => {
  test('has a name, a model, a stable part and a prompt', () => {
    expect(parseRole(TEXT, 'coding.md')).toEqual({
      role: 'project/coding',
      model: 'coding',
      kind: null,
      variables: ['one', 'two'],
      output: null,
      reply: null,
      tools: null,
      system: 'Stable part.',
      prompt: '{{one}} and {{two}}, {{one}} again',
    });
  });

  test('falls back to the default model and to no variables', () => {
    expect(parseRole('---\nrole: r\n---\nS\n<!-- prompt -->\nP', 'r.md')).toMatchObject({ model: 'default', variables: [] });
  });

  test('may name its kind, its file, its contract line and its tools', () => {
    const head = 'role: r\nkind: analyst\noutput: analysis_r.md\nreply: last /^done: (.+)$/i\ntools: [files, shell]';
    const role = parseRole(`---\n${head}\n---\nS\n<!-- prompt -->\nP`, 'r.md');
    expect(role).toMatchObject({ kind: 'analyst', output: 'analysis_r.md', tools: ['files', 'shell'] });
    expect(role.reply).toEqual({ where: 'last', pattern: /^done: (.+)$/i });
  });

  test.each([
    ['a file in another folder', 'output: ../spec.md', 'plain name'],
    ['a hidden file', 'output: .bashrc', 'plain name'],
    ['a contract line without its place', 'reply: /^x$/', '"first" or "last"'],
    ['a pattern that is none', 'reply: last /(/', 'not valid'],
    ['a tool nobody knows', 'tools: [files, rocket]', 'no tool "rocket"'],
  ])('with %s is refused', (_, line, part) => {
    expect(() => parseRole(`---\nrole: r\n${line}\n---\nS\n<!-- prompt -->\nP`, 'mine.md')).toThrow(part);
  });

  test('may come with the line ends of Windows', () => {
    expect(parseRole(TEXT.replaceAll('\n', '\r\n'), 'coding.md')).toMatchObject({
      role: 'project/coding',
      model: 'coding',
      variables: ['one', 'two'],
    });
  });

  test('does not read the value of one field from the line of the next', () => {
    expect(() => parseRole('---\nrole:\nmodel: coding\n---\nS\n<!-- prompt -->\nP', 'r.md')).toThrow('r.md: front matter has no "role:"');
    expect(parseRole('---\nrole: r\nmodel:\nvariables: []\n---\nS\n<!-- prompt -->\nP', 'r.md').model).toBe('default');
  });

  test.each([
    ['no front matter', 'role: r\nS\n<!-- prompt -->\nP', 'front matter'],
    ['no role', '---\nmodel: m\n---\nS\n<!-- prompt -->\nP', 'role:'],
    ['no separator', '---\nrole: r\n---\nS', 'exactly one line'],
    ['two separators', '---\nrole: r\n---\nS\n<!-- prompt -->\nP\n<!-- prompt -->\nQ', 'exactly one line'],
    ['a variable in the stable part', '---\nrole: r\nvariables: [a]\n---\nS {{a}}\n<!-- prompt -->\n{{a}}', 'stable part'],
    ['a variable that is not declared', '---\nrole: r\n---\nS\n<!-- prompt -->\n{{a}}', '{{a}}'],
    ['a variable that is not used', '---\nrole: r\nvariables: [a]\n---\nS\n<!-- prompt -->\nP', 'never uses'],
  ])('with %s is refused with the name of the file', (_, text, part) => {
    expect(() => parseRole(text, 'mine.md')).toThrow(HarnessError);
    expect(() => parseRole(text, 'mine.md')).toThrow(/^mine\.md: /);
    expect(() => parseRole(text, 'mine.md')).toThrow(part);
  });
});

describe('rendering', () => {
  const role = parseRole(TEXT, 'coding.md');

  test('puts every value in, each time', () => {
    expect(renderPrompt(role, { one: '1', two: '2' })).toBe('1 and 2, 1 again');
  });

  test('puts values in once, whatever they look like', () => {
    fc.assert(
      fc.property(fc.constantFrom('{{two}}', '$&', '$1', '{{one}}', '$`'), fc.string(), (one, two) => {
        expect(renderPrompt(role, { one, two })).toBe(`${one} and ${two}, ${one} again`);
      }),
    );
  });

  test('leaves no doubled blank lines where a paragraph has no value, or one with blank lines around it', () => {
    const spaced = parseRole(
      '---\nrole: r\nvariables: [a, b, c]\n---\nS\n<!-- prompt -->\n{{a}}\n\nText.\n\n{{b}}\n\n{{c}}\n\nEnd.',
      'r.md',
    );
    expect(renderPrompt(spaced, { a: '', b: '\nmiddle\n\n\nstays\n', c: '' })).toBe('Text.\n\nmiddle\n\n\nstays\n\nEnd.');
  });

  test('tells the owner of a role which variable the harness does not know', () => {
    expect(() => renderPrompt(role, { one: '1' })).toThrow(HarnessError);
    expect(() => renderPrompt(role, { one: '1' })).toThrow('{{two}}');
    const inherited = parseRole('---\nrole: r\nvariables: [constructor]\n---\nS\n<!-- prompt -->\n{{constructor}}', 'r.md');
    expect(() => renderPrompt(inherited, {})).toThrow('{{constructor}}');
  });
});
