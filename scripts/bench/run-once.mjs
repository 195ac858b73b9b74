// One session of the flow in this process, as `harness run` does it; anything but a verified one is an error.

export async function runOnce(sources, platform, root, emit) {
  const signal = new AbortController().signal;
  const asker = { ask: async () => 'pending' };
  const report = await sources.asWriter(platform, root, { emit, signal, asker, command: 'bench' }, (project, state) =>
    sources.run(project, state, { sessions: 1, noCache: false, cleanup: false }),
  );
  if (report.outcome !== 'verified')
    throw new Error(`the session ended ${report.outcome} (${report.reasons.join(', ')}): ${report.message}`);
}
