/**
 * The mirror of the feature list in the issues of a GitHub repository: what is compared, and what may be done about it.
 *
 * 1. The feature list is the truth. An open issue is an incomplete feature, a closed one is a verified feature.
 * 2. An issue belongs to a feature by a mark in its body, so that nothing is created twice after a crash or a lost answer.
 * 3. What a person closed stays closed. What a person deleted is asked about once, and made again only where they say so.
 */

export interface MirroredFeature {
  id: number;
  description: string;
  category: string | null;
  steps: readonly string[];
  dependsOn: readonly number[];
  testFiles: readonly string[];
  passes: boolean;
  /** What proved it, where the harness did. */
  proof: Proof | null;
}

export interface Proof {
  commit: string;
  verdict: string | null;
  tests: readonly string[];
}

/** An issue as the mirror sees it. */
export interface Issue {
  number: number;
  state: 'open' | 'closed';
  /** ISO time; null while it is open. */
  closedAt: string | null;
  body: string;
}

/** What the mirror knows of a feature's issue; without it everything is found again by the marks. */
export interface Remembered {
  number: number;
  state: 'open' | 'closed';
  closedAt: string | null;
  /** When the harness closed it last, '' where only that it did is known; null: it never did, or opened it again. */
  ownClosing: string | null;
  /** Deleted or moved away. `left_out`: a person does not want it made again. */
  gone?: 'asked' | 'left_out';
}

export interface MirrorSettings {
  /** Name of the project: two projects may share a repository. */
  project: string;
  createMissing: boolean;
  closeOnVerify: boolean;
}

export type Action =
  | { kind: 'create'; feature: number; title: string; body: string }
  /** Without a number: the issue that the action before it creates. */
  | { kind: 'close'; feature: number; issue: number | null; comment: Comment }
  | { kind: 'reopen'; feature: number; issue: number; comment: Comment }
  | { kind: 'explain'; feature: number; issue: number; comment: Comment }
  /** Its issue is gone: a person says whether it is made again. */
  | { kind: 'ask'; feature: number; issue: number };

/** `key` is in the comment's own mark: the same comment is written once. */
export interface Comment {
  key: string;
  text: string;
}

/** A look at what changed; the same question again with its `etag` costs nothing while the answer stays the same. */
export interface Question {
  /** ISO time; null: everything. */
  since: string | null;
  etag: string | null;
}

export interface Listing {
  /** Pull requests left out. */
  issues: Issue[];
  /** GitHub's own time when it began to answer, ISO; null where it told none. */
  at: string | null;
  /** Null: the answer does not fit one page, so that it cannot be asked conditionally. */
  etag: string | null;
}

/** The few things that the mirror asks of GitHub; failures are `HubFailure`. */
export interface Hub {
  /** Null: the same as when its `etag` was given. */
  issues(question: Question): Promise<Listing | null>;
  /** Null: there is no such issue any more. */
  issue(issue: number): Promise<Issue | null>;
  create(title: string, body: string): Promise<Issue>;
  /** Null: there is no such issue any more. */
  change(issue: number, change: { state: 'open' | 'closed'; body: string }): Promise<Issue | null>;
  comments(issue: number): Promise<string[] | null>;
  comment(issue: number, body: string): Promise<void>;
}

/** A pull request as the mirror sees it. */
export interface Pull {
  number: number;
  state: 'open' | 'closed';
  merged: boolean;
  title: string;
  body: string;
}

/** One that is open, with where its branch stands over there. */
export interface OpenPull extends Pull {
  branch: string;
  commit: string;
}

export interface Check {
  name: string;
  state: 'pending' | 'passed' | 'failed';
  /** What it says of itself. */
  text: string;
}

/** A comment on a pull request, of whichever kind. */
export interface Remark {
  /** The same one has the same id whenever it is delivered. */
  id: string;
  author: string;
  body: string;
  /** Where it is about a line. */
  at: string | null;
}

export interface PullText {
  title: string;
  body: string;
}

/** The few things that are asked about pull requests. */
export interface PullHub {
  /** The newest one from this branch of the repository; null: there is none. */
  pullFrom(branch: string): Promise<Pull | null>;
  createPull(branch: string, base: string, text: PullText): Promise<Pull>;
  updatePull(number: number, text: PullText): Promise<void>;
}

/** What following pull requests asks besides. */
export interface FollowHub extends PullHub {
  /** From branches of this repository; forks left out. */
  openPulls(): Promise<OpenPull[]>;
  /** The latest of each name. */
  checks(commit: string): Promise<Check[]>;
  remarks(pull: number): Promise<Remark[]>;
  mayWrite(author: string): Promise<boolean>;
  reply(pull: number, body: string): Promise<void>;
}

/** `auth`: the token is not accepted. `network`: no answer, or none that counts. `refused`: GitHub said no. `interrupted`: a person did. */
export class HubFailure extends Error {
  readonly kind: 'auth' | 'network' | 'refused' | 'interrupted';
  constructor(kind: HubFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
