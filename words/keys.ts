// Made from the English words by `npm run docs`.

export type Given<Names extends string> = Readonly<Record<Names, string | number>>;

export interface Words {
  common: {
    warnings: {
      costUnknown: string;
    };
    session: {
      found: string;
      foundV1: string;
      foundSpec: string;
      header: string;
      question: (given: Given<'status'>) => string;
      questionOther: (given: Given<'open' | 'wanted'>) => string;
      startNew: {
        shown: string;
        description: string;
      };
      setAside: (given: Given<'task' | 'command'>) => string;
      takenBack: (given: Given<'task'>) => string;
      resume: {
        shown: string;
        description: (given: Given<'phase'>) => string;
      };
      restart: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      conflict: {
        header: string;
        question: (given: Given<'other' | 'wanted'>) => string;
        start: {
          shown: string;
          description: (given: Given<'wanted'>) => string;
        };
        cancel: {
          shown: string;
          description: string;
        };
      };
      pathRefused: (given: Given<'path'>) => string;
    };
    conventions: {
      header: string;
      question: string;
      scan: {
        shown: string;
        description: string;
      };
      skip: {
        shown: string;
        description: string;
      };
      failedHeader: string;
      failedQuestion: string;
      retry: {
        shown: string;
        description: string;
      };
      fileMissing: string;
      rich: string;
      persisted: string;
      reference: (given: Given<'path'>) => string;
      scanned: string;
      skipped: string;
      chooseQuestion: string;
      candidate: (given: Given<'lines'>) => string;
      leafLink: (given: Given<'path'>) => string;
      wayLink: (given: Given<'path'>) => string;
      mount: (given: Given<'path'>) => string;
      outside: (given: Given<'path'>) => string;
      excluded: (given: Given<'path'>) => string;
    };
    reference: {
      missing: string;
      notFile: string;
      extension: string;
      leafLink: string;
      wayLink: string;
      mount: string;
      outside: string;
      size: string;
      lines: string;
      binary: string;
    };
    model: {
      header: string;
      question: string;
      default: {
        shown: string;
        description: string;
      };
      allOpus: {
        shown: string;
        description: string;
      };
      balanced: {
        shown: string;
        description: string;
      };
      economy: {
        shown: string;
        description: string;
      };
      ownForm: (given: Given<'form'>) => string;
      invalid: (given: Given<'parts' | 'left'>) => string;
      presetUnknown: (given: Given<'given'>) => string;
      gaveUp: string;
      verifierInvalid: (given: Given<'given'>) => string;
      costly: (given: Given<'model'>) => string;
    };
    path: {
      refused: (given: Given<'setting' | 'path' | 'reason'>) => string;
      reasons: {
        empty: string;
        unc: string;
        control: string;
        trailing: string;
        option: string;
        tilde: string;
        long: string;
        absolute: string;
        parent: string;
        git: string;
        reserved: string;
        docs: string;
        private: string;
        scope: string;
      };
    };
    workflowPhases: {
      plan_ready: string;
      planning: string;
      plan_done: string;
      generate_ready: string;
      generating: string;
      generate_done: string;
      verify_ready: string;
      verifying: string;
      verify_done: string;
      evaluate_ready: string;
      evaluating: string;
      evaluate_done: string;
      completed: string;
      verify_failed: string;
      evaluate_failed: string;
    };
    specPhases: {
      setup: string;
      convention_scan_active: string;
      qa_active: string;
      qa_complete: string;
      gen_ready: string;
      critic_active: string;
      re_synthesis_active: string;
      re_critic_active: string;
      critic_complete: string;
      critic_halted: string;
      spec_ready: string;
      completed: string;
    };
    notUnderstood: (given: Given<'text'>) => string;
    status: {
      skill: string;
      task: string;
      mode: string;
      model: string;
      style: string;
      phase: string;
      round: string;
      qaRound: string;
      branch: string;
      scope: string;
      output: string;
      directory: string;
      verifier: string;
      language: string;
      test: string;
      build: string;
      lint: string;
      typeCheck: string;
      none: string;
      noLimit: string;
    };
  };
  spec: {
    session: {
      question: (given: Given<'status'>) => string;
      resumeHalted: string;
      again: {
        shown: string;
        description: string;
      };
      resumeOlder: string;
      stopped: string;
      goesOn: (given: Given<'phase'>) => string;
      noTask: string;
      noTaskFix: string;
    };
    routing: {
      header: string;
      improve: string;
      implement: string;
      understand: string;
      change: {
        shown: (given: Given<'command'>) => string;
        description: (given: Given<'line'>) => string;
      };
      stay: {
        shown: string;
        description: string;
      };
      switched: (given: Given<'line'>) => string;
    };
    collision: {
      header: string;
      question: (given: Given<'path'>) => string;
      append: {
        shown: string;
        description: (given: Given<'path'>) => string;
      };
      overwrite: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      stopped: string;
    };
    mode: {
      header: string;
      question: string;
      quick: {
        shown: string;
        description: string;
      };
      deep: {
        shown: string;
        description: string;
      };
    };
    model: {
      confirm: (given: Given<'models'>) => string;
      use: {
        shown: string;
        description: string;
      };
      again: {
        shown: string;
        description: string;
      };
    };
    started: string;
    branchSkipped: string;
    qa: {
      header: (given: Given<'round'>) => string;
      first: (given: Given<'task' | 'list'>) => string;
      later: (given: Given<'list'>) => string;
      inline: {
        shown: string;
        description: string;
      };
      skip: {
        shown: string;
        description: string;
      };
      enough: {
        shown: string;
        description: string;
      };
      looking: (given: Given<'round'>) => string;
      unreadable: (given: Given<'round'>) => string;
      complete: string;
      general: {
        users: {
          question: string;
          why: string;
        };
        scope: {
          question: string;
          why: string;
        };
        success: {
          question: string;
          why: string;
        };
        limits: {
          question: string;
          why: string;
        };
        assumptions: {
          question: string;
          why: string;
        };
      };
    };
    conventions: {
      damaged: (given: Given<'value'>) => string;
      damagedFix: string;
      skipped: string;
      lost: string;
    };
    analysis: {
      started: (given: Given<'count'>) => string;
      dispatchFailed: (given: Given<'persona'>) => string;
      parseFailed: (given: Given<'persona'>) => string;
      nothing: string;
      lost: string;
    };
    synthesis: {
      started: string;
      again: string;
      failed: string;
      failedFix: string;
      missing: (given: Given<'sections'>) => string;
      ready: string;
    };
    unconfirmed: string;
    critic: {
      header: string;
      started: string;
      question: (given: Given<'critical' | 'major' | 'minor'>) => string;
      revise: {
        shown: string;
        description: string;
      };
      modify: {
        shown: string;
        description: string;
      };
      approve: {
        shown: string;
        description: string;
      };
      secondQuestion: (given: Given<'critical' | 'major' | 'minor'>) => string;
      secondApprove: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      parseFailed: string;
      parseQuestion: string;
      parseApprove: {
        shown: string;
        description: string;
      };
      dispatchFailed: string;
      approvedUnread: string;
      clean: (given: Given<'minor'>) => string;
      findings: (given: Given<'path'>) => string;
      findingsLost: string;
      legacy: string;
      whatToChange: string;
    };
    halted: {
      message: (given: Given<'reason'>) => string;
      read: string;
      restart: string;
      again: string;
    };
    approval: {
      header: string;
      question: string;
      approve: {
        shown: string;
        description: string;
      };
      modify: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      stopped: (given: Given<'path'>) => string;
      unconfirmed: (given: Given<'count'>) => string;
      again: string;
    };
    complete: string;
    next: {
      header: string;
      question: string;
      workflow: {
        shown: string;
        description: string;
      };
      project: {
        shown: string;
        description: string;
      };
      done: {
        shown: string;
        description: string;
      };
    };
    handOff: {
      task: (given: Given<'path'>) => string;
      refused: (given: Given<'path' | 'reason'>) => string;
      kept: (given: Given<'files'>) => string;
      later: (given: Given<'line'>) => string;
      onBranch: (given: Given<'branch'>) => string;
    };
    ended: {
      limit: (given: Given<'role' | 'reason'>) => string;
      waits: (given: Given<'id'>) => string;
    };
  };
  workflow: {
    setup: {
      started: string;
      taskMissing: string;
      branchTaken: (given: Given<'name' | 'other'>) => string;
      outputTaken: (given: Given<'path' | 'other'>) => string;
      stashed: (given: Given<'restore'>) => string;
      restored: string;
      notRestored: (given: Given<'detail'>) => string;
    };
    mode: {
      header: string;
      question: string;
      standard: {
        shown: string;
        description: string;
      };
      single: {
        shown: string;
        description: string;
      };
      multi: {
        shown: string;
        description: string;
      };
      also: string;
      alsoConventions: string;
    };
    phases: {
      plan: string;
      generate: string;
      verify: string;
      evaluate: string;
    };
    complete: {
      plan: string;
      generate: string;
      verify: string;
      evaluate: string;
      verifyFailed: string;
      evaluateFailed: string;
    };
    halted: {
      plan: (given: Given<'path'>) => string;
      generate: string;
      verifyFailed: (given: Given<'result'>) => string;
      verify: (given: Given<'result'>) => string;
      evaluate: (given: Given<'result'>) => string;
      waits: (given: Given<'gate'>) => string;
      stopped: string;
      cancelled: string;
      removed: string;
    };
    summary: {
      title: (given: Given<'task'>) => string;
      sessions: string;
      ended: string;
      refused: string;
      round: (given: Given<'round'>) => string;
      commits: string;
      roles: string;
      questions: string;
      next: string;
      nothing: string;
      costUnknown: string;
      costPartly: (given: Given<'money' | 'sessions'>) => string;
    };
    next: {
      plan: string;
      generate: string;
      verify: string;
      evaluate: string;
      finish: string;
      despite: string;
    };
    missing: {
      plan: string;
      generate: string;
      verify: string;
      session: (given: Given<'step'>) => string;
    };
    plan: {
      proposals: (given: Given<'count'>) => string;
      critiques: (given: Given<'count'>) => string;
      notesUnreadable: (given: Given<'path' | 'why'>) => string;
      kept: (given: Given<'path'>) => string;
    };
    generate: {
      dispatching: string;
      plan: (given: Given<'line'>) => string;
      review: (given: Given<'line'>) => string;
      reviews: (given: Given<'count'>) => string;
      code: (given: Given<'line'>) => string;
    };
    spec: {
      header: string;
      question: string;
      mayChange: (given: Given<'tests'>) => string;
      where: (given: Given<'path'>) => string;
      proceed: {
        shown: string;
        description: string;
      };
      modify: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      cut: (given: Given<'lines'>) => string;
      whatToChange: string;
      edited: string;
    };
    protected: {
      tampering: {
        header: string;
        question: (given: Given<'subjects'>) => string;
        accept: {
          shown: string;
          description: string;
        };
      };
      dependencies: {
        header: string;
        question: (given: Given<'subjects'>) => string;
        accept: {
          shown: string;
          description: string;
        };
      };
      reject: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      refused: (given: Given<'paths'>) => string;
      refusedSaying: (given: Given<'paths' | 'said'>) => string;
    };
    verify: {
      header: string;
      question: (given: Given<'summary'>) => string;
      autofix: {
        shown: string;
        description: string;
      };
      continue: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      pass: string;
      retrying: (given: Given<'attempt'>) => string;
      exhausted: string;
      latest: (given: Given<'summary'>) => string;
      see: (given: Given<'path'>) => string;
    };
    autofix: {
      header: string;
      question: (given: Given<'confidence'>) => string;
      low: string;
      apply: {
        shown: string;
        description: string;
      };
      reject: {
        shown: string;
        description: string;
      };
      stop: {
        shown: string;
        description: string;
      };
      model: (given: Given<'model'>) => string;
      pathDropped: (given: Given<'path'>) => string;
      noPaths: string;
      empty: string;
      applying: (given: Given<'paths'>) => string;
      pathRefused: (given: Given<'path' | 'why'>) => string;
      failed: (given: Given<'why'>) => string;
    };
    evaluate: {
      dispatching: string;
      noVerdict: string;
      contradiction: string;
      passed: string;
      retrying: (given: Given<'attempt'>) => string;
      exhausted: string;
      roundsOver: string;
    };
    qa: {
      header: string;
      layer2: string;
      layer3: string;
      items: (given: Given<'items'>) => string;
      fix: {
        shown: string;
        description: string;
      };
      accept: {
        shown: string;
        description: string;
      };
    };
    commit: {
      header: string;
      question: string;
      questionFailed: (given: Given<'what'>) => string;
      code: {
        shown: string;
        description: string;
      };
      all: {
        shown: string;
        description: string;
      };
      none: {
        shown: string;
        description: string;
      };
      changed: (given: Given<'count'>) => string;
      layer: {
        layer1: string;
        layer2: string;
        layer3: string;
      };
    };
    finish: {
      committed: (given: Given<'commit' | 'branch'>) => string;
      nothing: string;
      written: (given: Given<'count'>) => string;
      folder: (given: Given<'path'>) => string;
      notStaged: (given: Given<'path' | 'why'>) => string;
      deleting: (given: Given<'path'>) => string;
      guard: (given: Given<'path' | 'why'>) => string;
      kept: string;
      moved: (given: Given<'branch' | 'ref'>) => string;
      conflict: (given: Given<'paths'>) => string;
    };
    roles: {
      unparsed: (given: Given<'role' | 'wanted'>) => string;
      again: (given: Given<'role' | 'file'>) => string;
      noFile: (given: Given<'role' | 'file'>) => string;
      interrupted: string;
      stopped: (given: Given<'role' | 'why'>) => string;
    };
    report: {
      title: string;
      passed: string;
      skippedAll: string;
      result: {
        passed: string;
        failed: string;
        skipped: string;
        warned: string;
      };
      names: {
        limits: string;
        integrity: string;
        build: string;
        test: string;
        lint: string;
        'type-check': string;
        markers: string;
      };
      command: string;
      output: string;
      changed: string;
      none: string;
      caveats: string;
    };
  };
  prompt: {
    recommended: string;
    other: string;
    otherHint: string;
    answer: string;
    empty: string;
    read: string;
    readHint: string;
    more: (given: Given<'lines'>) => string;
  };
}

export interface LiveWords {
  session: (given: Given<'number'>) => string;
  atWork: string;
  verifying: string;
  round: (given: Given<'number' | 'of'>) => string;
  retry: (given: Given<'number'>) => string;
  waiting: string;
  provider: string;
  answer: (given: Given<'gate'>) => string;
  left: (given: Given<'time' | 'until'>) => string;
  unseen: (given: Given<'lines'>) => string;
  question: {
    recommended: string;
    answerWith: (given: Given<'command'>) => string;
    ownWords: string;
    asked: (given: Given<'time'>) => string;
  };
}
