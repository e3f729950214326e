import Type, { type Static } from 'typebox';

/** How a message that was taken is reported as not delivered, as raw MIME that is posted to an address. */
export const Bounce = Type.Object({
  /** Where the report is posted to, such as the address of an inbox. */
  url: Type.String(),
  /** Sent as `Authorization: Bearer …`. */
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

/** A fault for the next message to an address, or with `*` to any: one of these happens at a command of SMTP. */
export const Mishap = Type.Object({
  to: Type.String(),
  /** By default DATA: at the end of the message. MAIL comes before the recipient is known, so that `to` is `*`. */
  at: Type.Optional(Type.Union([Type.Literal('MAIL'), Type.Literal('RCPT'), Type.Literal('DATA')])),
  /** The reply code, and the text after it, which may begin with an enhanced status code. */
  reply: Type.Optional(Type.Number({ minimum: 400, exclusiveMaximum: 600 })),
  text: Type.Optional(Type.String()),
  /** The message is taken, and the connection closed instead of a reply; before DATA nothing is taken. */
  hangUp: Type.Optional(Type.Boolean()),
  /** No reply at all, while the connection stays; at DATA the message is taken. */
  hang: Type.Optional(Type.Boolean()),
  /** The message gets another Message-ID, which the reply names. */
  replaceId: Type.Optional(Type.Boolean()),
  bounce: Type.Optional(Bounce),
});
export type Mishap = Static<typeof Mishap>;

export type Command = NonNullable<Mishap['at']>;

/** The mishaps that are planned, each of which happens once. */
export class Mishaps {
  readonly #planned: Mishap[] = [];

  plan(mishap: Mishap): void {
    this.#planned.push({ ...mishap, to: mishap.to.toLowerCase() });
  }

  next(command: Command, to: readonly string[]): Mishap | undefined {
    const index = this.#planned.findIndex(
      ({ at = 'DATA', to: wanted }) => at === command && (wanted === '*' || to.includes(wanted)),
    );
    return index < 0 ? undefined : this.#planned.splice(index, 1)[0];
  }

  clear(): void {
    this.#planned.splice(0);
  }
}
