/** What is compared between a reading and a reference parser. */
import type { SourceReading } from '../../src/verify/source/source.ts';

export interface Facts {
  /** Modules that are named where everybody can see it, with the place of the statement. */
  imports: string[];
  /** Declared functions and methods outside of tests, with the place of each. */
  functions: string[];
  /** Titles, or names, with the place of the call or the definition. The title of a table is a pattern for many: there the place alone. */
  tests: string[];
  /** Contents of plain string literals. */
  texts: string[];
}

export const place = (start: number, end: number): string => `${start}-${end}`;

export function factsOf(reading: SourceReading): Facts {
  return {
    imports: reading.imports.map((one) => one.specifier).toSorted(),
    functions: reading.functions.map((one) => `${one.name.split('.').at(-1)!} ${place(one.start, one.end)}`).toSorted(),
    tests: reading.tests.map((one) => `${one.isTable ? '' : (one.title ?? []).join('*')} ${place(one.start, one.end)}`).toSorted(),
    texts: reading.texts.toSorted(),
  };
}

/** What the reference knows and the reading does not, or the other way round; functions may be known in more kinds than the reference lists. */
export function differences(ours: Facts, reference: Facts): string[] {
  const missing = (some: readonly string[], from: readonly string[]): string[] => {
    const left = [...from];
    return some.filter((one) => {
      const at = left.indexOf(one);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  return [
    ...missing(reference.imports, ours.imports).map((one) => `import not read: ${one}`),
    ...missing(ours.imports, reference.imports).map((one) => `import that is none: ${one}`),
    ...missing(reference.functions, ours.functions).map((one) => `function not read: ${one}`),
    ...missing(reference.tests, ours.tests).map((one) => `test not read: ${one}`),
    ...missing(ours.tests, reference.tests).map((one) => `test that is none: ${one}`),
    ...missing(reference.texts, ours.texts).map((one) => `text not read: ${JSON.stringify(one)}`),
  ];
}
