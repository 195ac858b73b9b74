/**
 * The file tools: read, write, edit.
 *
 * 1. Every path goes through `confine` first, and only regular files are opened.
 * 2. What the project's environment runs beside the agent can put a link in the way at any moment: from there on none is followed.
 * 3. A written file keeps its mode; a name that shares its data with another place is unlinked first.
 */
import { dirname } from 'node:path';
import type { Files } from '../../../platform/files.ts';
import { guardedFiles } from '../../../platform/guarded-files.ts';
import type { Platform } from '../../../platform/platform.ts';
import { clip, OUTPUT_LIMIT } from './clip.ts';
import { confine } from './confine.ts';
import { done, refused, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

const LARGEST_FILE = 8n * 1024n * 1024n;

export const readFileTool: Tool = {
  definition: {
    name: 'read_file',
    description: 'Returns the text of a file in the workspace. For a long file give offset and limit.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path, relative to the workspace.' },
        offset: { type: 'integer', description: 'First line to return, from 1.' },
        limit: { type: 'integer', description: 'How many lines to return.' },
      },
      required: ['path'],
    },
  },
  run: async (context, input) => {
    const file = await openFile(context, input['path']);
    if (!file.ok) return refused(file.message);
    const offset = positive(input['offset']) ?? 1;
    const limit = positive(input['limit']);
    const text =
      offset === 1 && limit === null
        ? file.text
        : file.text
            .split('\n')
            .slice(offset - 1, limit === null ? undefined : offset - 1 + limit)
            .join('\n');
    return done(
      text.length > OUTPUT_LIMIT ? `${clip(text)}\n[${text.length} characters in all: read the rest with offset and limit]` : text,
    );
  },
};

export const writeFileTool: Tool = {
  definition: {
    name: 'write_file',
    description: 'Writes a whole file in the workspace. Missing directories are made; an existing file is replaced.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path, relative to the workspace.' },
        content: { type: 'string', description: 'The whole content.' },
      },
      required: ['path', 'content'],
    },
  },
  run: async ({ platform, task }, input) => {
    const content = input['content'];
    if (typeof input['path'] !== 'string' || typeof content !== 'string') return refused('write_file needs path and content');
    const target = await confine(platform, task, input['path']);
    if (!target.ok) return refused(target.message);
    return writeText(platform, target, content, `wrote ${target.shown} (${Buffer.byteLength(content)} bytes)`);
  },
};

export const editFileTool: Tool = {
  definition: {
    name: 'edit_file',
    description: 'Replaces one passage of a file. old_string must occur exactly once, unless replace_all is set.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path, relative to the workspace.' },
        old_string: { type: 'string', description: 'The passage as it stands, white space included.' },
        new_string: { type: 'string', description: 'What takes its place.' },
        replace_all: { type: 'boolean', description: 'Replace every occurrence.' },
      },
      required: ['path', 'old_string', 'new_string'],
    },
  },
  run: async (context, input) => {
    const { old_string: before, new_string: after } = input;
    if (typeof before !== 'string' || typeof after !== 'string' || before === '')
      return refused('edit_file needs path, old_string and new_string');
    const file = await openFile(context, input['path']);
    if (!file.ok) return refused(file.message);
    const parts = file.text.split(before);
    const found = parts.length - 1;
    if (found === 0) return refused(`old_string does not occur in ${file.shown}`);
    if (found > 1 && input['replace_all'] !== true)
      return refused(`old_string occurs ${found} times in ${file.shown}; give more of its surroundings, or set replace_all`);
    return writeText(context.platform, file, parts.join(after), `edited ${file.shown}`);
  },
};

interface Place {
  path: string;
  shown: string;
  root: string;
}

function filesIn(platform: Platform, root: string): Files {
  const files = guardedFiles(platform.files, { isSeen: true });
  files.guard(root);
  return files;
}

type OpenedFile = (Place & { ok: true; text: string }) | { ok: false; message: string };

async function openFile({ platform, task }: ToolContext, path: unknown): Promise<OpenedFile> {
  if (typeof path !== 'string') return { ok: false, message: 'a path is needed' };
  const target = await confine(platform, task, path);
  if (!target.ok) return target;
  const files = filesIn(platform, target.root);
  const info = await files.lstat(target.path).catch(() => null);
  if (info === null) return { ok: false, message: `there is no file ${target.shown}` };
  if (!info.isFile()) return { ok: false, message: `${target.shown} is not a regular file` };
  if (info.size > LARGEST_FILE)
    return { ok: false, message: `${target.shown} has ${info.size} bytes, too many for this tool; use shell to look at a part of it` };
  return { ...target, text: await files.readText(target.path) };
}

async function writeText(platform: Platform, { path, root }: Place, content: string, message: string): Promise<ToolOutcome> {
  const files = filesIn(platform, root);
  const info = await files.lstat(path).catch(() => null);
  if (info !== null && !info.isFile()) return refused(`${path} is not a regular file`);
  if (info !== null && info.nlink > 1n) await files.remove(path);
  await files.mkdir(dirname(path));
  if (info === null || info.nlink > 1n)
    await files.writeNew(path, Buffer.from(content), info === null ? 0o666 : Number(info.mode & 0o777n));
  else await files.write(path, content, Number(info.mode & 0o777n));
  return done(message);
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
}
