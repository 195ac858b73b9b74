// Loaded into a command before it starts: writes what the process used to the file that BENCH_USAGE names.
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_USAGE;
delete process.env.BENCH_USAGE;

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(file, JSON.stringify({ peakMb: maxRSS / 1_024, ownMs: (userCPUTime + systemCPUTime) / 1_000 }));
});
