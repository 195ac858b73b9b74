/** The analysts of this project: every role of the flow whose file says `kind: analyst`, those that ship and those that users add. */
import { listRoles, loadRole } from '../../prompts/load-role.ts';
import { roleFolders } from '../../kernel/roles/call-role.ts';
import type { Place } from '../../kernel/place.ts';
import type { Analyst } from './machine/state.ts';

export async function listAnalysts(place: Pick<Place, 'platform' | 'documents' | 'stateDir' | 'harnessHome'>): Promise<Analyst[]> {
  const folders = roleFolders(place);
  const found: Analyst[] = [];
  for (const role of await listRoles(place.platform, 'spec', folders)) {
    const { kind, output } = await loadRole(place.platform, role, folders);
    if (kind !== 'analyst') continue;
    const name = role.slice('spec/'.length);
    found.push({ role, persona: name.replaceAll('-', ' '), file: output ?? `analysis_${name.replaceAll('-', '_')}.md` });
  }
  return found;
}
