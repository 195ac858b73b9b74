/**
 * What tests compute with before they assert: a statement that throws where a primitive of the language gives a wrong answer.
 *
 * 1. Code under test that replaces `every` or `all` makes an assertion hold without touching it. The values are random, so that a
 *    replacement cannot know them.
 * 2. Names that the file binds itself or puts mocks on are left out: there they mean something else.
 */
import type { Language } from '../source/source.ts';

/** `number` gives another positive value each time. */
export function primitiveAnswers(mask: string, language: Language, number: () => number): string {
  const [low, high] = ((one) => [one, one + number()] as const)(number());
  const answers = language === 'python' ? pythonAnswers(low, high) : javascriptAnswers(low, high);
  const asked = Object.entries(answers).flatMap(([name, expressions]) => {
    if (!isBound(mask, name, language)) return expressions;
    return language === 'python' && !name.includes('.') ? expressions.map((one) => one.replaceAll(`${name}(`, `builtins.${name}(`)) : [];
  });
  return language === 'python'
    ? `import builtins, json, math, operator, re\nif not (${asked.join(' and ')}): raise RuntimeError('${low}')`
    : `if (!(${asked.join(' && ')})) throw new Error('${low}');`;
}

function isBound(mask: string, name: string, language: Language): boolean {
  if (!mask.includes(name)) return false;
  const bound =
    language === 'python'
      ? String.raw`^(?:from|import)\b[^\n]*\b${name}\b|\bdef\s+${name}\b|^[^\S\n]*${name}\s*=|\bas\s+${name}\b`
      : String.raw`\b(?:import|const|let|var|class|function)\b[^;=()]{0,500}\b${name}\b|\b(?:spyOn|method|replaceProperty|stubGlobal)\s*\(\s*${name}\b`;
  return new RegExp(bound, 'm').test(mask);
}

function javascriptAnswers(low: number, high: number): Record<string, string[]> {
  return {
    Array: [
      `![${low}, ${high}].every((one) => one === ${low})`,
      `![${low}, ${high}].some((one) => one === -${low})`,
      `![${low}].includes(-${high})`,
      `[${low}].indexOf(-${high}) === -1`,
      `[${low}].find((one) => one === -${high}) === undefined`,
      `[${low}, ${high}].filter((one) => one === ${low}).length === 1`,
      `[${low}].map((one) => one + 1)[0] === ${low + 1}`,
      `[${high}, ${low}].sort((one, other) => one - other)[0] === ${low}`,
      `[${low}, ${high}].reduce((one, other) => one + other, 0) === ${low + high}`,
      `[${low}, ${high}].join('-') === '${low}-${high}'`,
      `!Array.isArray({ length: ${low} })`,
    ],
    String: [
      `!'a${low}'.includes('b${high}')`,
      `!'a${low}'.startsWith('b')`,
      `!'a${low}'.endsWith('-${high}')`,
      `'a ${low}'.split(' ')[1] === '${low}'`,
      `' a${low} '.trim() === 'a${low}'`,
      `'a${low}'.toUpperCase() === 'A${low}'`,
      `'B${low}'.toLowerCase() === 'b${low}'`,
      `'a${low}'.replace('a', 'b') === 'b${low}'`,
      `'a${low}'.localeCompare('b${low}') < 0`,
      `String(${low}) === '${low}'`,
    ],
    RegExp: [`!/^a${low}$/.test('b${low}')`],
    Object: [`!Object.is(${low}, -${high})`, `Object.keys({ a${low}: 1 })[0] === 'a${low}'`, `Object.entries({ a${low}: 1 }).length === 1`],
    JSON: [`JSON.stringify({ a: ${low} }) === '{"a":${low}}'`, `JSON.parse('[${low}]')[0] === ${low}`],
    Math: [`Math.abs(-${low}) === ${low}`, `Math.max(${low}, ${high}) === ${high}`, `Math.min(${low}, ${high}) === ${low}`],
    Number: [`!Number.isNaN(${low})`, `Number('${low}') === ${low}`],
    Set: [`!new Set([${low}]).has(-${high})`],
    Map: [`new Map([[${low}, 1]]).get(-${high}) === undefined`],
  };
}

function pythonAnswers(low: number, high: number): Record<string, string[]> {
  return {
    all: ['all([1, 0]) is False'],
    any: ['any([0]) is False'],
    sorted: [`sorted([${high}, ${low}]) == [${low}, ${high}]`],
    reversed: [`[*reversed([${low}, ${high}])] == [${high}, ${low}]`],
    len: [`len([${low}, 0]) == 2`],
    sum: [`sum([${low}, ${high}]) == ${low + high}`],
    min: [`min([${low}, ${high}]) == ${low}`],
    max: [`max([${low}, ${high}]) == ${high}`],
    abs: [`abs(-${low}) == ${low}`],
    round: [`round(${low}.25) == ${low}`],
    isinstance: [`isinstance(${low}, str) is False`],
    issubclass: ['issubclass(int, str) is False'],
    hasattr: [`hasattr(${low}, 'a${low}') is False`],
    callable: [`callable(${low}) is False`],
    type: [`type(${low}) is not str`],
    str: [`str(${low}) == '${low}'`],
    repr: [`repr('${low}') == "'${low}'"`],
    int: [`int('${low}') == ${low}`],
    bool: ['bool(0) is False'],
    list: [`list((${low},)) == [${low}]`],
    tuple: [`tuple([${low}]) == (${low},)`],
    set: [`set([${low}]) == {${low}}`],
    dict: [`dict(a=${low}) == {'a': ${low}}`],
    zip: [`[*zip([${low}], [${high}])] == [(${low}, ${high})]`],
    map: [`[*map(abs, [-${low}])] == [${low}]`],
    filter: [`[*filter(None, [0, ${low}])] == [${low}]`],
    range: ['[*range(2)] == [0, 1]'],
    enumerate: [`[*enumerate([${low}])] == [(0, ${low})]`],
    'math.isclose': [`math.isclose(${low}, -${high}) is False`],
    'operator.eq': [`operator.eq(${low}, -${high}) is False`],
    'json.dumps': [`json.dumps([${low}]) == '[${low}]'`],
    're.fullmatch': [`re.fullmatch('a', 'b${low}') is None`],
  };
}
