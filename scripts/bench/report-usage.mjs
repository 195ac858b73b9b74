// Loaded into a command before it starts: writes what the process and its children used to the file that BENCH_USAGE names.
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env.BENCH_USAGE;
delete process.env.BENCH_USAGE;

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(file, JSON.stringify({ peakMb: maxRSS / 1_024, ownMs: (userCPUTime + systemCPUTime) / 1_000, childrenMs: ofChildren() }));
});

/** Linux tells in hundredths of a second what the children that have ended used. */
function ofChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}
