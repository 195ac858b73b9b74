/** A patch as git prints it, in rows: nothing of it is markup. */
import { useState } from 'preact/hooks';
import { parsePatch, type DiffFile } from './parse-patch.ts';
import { plural } from './bits.tsx';

const SHOWN_ROWS = 400;

export function Diff({ patch }: { patch: string }) {
  const files = parsePatch(patch);
  if (files.length === 0) return <p class="dim">It changed nothing.</p>;
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <div class="diff">
      <p class="dim">
        {plural(files.length, 'file')}, <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
      </p>
      {files.map((file, at) => (
        <File key={`${at} ${file.name}`} file={file} open={at < 8} />
      ))}
    </div>
  );
}

function File({ file, open }: { file: DiffFile; open: boolean }) {
  const [all, setAll] = useState(false);
  const rows = all ? file.rows : file.rows.slice(0, SHOWN_ROWS);
  return (
    <details class="diff-file" open={open}>
      <summary>
        <span class="diff-name">{file.name}</span>
        <span class="plus">+{file.added}</span>
        <span class="minus">−{file.removed}</span>
        {file.note !== '' && <span class="dim">{file.note}</span>}
      </summary>
      <div class="diff-rows" role="region" aria-label={`Changes in ${file.name}`} tabIndex={0}>
        <table>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at} class={row.kind}>
                <td class="line-number">{row.before ?? ''}</td>
                <td class="line-number">{row.after ?? ''}</td>
                <td class="line-text">
                  <span class="sign">{SIGNS[row.kind]}</span>
                  {row.text}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < file.rows.length && (
        <button type="button" class="quiet-button" onClick={() => setAll(true)}>
          Show {file.rows.length - rows.length} more lines
        </button>
      )}
    </details>
  );
}

const SIGNS = { added: '+', removed: '-', same: ' ', hunk: ' ' } as const;
