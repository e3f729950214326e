import Type, { type Static } from 'typebox';
import { Chance } from '../support/knobs.js';
import { SeededDraws } from '../support/random.js';

/** How a message that was taken is reported as not delivered, as raw MIME. */
export const Bounce = Type.Object({
  /** Where the report is posted to; absent: it is handed in at the mailbox of the envelope's sender, as other mail. */
  url: Type.Optional(Type.String()),
  /** Sent to `url` as `X-Inbox-Secret`. */
  secret: Type.Optional(Type.String()),
  afterMs: Type.Optional(Type.Number({ minimum: 0 })),
  /** The enhanced status code; by default 5.1.1. */
  status: Type.Optional(Type.String({ pattern: '^[245]\\.\\d{1,3}\\.\\d{1,3}$' })),
  /** How often the same report is posted; by default once. */
  times: Type.Optional(Type.Number({ minimum: 1, maximum: 20 })),
  /** Without the headers of the message, as some servers report. */
  withoutOriginal: Type.Optional(Type.Boolean()),
});
export type Bounce = Static<typeof Bounce>;

/** A fault of the next message to an address, or with `*` to any: one of these happens at a command of SMTP. */
export const Mishap = Type.Object({
  to: Type.String(),
  /**
   * By default DATA: at the end of the message. CONNECT is before the greeting and MAIL before the recipient, so that `to`
   * is `*` there.
   */
  at: Type.Optional(
    Type.Union([Type.Literal('CONNECT'), Type.Literal('MAIL'), Type.Literal('RCPT'), Type.Literal('DATA')]),
  ),
  /** How often it happens; absent: once. */
  chance: Type.Optional(Chance),
  /** By which it is forgotten. */
  name: Type.Optional(Type.String()),
  /** The reply code, and the text after it, which may begin with an enhanced status code. */
  reply: Type.Optional(Type.Number({ minimum: 400, exclusiveMaximum: 600 })),
  text: Type.Optional(Type.String()),
  /** The message is taken, and the connection closed instead of a reply; before DATA nothing is taken. */
  hangUp: Type.Optional(Type.Boolean()),
  /** No reply at all, while the connection stays, until the mishap is forgotten; at DATA the message is taken. */
  hang: Type.Optional(Type.Boolean()),
  /** The message gets another Message-ID, which the reply names. */
  replaceId: Type.Optional(Type.Boolean()),
  bounce: Type.Optional(Bounce),
});
export type Mishap = Static<typeof Mishap>;

export type Command = NonNullable<Mishap['at']>;

/** The mishaps that are planned, the earliest first. */
export class Faults {
  readonly #draws = new SeededDraws();
  #planned: Mishap[] = [];

  plan(fault: Mishap): void {
    this.#planned.push({ ...fault, to: fault.to.toLowerCase() });
  }

  /** The mishap of a command now, if there is one. */
  next(command: Command, to: readonly string[]): Mishap | undefined {
    return this.#planned.find(
      (fault) =>
        (fault.at ?? 'DATA') === command &&
        (fault.to === '*' || to.includes(fault.to)) &&
        this.#happens(fault),
    );
  }

  #happens(fault: Mishap): boolean {
    const { chance = 1, name = '', at = 'DATA' } = fault;
    if (typeof chance === 'boolean') return chance;
    if (chance < 1) return this.#draws.next(`${name} ${at}`) < chance;
    fault.chance = chance - 1;
    if (chance === 1) this.#planned = this.#planned.filter((other) => other !== fault);
    return true;
  }

  /** @param name of those to forget; absent: all */
  forget(name?: string): void {
    this.#planned = this.#planned.filter((fault) => name !== undefined && fault.name !== name);
  }

  reseed(seed: number): void {
    this.#draws.reseed(seed);
  }
}
