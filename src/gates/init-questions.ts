/** What `harness init` asks before anything of a repository runs. */
export interface InitQuestionFacts {
  'project.unconfined': { why: string };
  'project.sources': { sources: readonly string[] };
}

export const INIT_QUESTIONS = {
  'project.unconfined': {
    by: 'asker',
    header: 'No sandbox',
    question: (facts: InitQuestionFacts['project.unconfined']) =>
      `Without a sandbox (${facts.why}) this repository's tests and packages can do everything that you can. Run them?`,
    options: [
      {
        label: 'Run',
        description: 'Only if you trust everything in this repository (sandbox.unconfined in your settings).',
        recommended: true,
        command: null,
      },
      { label: 'Stop', description: 'Run nothing; install a sandbox first (harness doctor).', command: null },
    ],
  },
  'project.sources': {
    by: 'asker',
    header: 'Dependencies',
    question: (facts: InitQuestionFacts['project.sources']) =>
      `This repository takes dependencies from ${facts.sources.join(', ')}. Allow it?`,
    options: [
      {
        label: 'Allow',
        description: 'Fetch them, now and later (dependencies.sources in your settings).',
        recommended: true,
        command: null,
      },
      { label: 'Stop', description: 'Fetch nothing; the repository is not set up.', command: null },
    ],
  },
} as const;
