import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureCheck } from './check-signatures.js';

/** A webhook as it came. */
export interface ReceivedWebhook {
  /** Counts what came to all receivers. */
  sequence: number;
  name: string;
  receivedAt: string;
  /** `webhook-id`; null when there was none. */
  id: string | null;
  headers: IncomingHttpHeaders;
  body: string;
  signature: SignatureCheck;
  /** The status it was answered with, or what was done instead (`hang`, `reset`, `garbage`, `gone`); null as yet. */
  answered: string | null;
}

/** What became of all webhooks with one id. */
export interface WebhookSummary {
  id: string;
  came: number;
  /** How often it was answered with a status from 200 to 299. */
  taken: number;
  /** How often it was answered in which way. */
  answers: Record<string, number>;
  /** Whether the bodies were equal, byte by byte. */
  sameBody: boolean;
  /** Of the first one's bytes, in hexadecimal digits. */
  sha256: string;
}

/** How many webhooks, and summaries of ids, a receiver keeps: the last ones. */
const webhooksKept = 1_000;
const idsKept = 100_000;

/** One receiver. */
export class Hook {
  /** What its signatures are checked with. */
  secret: string | null = null;
  came = 0;
  taken = 0;
  readonly #name: string;
  readonly #webhooks: ReceivedWebhook[] = [];
  readonly #ids = new Map<string, WebhookSummary>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Keeps what came; `body` are its bytes. */
  add(webhook: ReceivedWebhook, body: Buffer): void {
    this.came += 1;
    this.#webhooks.push(webhook);
    if (this.#webhooks.length > webhooksKept) this.#webhooks.shift();
    if (webhook.id === null) return;
    const sha256 = createHash('sha256').update(body).digest('hex');
    const summary = this.#ids.get(webhook.id);
    if (summary === undefined) {
      this.#ids.set(webhook.id, { id: webhook.id, came: 1, taken: 0, answers: {}, sameBody: true, sha256 });
      this.#forgetOldId();
    } else {
      summary.came += 1;
      summary.sameBody &&= summary.sha256 === sha256;
    }
  }

  /** Notes how a webhook was answered. */
  answer(webhook: ReceivedWebhook, answered: string): void {
    const taken = /^2\d\d$/.test(answered) ? 1 : 0;
    webhook.answered = answered;
    this.taken += taken;
    const summary = webhook.id === null ? undefined : this.#ids.get(webhook.id);
    if (summary === undefined) return;
    summary.taken += taken;
    summary.answers[answered] = (summary.answers[answered] ?? 0) + 1;
  }

  /** What came after a sequence number, as far as it is kept. */
  after(sequence: number): ReceivedWebhook[] {
    return this.#webhooks.filter((webhook) => webhook.sequence > sequence);
  }

  /** All that came to it, in numbers. */
  overview(): { name: string; came: number; taken: number; ids: number } {
    return { name: this.#name, came: this.came, taken: this.taken, ids: this.#ids.size };
  }

  /** Forgets what came; the secret stays. */
  forget(): void {
    this.came = 0;
    this.taken = 0;
    this.#webhooks.splice(0);
    this.#ids.clear();
  }

  summaries(): WebhookSummary[] {
    return [...this.#ids.values()];
  }

  #forgetOldId(): void {
    if (this.#ids.size <= idsKept) return;
    for (const oldest of this.#ids.keys()) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
