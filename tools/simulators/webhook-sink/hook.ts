import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureCheck } from './check-signatures.js';

/** A received webhook. */
export interface ReceivedWebhook {
  /** Its number among the webhooks to all receivers. */
  sequence: number;
  name: string;
  receivedAt: string;
  /** The `webhook-id` header; null if it is missing. */
  id: string | null;
  headers: IncomingHttpHeaders;
  body: string;
  signature: SignatureCheck;
  /** The status of the answer, or the fault instead (`hang`, `reset`, `garbage`, `gone`); null while unanswered. */
  answered: string | null;
}

/** A summary of all webhooks with the same id. */
export interface WebhookSummary {
  id: string;
  came: number;
  /** The number of answers with a status from 200 to 299. */
  taken: number;
  /** The number of answers by kind; see `ReceivedWebhook.answered`. */
  answers: Record<string, number>;
  /** Whether all bodies were equal, byte by byte. */
  sameBody: boolean;
  /** SHA-256 of the first body, in hexadecimal digits. */
  sha256: string;
}

/** The number of most recent webhooks, and of summaries, that a receiver keeps. */
const webhooksKept = 1_000;
const idsKept = 100_000;

/** One receiver. */
export class Hook {
  /** The secret for checking signatures; null skips the check. */
  secret: string | null = null;
  came = 0;
  taken = 0;
  readonly #name: string;
  readonly #webhooks: ReceivedWebhook[] = [];
  readonly #ids = new Map<string, WebhookSummary>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Stores a received webhook; `body` is the raw body. */
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

  /** Records how a webhook was answered. */
  answer(webhook: ReceivedWebhook, answered: string): void {
    const taken = /^2\d\d$/.test(answered) ? 1 : 0;
    webhook.answered = answered;
    this.taken += taken;
    const summary = webhook.id === null ? undefined : this.#ids.get(webhook.id);
    if (summary === undefined) return;
    summary.taken += taken;
    summary.answers[answered] = (summary.answers[answered] ?? 0) + 1;
  }

  /** The stored webhooks after a sequence number. */
  after(sequence: number): ReceivedWebhook[] {
    return this.#webhooks.filter((webhook) => webhook.sequence > sequence);
  }

  /** The counts of this receiver. */
  overview(): { name: string; came: number; taken: number; ids: number } {
    return { name: this.#name, came: this.came, taken: this.taken, ids: this.#ids.size };
  }

  /** Deletes the stored webhooks but keeps the secret. */
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
