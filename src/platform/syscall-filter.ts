/**
 * The system calls that nothing in a sandbox may make, as a program for the kernel (seccomp, classic BPF).
 *
 * 1. Kernel keys belong to the whole login; `bpf`, `userfaultfd` and `io_uring` open parts of the kernel that no build or test needs.
 * 2. A refused call gets an error and the program goes on. `io_uring` is reported as missing, so that programs do without.
 * 3. Calls of another architecture (i386 and x32 on x86-64, 32-bit ARM on arm64) have other numbers: all are reported as missing.
 */

interface Machine {
  /** As the kernel names it: AUDIT_ARCH_… */
  audit: number;
  denied: readonly number[];
  /** Numbers from here on are those of another convention. */
  foreignFrom?: number;
}

/** add_key, request_key, keyctl, bpf, userfaultfd. */
const MACHINES: Readonly<Record<string, Machine>> = {
  x64: { audit: 0xc000003e, denied: [248, 249, 250, 321, 323], foreignFrom: 0x40000000 },
  arm64: { audit: 0xc00000b7, denied: [217, 218, 219, 280, 282] },
};
/** io_uring_setup, io_uring_enter, io_uring_register: the same everywhere. */
const MISSING = [425, 426, 427] as const;

const [LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [OFFSET_NUMBER, OFFSET_MACHINE] = [0, 4];
const ALLOW = 0x7fff0000;
const ERROR = 0x00050000;
const [EPERM, ENOSYS] = [1, 38];
const INSTRUCTION_BYTES = 8;

/** `null` for a machine whose calls are not known here. */
export function syscallFilter(architecture: string = process.arch): Buffer | null {
  const machine = MACHINES[architecture];
  if (machine === undefined) return null;
  const { audit, denied, foreignFrom } = machine;
  const tests: [code: number, value: number, target: 'denied' | 'missing'][] = [
    ...(foreignFrom === undefined ? [] : [[JUMP_AT_LEAST, foreignFrom, 'missing'] as [number, number, 'missing']]),
    ...denied.map((number): [number, number, 'denied'] => [JUMP_EQUAL, number, 'denied']),
    ...MISSING.map((number): [number, number, 'missing'] => [JUMP_EQUAL, number, 'missing']),
  ];
  const deniedAt = 3 + tests.length + 1;
  const missingAt = deniedAt + 1;
  return Buffer.concat([
    instruction(LOAD, OFFSET_MACHINE),
    instruction(JUMP_EQUAL, audit, 0, missingAt - 2),
    instruction(LOAD, OFFSET_NUMBER),
    ...tests.map(([code, value, target], index) =>
      instruction(code, value, (target === 'denied' ? deniedAt : missingAt) - (3 + index) - 1, 0),
    ),
    instruction(RETURN, ALLOW),
    instruction(RETURN, ERROR | EPERM),
    instruction(RETURN, ERROR | ENOSYS),
  ]);
}

/** Jumps count from the next instruction. */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(INSTRUCTION_BYTES);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
