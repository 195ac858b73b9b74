/** What a person who decides is shown of pages and checks: where the pictures are, whose they are, and what could not be looked at. */
import { isAbsolute, relative } from 'node:path';
import { featureLabel } from '../../domain/feature-name.ts';
import type { NamedCheck, SeenPage, SeenPicture, Verdict } from '../../domain/verdict.ts';
import type { Shelf } from '../../store/shelf.ts';
import { inPercent } from '../../verify/visual/see-page.ts';
import type { FlightPlace } from './contract.ts';
import { pictureFolder } from './pictures.ts';
import { readScreenshots, screenshotFolder } from './screenshots.ts';

type Place = Pick<FlightPlace, 'shelf' | 'root'>;

export async function sightLines(place: Place, { session }: { session: number }, verdict: Verdict | null): Promise<string[]> {
  const { id = '', seen = [], named_checks = [] } = verdict ?? {};
  return [
    ...named_checks.map(checkLine),
    ...seen.flatMap((page) => pageLines(page, (file) => shown(place, pictureFolder(place, id), file))),
    ...(await agentLines(place, session)),
  ];
}

function checkLine({ check, passed, detail }: NamedCheck): string {
  return passed === null ? `not checked by the harness itself: ${check} (${detail})` : `checked: ${check}: ${detail}`;
}

function pageLines(page: SeenPage, at: (file: string) => string): string[] {
  const label = featureLabel(page.feature);
  return [
    ...page.unread.map((step) => `please look at feature ${label}: ${step}`),
    ...page.pictures.flatMap((picture) => pictureLines(picture, label, at)),
  ];
}

function pictureLines({ name, file, steady, changed }: SeenPicture, label: string, at: (file: string) => string): string[] {
  const own = `picture by the harness, feature ${label}, ${name}: ${at(file)}${steady ? '' : ' (it differs from visit to visit)'}`;
  if (changed === undefined) return [own];
  return [own, `  accepted before: ${at(changed.before)}`, `  the difference (${inPercent(changed.share)}): ${at(changed.difference)}`];
}

async function agentLines(place: Place, session: number): Promise<string[]> {
  const kept = await readScreenshots(place, session);
  if (kept === null) return [];
  const folder = screenshotFolder(place, session);
  return [
    ...kept.screenshots.map(({ file, width, height }) => `picture by the agent: ${shown(place, folder, file)} (${width} × ${height})`),
    ...kept.said.map((words) => `the agent says it sees: ${words}`),
  ];
}

/** As a person at the project's root names it, where it is a file. */
function shown({ root }: Place, shelf: Shelf, file: string): string {
  const path = shelf.where(file);
  return isAbsolute(path) ? relative(root, path) : path;
}
