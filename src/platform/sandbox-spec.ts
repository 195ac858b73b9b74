/** What stands where in a sandbox. All paths are absolute. */

/** What can be seen. */
export interface SandboxView {
  hidden: readonly string[];
  /** In sight, read-only, also where the place around it is private. */
  shown?: readonly string[];
  /** In sight, read-only, also below something hidden; one that holds something hidden is left out. */
  bared?: readonly string[];
  /** Folders of programs: in sight, with what was installed together with the programs. */
  programs?: readonly string[];
  /** Named by the user: in sight, sockets included, whatever else hides them. */
  allowed?: readonly string[];
  /** Sockets that are known beside those that can be found. */
  sockets?: readonly string[];
}

export interface SandboxSpec extends SandboxView {
  writable: readonly string[];
  /** Read-only again inside a writable path, or simply kept read-only. */
  readOnly?: readonly string[];
  /** [outside, inside] pairs, read-only. */
  readOnlyAt?: readonly (readonly [string, string])[];
  /** The same, writable: what stands outside is seen inside, in place of what is there. */
  writableAt?: readonly (readonly [string, string])[];
  /** The same, for single files, over everything else: also inside of what is read-only. */
  writableOver?: readonly (readonly [string, string])[];
  /** Where a command begins, as it is seen inside; absent: at the same path as outside. */
  cwd?: string;
  network: 'host' | 'none';
  /** A folder of the harness's own in which /tmp and /var/tmp are kept; absent: they are gone with each process. */
  scratch?: string;
}
