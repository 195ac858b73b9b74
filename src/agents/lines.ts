/**
 * Splits a byte stream into lines without ever holding a long one.
 *
 * 1. A line's text is kept up to `limit` bytes; the rest is counted and dropped, and `dropped` says how many bytes.
 * 2. A line ends at LF; a CR before it belongs to the line end. The last line needs none.
 */
export interface Line {
  text: string;
  dropped: number;
}

export interface LineSplitter {
  /** The lines that this chunk completes. */
  write(chunk: Buffer): Line[];
  /** The unfinished last line, where there is one. */
  end(): Line[];
}

const LF = 0x0a;

export function lineSplitter(limit: number): LineSplitter {
  let parts: Buffer[] = [];
  let kept = 0;
  let dropped = 0;

  const take = (piece: Buffer): void => {
    const part = piece.subarray(0, limit - kept);
    if (part.length > 0) parts.push(Buffer.from(part));
    kept += part.length;
    dropped += piece.length - part.length;
  };
  const finish = (): Line => {
    const line = { text: decode(Buffer.concat(parts), dropped > 0), dropped };
    parts = [];
    kept = 0;
    dropped = 0;
    return line;
  };

  return {
    write: (chunk) => {
      const lines: Line[] = [];
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        const piece = chunk.subarray(start, at);
        if (kept + dropped === 0 && piece.length <= limit) lines.push({ text: decode(piece, false), dropped: 0 });
        else {
          take(piece);
          lines.push(finish());
        }
        start = at + 1;
      }
      take(chunk.subarray(start));
      return lines;
    },
    end: () => (kept + dropped > 0 ? [finish()] : []),
  };
}

function decode(bytes: Buffer, cut: boolean): string {
  const text = bytes.toString('utf8');
  return cut ? text.replace(/\uFFFD+$/, '') : text.replace(/\r$/, '');
}
