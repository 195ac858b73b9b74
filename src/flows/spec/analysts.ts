/** The analysts of this project: every role of the flow whose file says `kind: analyst`, those that ship and those that users add. */
import { listRoles, loadRole } from '../../prompts/load-role.ts';
import { roleFolders } from '../../kernel/roles/call-role.ts';
import type { Place } from '../../kernel/place.ts';

export interface Analyst {
  /** `spec/risk-auditor` */
  role: string;
  /** As it is named in messages and fallback lines. */
  persona: string;
  /** `analysis_risk.md` */
  file: string;
}

export async function listAnalysts(desk: Pick<Place, 'platform' | 'stateDir' | 'harnessHome'>): Promise<Analyst[]> {
  const folders = roleFolders(desk);
  const found: Analyst[] = [];
  for (const role of await listRoles(desk.platform, 'spec', folders)) {
    const { kind, output } = await loadRole(desk.platform, role, folders);
    if (kind !== 'analyst') continue;
    const name = role.slice('spec/'.length);
    found.push({ role, persona: name.replaceAll('-', ' '), file: output ?? `analysis_${name.replaceAll('-', '_')}.md` });
  }
  return found;
}
