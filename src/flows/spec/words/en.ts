/** Texts of the spec flow in English: the shape of all other languages. */

export const en = {
  session: {
    question: (status: string) => `There is an earlier spec session here.\n${status}\nResume it, restart, or stop?`,
    resumeHalted: 'Only repeats why it was halted and what can be done; nothing continues by itself',
    again: { shown: 'Write again', description: 'Write the spec once more from the answers that were given' },
    resumeOlder: 'From an older version: the convention scan is run first, the answers that were given are kept',
    stopped: 'The spec session was ended and its working files were removed.',
    goesOn: (phase: string) => `Continuing: ${phase}`,
    noTask: 'There is nothing to write a spec for.',
    noTaskFix: 'Say what should be built: harness spec "an export of all orders as CSV"',
  },
  routing: {
    header: 'Routing',
    improve: 'This sounds like a change to existing code. Another command may suit it better.',
    implement: 'This sounds like building an existing spec. Another command may suit it better.',
    understand: 'This sounds like a question about existing code. Another command may suit it better.',
    change: { shown: (command: string) => `Switch: /${command}`, description: (line: string) => `End here and use: ${line}` },
    stay: { shown: 'Continue with /spec', description: 'Write a spec anyway' },
    switched: (line: string) => `No spec was started. The command for it: ${line}`,
  },
  collision: {
    header: 'Slug collision',
    question: (path: string) => `${path} holds the documents of an earlier spec. Continuing would overwrite them at the end.`,
    append: { shown: 'Append timestamp', description: (path: string) => `Write to ${path} and leave the earlier documents as they are` },
    overwrite: { shown: 'Overwrite', description: 'Use the same directory; the earlier documents will be overwritten at the end' },
    stop: { shown: 'Stop', description: 'End here; try again with another description of the task' },
    stopped: 'Nothing was started. Describe the task in other words to get another directory.',
  },
  mode: {
    header: 'Mode',
    question: 'How should the spec be written?',
    quick: { shown: 'quick', description: 'One agent writes it from your answers: fast and cheap' },
    deep: {
      shown: 'deep',
      description:
        'Four analysts look at it from different sides, then it is put together and criticised: more thorough, several times the tokens',
    },
  },
  model: {
    confirm: (models: string) => `Use these models: ${models}?`,
    use: { shown: 'Use it', description: 'Continue with these' },
    again: { shown: 'Choose again', description: 'Back to the choice of models' },
  },
  started: 'Spec started!',
  branchSkipped: 'The repository has no commit yet, so no branch was made.',
  qa: {
    header: (round: number) => `Q&A Round ${round}/3`,
    first: (task: string, list: string) => `To write an accurate spec, a few things about this task need to be clear: ${task}\n\n${list}`,
    later: (list: string) => `Your answers raise a few more questions:\n\n${list}`,
    inline: { shown: 'Answer inline', description: 'Answer in words of your own, one numbered line per question' },
    skip: { shown: 'Skip — use best judgment', description: 'Continue without answers; what is unknown is marked as unconfirmed' },
    enough: { shown: 'No more questions — write the spec', description: 'End the questions and write the spec now' },
    looking: (round: number) => `Looking for what is unclear (round ${round} of 3)`,
    unreadable: (round: number) =>
      `The questions of round ${round} could not be read twice in a row; general ones were asked instead, or the round was skipped.`,
    complete: 'Nothing more needs to be asked. The spec is being written...',
    general: {
      users: {
        question: 'Who will use this, and what do they want to get done with it?',
        why: 'The spec is written from their point of view.',
      },
      scope: { question: 'What is definitely part of it, and what explicitly is not?', why: 'This decides where the work ends.' },
      success: { question: 'How will you know that it works as it should?', why: 'The acceptance criteria follow from this.' },
      limits: {
        question: 'What does it have to respect: platforms, amounts of data, speed, other systems?',
        why: 'Such limits rule out solutions.',
      },
      assumptions: {
        question: 'What do you take for granted that is not written down anywhere?',
        why: 'Unspoken assumptions turn into wrong software.',
      },
    },
  },
  conventions: {
    damaged: (value: string) => `state.json holds a value for "conventions" that is not allowed: ${value}.`,
    damagedFix: 'Only null, "skipped" and "file:.harness/conventions.md" are. No file was read. Look at the file, then choose Restart.',
    skipped: 'Conventions were skipped: the analysts treat this as a project without any.',
    lost: 'The conventions file is gone; the scan is run again.',
  },
  analysis: {
    started: (count: number) => `${count} analysts look at it, each on their own`,
    dispatchFailed: (persona: string) => `${persona}: no analysis came back after three tries`,
    parseFailed: (persona: string) => `${persona}: its last line does not have the agreed form`,
    nothing: 'No analyst found anything to report, so the critic is skipped.',
    lost: 'An analysis is gone; the analysts are asked again.',
  },
  synthesis: {
    started: 'Writing the spec',
    again: 'Rewriting the spec with what the critic found',
    failed: 'The spec could not be written in three tries.',
    failedFix: 'The answers are kept. The same command tries again.',
    missing: (sections: string) => `The spec lacks these sections: ${sections}`,
    ready: 'Spec draft ready.',
  },
  unconfirmed: '[unconfirmed]',
  critic: {
    header: 'Critic',
    started: 'The critic reads the spec',
    question: (critical: number, major: number, minor: number) =>
      `The critic found ${critical} Critical, ${major} Major, ${minor} Minor issues in the spec.\n> Auto-revise: the spec is written once more to settle Critical and Major (Minor stays).\n> Modify: say what should change, and it is written once more with your words.\n> Approve as-is: continue to the final approval with the findings at hand.`,
    revise: { shown: 'Auto-revise', description: 'Write the spec once more with the findings (one round at most)' },
    modify: { shown: 'Modify', description: 'Say what should change' },
    approve: { shown: 'Approve as-is', description: 'Continue without a revision' },
    secondQuestion: (critical: number, major: number, minor: number) =>
      `The second draft still has ${critical} Critical, ${major} Major, ${minor} Minor issues. There will be no third draft.`,
    secondApprove: { shown: 'Approve as-is', description: 'Continue to the final approval and look at the rest yourself' },
    stop: { shown: 'Stop', description: 'Halt: a person has to look at it' },
    parseFailed: "The critic's result line cannot be read, so its counts are unknown. It is not taken for an approval.",
    parseQuestion: 'The counts of the critic are unknown. critic_findings.md may hold findings: please read it.',
    parseApprove: { shown: 'Approve as-is', description: 'You have read critic_findings.md; continue to the final approval' },
    dispatchFailed: 'THE CRITIC COULD NOT BE REACHED: nobody has checked this spec. Read it with care before it is built.',
    approvedUnread: "You approved this spec although the critic's result could not be read.",
    clean: (minor: number) => `The critic found nothing Critical or Major (${minor} Minor).`,
    findings: (path: string) => `Findings: ${path}`,
    findingsLost: 'The findings are gone; the critic reads the spec again.',
    legacy: "This session comes from an older version that lost the path of the critic's findings. Please read the spec yourself.",
    whatToChange: 'What should change?',
  },
  halted: {
    message: (reason: string) => `The spec session is halted at the critic (${reason}). A person has to look at it.`,
    read: 'Read .harness/spec/critic_findings.md and the draft.',
    restart: 'To start over: run the same command and choose Restart or Stop.',
    again: 'To continue with the answers that were given: run the same command and choose "Write again".',
  },
  approval: {
    header: 'Spec',
    question: 'Please read the spec above. Approve it, have it changed, or stop.',
    approve: { shown: 'Approve', description: 'Accept this spec' },
    modify: { shown: 'Modify', description: 'Say what should change; the spec is rewritten' },
    stop: { shown: 'Stop', description: 'End here without this spec' },
    stopped: (path: string) => `The spec was not approved. The draft stays at ${path}, the working files were removed.`,
    unconfirmed: (count: number) =>
      `${count} ${count === 1 ? 'statement is' : 'statements are'} marked [unconfirmed]: nobody has confirmed ${count === 1 ? 'it' : 'them'}.`,
    again: 'The spec is being rewritten with your changes.',
  },
  complete: 'Spec complete!',
  next: {
    header: 'Next Step',
    question: 'Your spec is ready. Should it be built now?',
    workflow: { shown: 'Start /workflow', description: 'Plan, build and check it now, with this spec' },
    project: { shown: 'Start /project', description: 'Turn its acceptance criteria into features: harness init --spec' },
    done: { shown: 'Done', description: 'Keep the spec for later' },
  },
  handOff: {
    task: (path: string) => `Implement what ${path} describes`,
    refused: (path: string, reason: string) =>
      `The documents cannot be kept at ${path}: ${reason}. Nothing was removed; they are still in .harness/spec/.`,
    kept: (files: string) => `Kept: ${files}`,
    later: (line: string) => `To build it: ${line}`,
    onBranch: (branch: string) => `You are on the branch ${branch}. Nothing was committed.`,
  },
  ended: {
    limit: (role: string, reason: string) => `${role} ended early: ${reason}. Run the same command to continue from here.`,
    waits: (id: string) => `A question waits: harness answer ${id} <option>, then the same command again.`,
  },
};

export type SpecWords = typeof en;
