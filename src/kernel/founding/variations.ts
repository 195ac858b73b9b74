/**
 * How a room differs from a person's terminal, one thing at a time: what a run is varied by to find out why tests fail in it. Pure.
 *
 * 1. The list is fixed. Of the person's environment only values of these names are used.
 * 2. Home and caches are not in it: in every run they are fresh and writable.
 */

/** What is set for every run: `testing.env` and `testing.terminal`. */
export interface Surroundings {
  env: Readonly<Record<string, string>>;
  terminal: boolean;
}

const NAMES = ['FORCE_COLOR', 'NO_COLOR', 'CI', 'TERM', 'LANG', 'LC_ALL', 'TZ'] as const;

type Setting = readonly [name: (typeof NAMES)[number], value: string];

/** Colours are what differs most often. */
const COLOUR: Setting = ['FORCE_COLOR', '1'];
/** Tried after a terminal: where the person's environment says nothing of it, it is seldom the cause. */
const USUAL: readonly Setting[] = [
  ['NO_COLOR', '1'],
  ['CI', 'true'],
  ['LC_ALL', 'en_US.UTF-8'],
  ['LC_ALL', 'C.UTF-8'],
  ['TZ', 'UTC'],
  ['TERM', 'dumb'],
];

/** `room`: what every run has already. */
export function variationsOf(
  person: Readonly<Record<string, string | undefined>>,
  room: Readonly<Record<string, string>> = {},
): Surroundings[] {
  const own = NAMES.flatMap((name): Setting[] => {
    const value = person[name];
    return value === undefined || value === '' || value === room[name] ? [] : [[name, value]];
  });
  const isOwn = ([name, value]: Setting): boolean => own.some((one) => one[0] === name && one[1] === value);
  const varied = ([name, value]: Setting): Surroundings => ({ env: { [name]: value }, terminal: false });
  const first = [...(isOwn(COLOUR) ? [] : [COLOUR]), ...own];
  return [...first.map(varied), { env: {}, terminal: true }, ...USUAL.filter((one) => !isOwn(one)).map(varied)];
}

export const PLAIN: Surroundings = { env: {}, terminal: false };

/** Both together; what comes later wins. */
export function together(one: Surroundings, other: Surroundings): Surroundings {
  return { env: { ...one.env, ...other.env }, terminal: one.terminal || other.terminal };
}

/** As lines of settings below `testing:`. */
export function settingsLines({ env, terminal }: Surroundings): string[] {
  const names = Object.entries(env);
  return [
    ...(names.length === 0 ? [] : ['env:', ...names.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)]),
    ...(terminal ? ['terminal: true'] : []),
  ];
}

/** For a sentence: `with FORCE_COLOR=1 at a terminal`. */
export function inWords({ env, terminal }: Surroundings): string {
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...(set.length === 0 ? [] : [`with ${set.join(' ')}`]), ...(terminal ? ['at a terminal'] : [])].join(' ');
}
