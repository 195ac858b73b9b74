/** Names of things that belong to one process, so that whoever comes later knows which of them nobody needs any more. */
import { processIdentity } from './process-identity.ts';

const OWN_NAME = /-p(\d+)-[^-]+$/;

export function ownName(beginning: string, id: string): string {
  return `${beginning}-p${process.pid}-${id}`;
}

/** Whether the process that a name speaks of is gone, or is this one, which does not look at what it is using. */
export async function isLeftBehind(name: string): Promise<boolean> {
  const pid = Number(OWN_NAME.exec(name.replace(/\.lock$/, ''))?.[1] ?? Number.NaN);
  if (!Number.isInteger(pid)) return false;
  return pid === process.pid || (await processIdentity(pid)) === null;
}
