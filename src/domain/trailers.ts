/** The lines that the harness puts at the end of a commit message, and what each says. The one list of their names. */
export const TRAILERS = {
  'Harness-Session': 'number of the session whose work this is',
  'Harness-Agent': 'who did the work, where `agent.fallback` gives more than one to choose from: backend, and model',
  'Harness-Feature':
    'the feature that it completes: a number of the list, or a name of a mission; several where a session may complete more than one',
  'Harness-Wip': 'the commit holds unfinished work on this feature (`workspace.wip_on_branch`); nothing is measured against it',
  'Harness-Tests': 'how many tests of the feature passed, and how many earlier ones were kept passing',
  'Harness-Tests-Changed': 'accepted tests that the feature was allowed to change (`may_change`) and did',
  'Harness-Dependencies-Added': 'new packages that the feature or your settings allowed',
  'Harness-Accepted-By-Person': 'the checks did not accept the work by themselves; a person did, and these are the reasons they saw',
  'Harness-Verdict': 'id of the verdict: `harness verify --verdict ID` shows it with its evidence',
  'Harness-Record': 'the commit only records something, such as a changed feature list; it is nobody’s work on the project',
  'Harness-Task': 'id of the task of `harness worker`',
  'Harness-Workflow': 'name of the task of `harness workflow`',
  'Harness-Mode': 'mode of the workflow: single, standard or multi',
  'Harness-Round': 'round in which the workflow ended',
  'Harness-Verified': 'whether all layers of the workflow passed, and what a person accepted if not',
  'Harness-Version': 'version of the harness that made the commit',
} as const;

export type TrailerName = keyof typeof TRAILERS;
export type Trailers = Readonly<Partial<Record<TrailerName, string | number>>>;
