/** Names of things that belong to one process, so that whoever comes later knows which of them nobody needs any more. */
import { processIdentity } from './process-identity.ts';

const OWN_NAME = /-p(\d+)-[^-]+$/;

export function ownName(beginning: string, id: string): string {
  return `${beginning}-p${process.pid}-${id}`;
}

/** Whether the process that a name speaks of is gone, or is this one, which does not look at what it is using. */
export async function isLeftBehind(name: string): Promise<boolean> {
  const pid = ownerOf(name);
  return pid !== null && !(await isOfAnother(pid));
}

/** Whether another living process uses what has this name. */
export async function isInUse(name: string): Promise<boolean> {
  const pid = ownerOf(name);
  return pid !== null && (await isOfAnother(pid));
}

function ownerOf(name: string): number | null {
  const pid = Number(OWN_NAME.exec(name.replace(/\.lock$/, ''))?.[1] ?? Number.NaN);
  return Number.isInteger(pid) ? pid : null;
}

async function isOfAnother(pid: number): Promise<boolean> {
  return pid !== process.pid && (await processIdentity(pid)) !== null;
}
