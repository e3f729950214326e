import { type AdmissionTerms, ShareExceeded } from '../lib/admission.js';
import { TooManyRequests, Unavailable } from '../lib/errors.js';

/** The terms on which requests take turns. A caller without credentials counts by its address. */
export interface TurnTerms extends AdmissionTerms<'account' | 'workspace'> {
  slots: number;
  each: Readonly<Record<'account' | 'workspace', number>>;
  /** An account pauses after a turn for as long as the turn took, and no longer than this. */
  maxRestMs: number;
}

const turns: TurnTerms = {
  slots: 8,
  // Two of a workspace, so that one member does not block its colleagues.
  each: { account: 1, workspace: 2 },
  maxWaiting: 20,
  timeoutMs: 5_000,
  maxRestMs: 500,
  refuse(full) {
    if (full !== 'slots') return new ShareExceeded();
    return new Unavailable('Too many large requests are in progress.', 1, 'too_many_large_requests');
  },
};

/** What requests take turns for in an api process (decision 85). */
export const turnTerms = {
  /** Requests with a large body or a large answer. */
  large: turns,
  /** Many members of a workspace may read their tasks at the same time. */
  evaluations: { ...turns, each: { account: 1, workspace: 4 }, maxWaiting: 200 },
  /** They occupy the database, not the event loop: no caller pauses after them. */
  searches: { ...turns, slots: 6, maxRestMs: 0 },
  /** Imports and exports. */
  streams: { ...turns, slots: 20, each: { account: 2, workspace: 4 }, maxRestMs: 0 },
  /** Their pieces wait longer than other requests, because the reader already has a part of the answer. */
  pieces: { ...turns, maxWaiting: 200, timeoutMs: 60_000 },
  /**
   * Files, each of which holds a connection and an open object for as long as the slowest reader takes. A page of pictures
   * asks for many at once.
   */
  downloads: {
    ...turns,
    slots: 200,
    each: { account: 10, workspace: 60 },
    maxWaiting: 100,
    timeoutMs: 10_000,
    maxRestMs: 0,
  },
} as const satisfies Record<string, TurnTerms>;

export type TurnName = keyof typeof turnTerms;

/** Those who upload, as they are told that they have too much in progress. */
const uploaders = {
  member: 'A member',
  workspace: 'A workspace',
  inbox: 'An inbox',
  visitor: 'A visitor',
  visitors: 'All visitors',
};

function tooManyUploads(whose: string, bound: number): TooManyRequests {
  return new TooManyRequests(`${whose} has at most ${bound} uploads in progress.`, 5, 'too_many_uploads');
}

const streams = {
  refuse: () => new Unavailable('Too many streams are open.', 10, 'too_many_streams'),
};

const simulations = {
  each: { workspace: 1 },
  maxWaiting: 3,
  timeoutMs: 10_000,
  refuse: (full: string) =>
    full === 'slots'
      ? new Unavailable('Too many simulations are in progress.', 5, 'too_many_simulations')
      : new ShareExceeded(),
};

/** What else an api process does at once. Connections to the database are shared in `db/pool/connection-source.ts`. */
export const admissionTerms = {
  /** They use disk space. Visitors of a site use up no place of its team. */
  uploads: {
    slots: 20,
    each: { member: 2, workspace: 4, inbox: 4, visitor: 1, visitors: 2 },
    refuse: (full: keyof typeof uploaders | 'slots', bound: number) =>
      full === 'slots'
        ? new Unavailable('Too many uploads are in progress.', 5, 'too_many_uploads')
        : tooManyUploads(uploaders[full], bound),
  },
  /**
   * Mails that are received before it is known whether their signature is right, of addresses that lately had none for
   * the inbox. They use up no place of the inbox, nor of other uploads.
   */
  unprovedMails: {
    slots: 8,
    each: { address: 4 },
    refuse: (full: string, bound: number) =>
      tooManyUploads(full === 'slots' ? 'Mail with signatures' : 'An address', bound),
  },
  /** Streams of a chat. Each message is sent to all streams of its chat, so one member has few of them. */
  followers: { ...streams, slots: 5_000, each: { member: 200, memberInChat: 20 } },
  /** Answers that wait for a change of a chat. Each looks at the chat again and again. */
  lookers: { ...streams, slots: 200, each: { member: 20 } },
  /** Streams of notices for AI clients, whose access is checked again and again. */
  listeners: { ...streams, slots: 2_000, each: { workspace: 200, member: 20, credential: 10 } },
  scriptedSimulations: { ...simulations, slots: 2 },
  /** They mostly wait for the model. */
  simulationsWithModel: { ...simulations, slots: 4 },
} as const;
