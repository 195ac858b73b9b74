/** Assertions in chai's words, each as a statement that must fail. */
import { groupOf } from '../../domain/text-parts.ts';
import { ownValue } from '../../domain/items.ts';

/** Unguessable values, others each time: two different literals of one type, and positive whole numbers. */
interface Values {
  pair(): readonly [string, string];
  number(): number;
}

/** A file that takes its assertions from chai. */
export const OF_CHAI = /(?:\bfrom\s+|\brequire\(\s*)['"]chai['"]/;

/** Chai's words, which vitest knows as well; other libraries have some of them as calls. */
export function chaiAssertions(mask: string, expect: string, { pair, number }: Values): string[] {
  if (!/\.to\s*\.\s*\w/.test(mask)) return [];
  const words = new Set(
    [...mask.matchAll(/\.(?:to|be|have|deep|not)\s*\.\s*(\w+\s*\(?)/g)].map((match) => groupOf(match, 1).replaceAll(/\s/g, '')),
  );
  const [one, other] = pair();
  const kinds: Readonly<Record<string, string>> = {
    'equal(': `${expect}(${one}).to.equal(${other});`,
    deep: `${expect}({ value: [${one}] }).to.deep.equal({ value: [${other}] });`,
    'eql(': `${expect}({ value: [${one}] }).to.eql({ value: [${other}] });`,
    true: `${expect}(${one} === ${other}).to.be.true;`,
    false: `${expect}(${one} === ${one}).to.be.false;`,
    ok: `${expect}(0).to.be.ok;`,
    null: `${expect}(${number()}).to.be.null;`,
    undefined: `${expect}(${number()}).to.be.undefined;`,
    'property(': `${expect}({ value: ${number()} }).to.have.property('name${number()}');`,
    'throw(': `${expect}(() => {}).to.throw();`,
  };
  return [...new Set(['equal(', ...words])].flatMap((word) => ownValue(kinds, word) ?? []);
}
