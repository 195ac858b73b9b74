/**
 * What in a file of settings is a secret: the value of a key that is named like one, or one that looks random. Pure.
 */
export interface Secret {
  /** The key, for people. */
  name: string;
  value: string;
}

const PAIR = /^[\s{,]*(?:export\s+)?["']?([\w.-]+)["']?[ \t]*[:=][ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"',#}]+))/gm;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;
const SHORTEST = 8;
const RANDOM_LENGTH = 20;
/** Bits for each sign: words and paths stay below, keys above. */
const RANDOM_ENTROPY = 3.8;

export function secretsIn(text: string): Secret[] {
  const found = new Map<string, Secret>();
  for (const [, name = '', double, single, bare] of text.matchAll(PAIR)) {
    const value = (double ?? single ?? bare ?? '').trim();
    if (isSecret(name, value)) found.set(value, { name, value });
  }
  return [...found.values()];
}

function isSecret(name: string, value: string): boolean {
  if (value.length < SHORTEST || /^(?:true|false|null|\d+)$/i.test(value)) return false;
  return (
    SECRET_NAME.test(name) ||
    (value.length >= RANDOM_LENGTH && /^[\w+/=.~-]+$/.test(value) && /\d/.test(value) && entropyOf(value) >= RANDOM_ENTROPY)
  );
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** As it stands, and as base64 of it. */
export function containsSecret(text: string, { value }: Secret): boolean {
  return text.includes(value) || text.includes(Buffer.from(value).toString('base64').replace(/=+$/, ''));
}

export function redacted(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((left, { value }) => (left.includes(value) ? left.replaceAll(value, '[hidden]') : left), text);
}
