/**
 * Pictures that an agent says it took: taken out of its copy, and kept with what is known about them.
 *
 * 1. Only what the agent named with its mark, and only a file inside its copy that no link leads to and whose bytes are a picture.
 * 2. An agent's picture is advice: it is shown to people as the agent's own, and no verdict rests on it.
 */
import { createHash } from 'node:crypto';
import { basename, isAbsolute, relative } from 'node:path';
import { cleanText } from '../../domain/clean-text.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { containedPath } from '../../platform/contained-path.ts';
import type { Shelf } from '../../store/shelf.ts';
import { LARGEST_PICTURE_BYTES, lookAtPicture, type PictureFacts } from '../../verify/visual/picture.ts';
import type { Place as WholePlace } from '../place.ts';
import { featureLabel } from '../../domain/feature-name.ts';
import type { NamedCheck, SeenPage, SeenPicture, Verdict } from '../../domain/verdict.ts';
import { inPercent } from '../../verify/visual/see-page.ts';
import { pictureFolder } from './pictures.ts';

type Place = Pick<WholePlace, 'platform' | 'shelf' | 'emit' | 'now'>;

export interface Sightings {
  see(event: HarnessEvent): void;
  paths(): string[];
  /** What the agent says that it saw. */
  words(): string[];
}

export interface KeptScreenshot extends PictureFacts {
  file: string;
  /** As the agent named it. */
  path: string;
  sha256: string;
}

interface SessionScreenshots {
  schema_version: 1;
  harness_version: string;
  session: number;
  feature: number | null;
  taken_at: string;
  screenshots: KeptScreenshot[];
  said: string[];
}

const MOST = 30;
const LONGEST_WORDS = 500;

export function watchSightings(): Sightings {
  const paths = new Set<string>();
  const words: string[] = [];
  return {
    paths: () => [...paths],
    words: () => [...words],
    see: (event) => {
      if (event.type !== 'agent.action') return;
      const { kind, path, text } = event.action;
      if (kind === 'visual_screenshot' && typeof path === 'string' && paths.size < MOST) paths.add(path.replace(/^[`'"]|[`'"]$/g, ''));
      if (kind === 'visual_verify' && typeof text === 'string' && words.length < MOST) words.push(cleanText(text).slice(0, LONGEST_WORDS));
    },
  };
}

export async function keepScreenshots(
  place: Place,
  from: { session: number; feature: number | null; workspace: string },
  sightings: Sightings,
): Promise<void> {
  const [paths, said] = [sightings.paths(), sightings.words()];
  if (paths.length === 0 && said.length === 0) return;
  const folder = screenshotFolder(place, from.session);
  const known = await readScreenshots(place, from.session);
  const kept = new Map((known?.screenshots ?? []).map((one) => [one.path, one]));
  for (const path of paths) {
    const taken = await take(place, from.workspace, path);
    if ('problem' in taken) {
      place.emit({
        type: 'warning',
        message: `the screenshot ${cleanText(path).slice(0, 200)} of session ${from.session} was not kept: ${taken.problem}`,
      });
      continue;
    }
    const sha256 = createHash('sha256').update(taken.bytes).digest('hex');
    const file = `${sha256.slice(0, 8)}-${basename(path)
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(-80)}`;
    await folder.write(file, taken.bytes);
    kept.set(path, { file, path: cleanText(path), sha256, ...taken.facts });
  }
  const document: SessionScreenshots = {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    session: from.session,
    feature: from.feature,
    taken_at: place.now(),
    screenshots: [...kept.values()],
    said: [...new Set([...(known?.said ?? []), ...said])].slice(-MOST),
  };
  await folder.write(METADATA, `${JSON.stringify(document, null, 2)}\n`);
}

const METADATA = 'metadata.json';

export function screenshotFolder({ shelf }: Pick<Place, 'shelf'>, session: number): Shelf {
  return shelf.in('screenshots').in(`session-${String(session).padStart(3, '0')}`);
}

/** Null: there are none, or what is there cannot be read. */
export async function readScreenshots(place: Pick<Place, 'shelf'>, session: number): Promise<SessionScreenshots | null> {
  const text = await screenshotFolder(place, session).read(METADATA);
  try {
    const value = text === null ? null : (JSON.parse(text) as Partial<SessionScreenshots>);
    return value !== null && Array.isArray(value.screenshots) && Array.isArray(value.said) ? (value as SessionScreenshots) : null;
  } catch {
    return null;
  }
}

async function take(
  { platform }: Place,
  workspace: string,
  path: string,
): Promise<{ bytes: Buffer; facts: PictureFacts } | { problem: string }> {
  const where = await containedPath(platform, workspace, path).catch(() => null);
  if (where === null || !where.inside) return { problem: 'it is not in the copy' };
  if (where.link !== null) return { problem: 'a link leads to it' };
  const { real } = where;
  const stat = real === null || !where.exists ? null : await platform.files.lstat(real).catch(() => null);
  if (real === null || stat === null) return { problem: 'there is no such file' };
  if (!stat.isFile()) return { problem: 'it is no file' };
  if (stat.size > BigInt(LARGEST_PICTURE_BYTES)) return { problem: `it is larger than ${LARGEST_PICTURE_BYTES / 1024 / 1024} MB` };
  const bytes = await platform.files.readSlice(real, 0, Number(stat.size));
  const facts = lookAtPicture(bytes);
  return 'problem' in facts ? facts : { bytes, facts };
}

/** What a person who decides is shown of pages and checks: where the pictures are, whose they are, and what could not be looked at. */
type SightGround = Pick<WholePlace, 'shelf' | 'root'>;

export async function sightLines(place: SightGround, { session }: { session: number }, verdict: Verdict | null): Promise<string[]> {
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

async function agentLines(place: SightGround, session: number): Promise<string[]> {
  const kept = await readScreenshots(place, session);
  if (kept === null) return [];
  const folder = screenshotFolder(place, session);
  return [
    ...kept.screenshots.map(({ file, width, height }) => `picture by the agent: ${shown(place, folder, file)} (${width} × ${height})`),
    ...kept.said.map((words) => `the agent says it sees: ${words}`),
  ];
}

/** As a person at the project's root names it, where it is a file. */
function shown({ root }: SightGround, shelf: Shelf, file: string): string {
  const path = shelf.where(file);
  return isAbsolute(path) ? relative(root, path) : path;
}
