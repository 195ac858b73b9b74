/** The two streams and what is known about them: the seam between rendering and the process. */

export interface Sink {
  write(text: string): void;
  isTTY: boolean;
  /** Width in columns; only meaningful on a terminal. */
  columns(): number;
  /** Height in rows; only meaningful on a terminal. */
  rows(): number;
  /** Waits while the reader is behind; null when it is not. */
  drained?(): Promise<void> | null;
}

export interface Terminal {
  stdout: Sink;
  stderr: Sink;
  stdinIsTTY: boolean;
  /** Everything that comes in on stdin, as text; absent: nothing does. */
  input?(): Promise<string>;
}
