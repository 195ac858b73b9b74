/**
 * What leaves this machine is without keys, tokens, and the paths of its user.
 *
 * 1. Keys are known by how their makers write them, by the word before them, or because a variable of this environment holds them.
 * 2. The project's folder becomes `.`, the user's home `~`, other homes too.
 */
import { withoutKeys } from '../kernel/notify/notification.ts';
import type { Platform } from '../platform/platform.ts';

export type Redact = (text: string) => string;

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;
const SHORTEST_SECRET = 8;

/** `more`: further texts that may not leave, such as the page's own token. */
export function redactor({ env }: Pick<Platform, 'env'>, root: string, more: readonly string[] = []): Redact {
  const secrets = Object.entries(env)
    .flatMap(([name, value]) => (SECRET_NAME.test(name) && value !== undefined ? [value] : []))
    .concat(more)
    .filter((value) => value.length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.length - one.length);
  const places: [string, string][] = [
    [root, '.'],
    ...[env['HARNESS_HOME'], env['HOME']].flatMap((path): [string, string][] =>
      path === undefined || path.length < 2 ? [] : [[path, '~']],
    ),
  ];
  places.sort(([one], [other]) => other.length - one.length);
  return (text) => {
    let left = text;
    for (const secret of secrets) left = left.replaceAll(secret, '[hidden]');
    for (const [path, name] of places) left = left.replaceAll(path, name);
    return withoutKeys(left).replace(/(?<![\w.-])\/(?:home|Users)\/[^/\s"'`:]+/g, '~');
  };
}

export function redactValue<Value>(value: Value, redact: Redact): Value {
  return walk(value, redact) as Value;
}

function walk(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((one) => walk(one, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redact(key), walk(inner, redact)]));
}
