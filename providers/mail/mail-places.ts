/**
 * Emails that one process sends at once. A worker has 30 places for deliveries, so that mail servers that hang leave room
 * for SMS, for one another, and for the emails of other workspaces.
 */
export const emailsAtOnce = {
  relay: { all: 12, ofWorkspace: 6 },
  otherServers: { all: 9, ofWorkspace: 3, atServer: 5 },
};

/** Bounds of the pause between two emails that wait for places. */
const pausesMs = { least: 25, most: 10 * 60_000 };
/** What an email takes as long as none of its line was sent. */
const defaultMs = 1_000;
/** Lines that a process remembers. */
const maxLines = 1_000;

/** Whose email it is, and by which server it goes; null: the service's relay. */
export interface EmailOfWorkspace {
  workspaceId: number;
  server: { host: string; port: number } | null;
}

export type Entered = { kind: 'place'; leave: () => void } | { kind: 'full'; waitMs: number };

/** The emails of a workspace that go by one server. */
interface Line {
  /** When those under way began. */
  begun: Set<{ at: number }>;
  /** How long the latest ones took. */
  tookMs: number;
  /** The time that the last one that waits was given. */
  lastAt: number;
}

/**
 * The places at mail servers, of one process. What finds none is told when to come again: one after the other, as fast as
 * the emails of its line are sent, so that many that wait ask seldom.
 */
export class MailPlaces {
  readonly #now: () => Date;
  readonly #busy = new Map<string, number>();
  readonly #lines = new Map<string, Line>();

  constructor({ now }: { now: () => Date }) {
    this.#now = now;
  }

  /** Takes a place, which has to be left, or says how long to wait before asking again. */
  enter(email: EmailOfWorkspace): Entered {
    const at = this.#now().getTime();
    const line = this.#lineOf(email);
    const limits = limitsOf(email);
    if (limits.some(({ name, most }) => (this.#busy.get(name) ?? 0) >= most)) {
      const ofWorkspace = email.server === null ? emailsAtOnce.relay : emailsAtOnce.otherServers;
      return { kind: 'full', waitMs: waitIn(line, at, ofWorkspace.ofWorkspace) };
    }
    const begun = { at };
    line.begun.add(begun);
    for (const { name } of limits) this.#busy.set(name, (this.#busy.get(name) ?? 0) + 1);
    return {
      kind: 'place',
      leave: () => {
        if (!line.begun.delete(begun)) return;
        line.tookMs = (line.tookMs + this.#now().getTime() - at) / 2;
        for (const { name } of limits) this.#free(name);
      },
    };
  }

  #free(name: string): void {
    const left = (this.#busy.get(name) ?? 0) - 1;
    if (left > 0) this.#busy.set(name, left);
    else this.#busy.delete(name);
  }

  #lineOf({ workspaceId, server }: EmailOfWorkspace): Line {
    const key = JSON.stringify([workspaceId, server?.host, server?.port]);
    const line = this.#lines.get(key) ?? { begun: new Set(), tookMs: defaultMs, lastAt: 0 };
    // The map keeps the order of the latest uses.
    this.#lines.delete(key);
    this.#lines.set(key, line);
    for (const [other, { begun }] of this.#lines) {
      if (this.#lines.size <= maxLines) break;
      if (begun.size === 0) this.#lines.delete(other);
    }
    return line;
  }
}

function limitsOf({ workspaceId, server }: EmailOfWorkspace): { name: string; most: number }[] {
  if (server === null) {
    const { all, ofWorkspace } = emailsAtOnce.relay;
    return [
      { name: 'relay', most: all },
      { name: `relay for ${workspaceId}`, most: ofWorkspace },
    ];
  }
  const { all, ofWorkspace, atServer } = emailsAtOnce.otherServers;
  return [
    { name: 'others', most: all },
    { name: `others for ${workspaceId}`, most: ofWorkspace },
    // Not by its login: a workspace may have many at one server.
    { name: `server ${server.port} ${server.host}`, most: atServer },
  ];
}

function waitIn(line: Line, now: number, places: number): number {
  const longest = Math.max(line.tookMs, ...[...line.begun].map(({ at }) => now - at));
  const pause = Math.max(longest / places, pausesMs.least);
  line.lastAt = Math.min(Math.max(line.lastAt, now) + pause, now + pausesMs.most);
  return line.lastAt - now;
}
