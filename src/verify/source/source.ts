/**
 * What a parser tells about a source file; the same for every language. All positions are offsets into the text.
 *
 * 1. A file that cannot be parsed, or not in time, has no reading at all: nothing is ever guessed from its text.
 * 2. A reading is a value: it holds no tree and can be kept.
 */

export type Language = 'javascript' | 'python';

export interface Range {
  start: number;
  end: number;
}

/** One value that an assertion expects. */
export interface Leaf extends Range {
  kind: 'number' | 'text' | 'truth' | 'nothing' | 'pattern' | 'list' | 'record';
  /** It lies in a value outside of the test, which the test has by this name. */
  through?: { name: Range; value: Range };
}

/** A list of which the order decides as well. */
export interface ExpectedList extends Range {
  /** Those made of literals alone, each with its values. */
  elements: (Range & { leaves: Leaf[] })[];
  through?: Leaf['through'];
}

export interface Assertion extends Range {
  /** The name of the function or matcher; `assert` for a plain condition. */
  name: string;
  /** Values of which each decides: another one in its place, and an assertion that ran cannot hold. */
  leaves: Leaf[];
  /** Values that it expects by a name: of constants, of rows. */
  bound: Leaf[];
  /** Lists in both: in another order, and it cannot hold either. */
  lists: ExpectedList[];
  /** Names that what it looks at is made with, and what it expects: those of constants and rows are followed. */
  looksAt: string[];
  expects: string[];
  /** Replacements that turn it into its opposite; none where that cannot be told. */
  opposite: TextEdit[];
}

export interface TextEdit {
  at: number;
  /** How many characters are replaced. */
  length: number;
  text: string;
}

export interface SourceTest extends Range {
  /** Literal parts of the title, with unknown text between them; null: nothing is known. */
  title: readonly string[] | null;
  /** Where a title stands that is one literal. */
  titleRange: Range | null;
  /** Where a copy of the test has to get another title; that of a table may have places for values. */
  copyRange: Range | null;
  /** What the test does, with its parameters. */
  body: Range;
  /** The statement that it is, with its decorators; null where it stands inside an expression or a loop without braces. */
  statement: Range | null;
  /** Tests with the same number stand in one list of statements. */
  list: number;
  /** One text, many tests. */
  isTable: boolean;
  assertions: Assertion[];
  /** Plain calls of the body with literals as their last argument: they may assert in their own way. */
  calls: Leaf[];
}

export interface SourceFunction extends Range {
  /** Names of what it stands in and its own, joined by dots. */
  name: string;
  /** The statements between the braces or below the colon; the expression of an arrow. */
  body: Range;
  isExpression: boolean;
  isAsync: boolean;
  isGenerator: boolean;
  isConstructor: boolean;
  /** It stands in a class and has nothing before it that a copy would leave behind. */
  isMember: boolean;
  /** Whole `return` statements, with the range of their value; null: none. */
  returns: (Range & { value: Range | null })[];
  /** Values that are yielded, assigned to members, or handed to calls that stand for themselves. */
  handed: Range[];
  /** Indentation of the body, for languages in which it matters. */
  indent: string;
}

/** A value that is worked out as the module is loaded or an object is made: an initialiser outside of functions. */
export interface SourceValue extends Range {
  name: string;
}

export interface SourceImport extends Range {
  /** As it is written; Python's with leading dots. */
  specifier: string;
  /** Names that are taken from it, `*` for all of it; Python's may be modules. */
  names: string[];
  /** What the file calls them. */
  locals: string[];
  /** Only its types are used. */
  isType: boolean;
}

export interface SourceStatement extends Range {
  kind: 'import' | 'test' | 'group' | 'declaration' | 'other';
  /** What it declares. */
  names: string[];
  /** Running it does nothing but to make values. */
  isPure: boolean;
  /** Of a group: what comes before its own statements, and those. */
  header: Range | null;
  inner: SourceStatement[];
}

export interface SourceReading {
  language: Language;
  tests: SourceTest[];
  functions: SourceFunction[];
  values: SourceValue[];
  imports: SourceImport[];
  /** Names by which other modules can ask for something. */
  exports: string[];
  /** Modules that are chosen only as the code runs. */
  hasOpenImport: boolean;
  /** Classes whose methods are made by a decorator, and where their first decorator stands. */
  madeClasses: Range[];
  statements: SourceStatement[];
  /** Contents of string literals. */
  texts: string[];
  /** Names that are used and nowhere declared in the file. */
  globals: string[];
  /** Where a statement can be put in behind the imports. */
  afterImports: number;
}

/** `null` for files in other languages. */
export function languageOf(path: string): Language | null {
  if (path.endsWith('.py')) return 'python';
  return /\.[cm]?[jt]sx?$/.test(path) ? 'javascript' : null;
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.at - b.at || a.length - b.length)) {
    parts.push(text.slice(at, Math.max(at, edit.at)), edit.text);
    at = Math.max(at, edit.at + edit.length);
  }
  return parts.join('') + text.slice(at);
}
