// Which processes ran when: a platform whose processes are timed, and the time that spans cover.

export function timeProcesses(platform, spans) {
  const { processes } = platform;
  const note = (spec) => {
    const span = {
      kind: kindOf(spec),
      from: performance.now(),
      to: Number.POSITIVE_INFINITY,
      what: [spec.file, ...spec.args].join(' ').slice(0, 150),
    };
    spans.push(span);
    return () => (span.to = performance.now());
  };
  return {
    ...platform,
    processes: {
      ...processes,
      run: async (spec) => {
        const done = note(spec);
        return processes.run(spec).finally(done);
      },
      start: async (spec) => {
        const done = note(spec);
        const child = await processes.start(spec);
        void child.exited.then(done);
        return child;
      },
    },
  };
}

function kindOf(spec) {
  if (spec.env.HARNESS_SESSION !== undefined && spec.env.HARNESS_ROLE !== undefined) return 'agent';
  if (spec.args.some((argument) => argument === '--test' || argument.startsWith('--test-reporter='))) return 'tests';
  return /(^|\/)git$/.test(spec.file) ? 'git' : 'other';
}

/** Milliseconds covered by at least one span. */
export function covered(spans) {
  let total = 0;
  let until = 0;
  for (const { from, to } of spans.filter((span) => Number.isFinite(span.to)).sort((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}
