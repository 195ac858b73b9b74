/** What the assigned feature is about. Seed 0 takes the first; other seeds rename and change literals by taking another. */

export interface Subject {
  name: string;
  says: string;
  /** Expressions over `text`. */
  right: { js: string; py: string };
  cases: readonly (readonly [string, string])[];
  /** An input that no test names. */
  held: readonly [string, string];
}

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'slug',
    says: 'A user gets an address for a title',
    right: { js: "text.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-')", py: "'-'.join(text.lower().split())" },
    cases: [
      ['Hello World', 'hello-world'],
      ['One  Two', 'one-two'],
    ],
    held: ['Deep Sea', 'deep-sea'],
  },
  {
    name: 'initials',
    says: 'A user gets the first letters of a name',
    right: { js: "text.split(' ').map((word) => word[0].toUpperCase()).join('')", py: "''.join(word[0].upper() for word in text.split())" },
    cases: [
      ['grace hopper', 'GH'],
      ['ada love lace', 'ALL'],
    ],
    held: ['alan turing', 'AT'],
  },
  {
    name: 'mirror',
    says: 'A user reads a word backwards',
    right: { js: "[...text].reverse().join('')", py: 'text[::-1]' },
    cases: [
      ['stressed', 'desserts'],
      ['drawer', 'reward'],
    ],
    held: ['lager', 'regal'],
  },
  {
    name: 'headline',
    says: 'A user sees a title with capital letters',
    right: {
      js: "text.split(' ').map((word) => word[0].toUpperCase() + word.slice(1)).join(' ')",
      py: "' '.join(word[0].upper() + word[1:] for word in text.split())",
    },
    cases: [
      ['the long way', 'The Long Way'],
      ['night train', 'Night Train'],
    ],
    held: ['red door', 'Red Door'],
  },
  {
    name: 'masked',
    says: 'A user sees only the start of a secret',
    right: { js: "text.slice(0, 2) + '*'.repeat(text.length - 2)", py: "text[:2] + '*' * (len(text) - 2)" },
    cases: [
      ['swordfish', 'sw*******'],
      ['opensesame', 'op********'],
    ],
    held: ['password', 'pa******'],
  },
  {
    name: 'constant',
    says: 'A user gets the name of a constant for a phrase',
    right: { js: "text.toUpperCase().split(' ').join('_')", py: "'_'.join(text.upper().split())" },
    cases: [
      ['max file size', 'MAX_FILE_SIZE'],
      ['base url', 'BASE_URL'],
    ],
    held: ['home page', 'HOME_PAGE'],
  },
];

/** Names for helper modules, by seed. */
export const HELPERS = ['support', 'compat', 'runtime', 'common', 'bootstrap', 'prelude'] as const;
