/** What `harness init` asks before anything of a repository runs. */
export interface InitQuestionFacts {
  'project.unconfined': { why: string };
  'project.sources': { sources: readonly string[] };
  'project.agent': { command: string | null; env: readonly string[]; servers: readonly string[]; network: boolean };
}

function wishesOf({ command, env, servers, network }: InitQuestionFacts['project.agent']): string {
  const wishes = [
    ...(env.length === 0 ? [] : [`give agents your variables ${env.join(', ')}`]),
    ...(command === null ? [] : [`let "${command}" read the logins of your agent programs`]),
    ...(servers.length === 0 ? [] : [`start the MCP servers ${servers.map((server) => `"${server}"`).join(', ')}`]),
    ...(network ? ['let tests reach the network and every server on this machine'] : []),
  ];
  return wishes.join('; ');
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
  'project.agent': {
    by: 'asker',
    header: 'Access',
    question: (facts: InitQuestionFacts['project.agent']) => `The settings of this repository ask to ${wishesOf(facts)}. Allow it?`,
    options: [
      { label: 'Allow', description: 'Now and later, for this project (agent.granted in your settings).', command: null },
      { label: 'Not now', description: 'Agents and tests do without it.', recommended: true, command: null },
    ],
    nonNegotiable: true,
  },
} as const;
