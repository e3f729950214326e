import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureCheck } from './check-signatures.js';

export interface ReceivedWebhook {
  /** Its number among the webhooks to all receivers. */
  sequence: number;
  name: string;
  receivedAt: string;
  id: string | null;
  headers: IncomingHttpHeaders;
  body: string;
  signature: SignatureCheck;
  /** The status of the answer, or the fault instead (`hang`, `reset`, `garbage`, `gone`); null while unanswered. */
  answered: string | null;
}

export interface WebhookSummary {
  id: string;
  came: number;
  taken: number;
  /** The number of answers by kind; see `ReceivedWebhook.answered`. */
  answers: Record<string, number>;
  sameBody: boolean;
  sha256: string;
}

/** The number of most recent webhooks, and of summaries, that a receiver keeps. */
const webhooksKept = 1_000;
const idsKept = 100_000;
/** The maximum number of receivers; beyond it, the oldest is removed. */
const hooksKept = 1_000;

class Hook {
  secret: string | null = null;
  came = 0;
  taken = 0;
  readonly #name: string;
  readonly #webhooks: ReceivedWebhook[] = [];
  readonly #ids = new Map<string, WebhookSummary>();

  constructor(name: string) {
    this.#name = name;
  }

  add(webhook: ReceivedWebhook, body: Buffer): void {
    this.came += 1;
    this.#webhooks.push(webhook);
    if (this.#webhooks.length > webhooksKept) this.#webhooks.shift();
    if (webhook.id === null) return;
    const sha256 = createHash('sha256').update(body).digest('hex');
    const summary = this.#ids.get(webhook.id);
    if (summary === undefined) {
      this.#ids.set(webhook.id, { id: webhook.id, came: 1, taken: 0, answers: {}, sameBody: true, sha256 });
      forgetOldest(this.#ids, idsKept);
    } else {
      summary.came += 1;
      summary.sameBody &&= summary.sha256 === sha256;
    }
  }

  answer(webhook: ReceivedWebhook, answered: string): void {
    const taken = /^2\d\d$/.test(answered) ? 1 : 0;
    webhook.answered = answered;
    this.taken += taken;
    const summary = webhook.id === null ? undefined : this.#ids.get(webhook.id);
    if (summary === undefined) return;
    summary.taken += taken;
    summary.answers[answered] = (summary.answers[answered] ?? 0) + 1;
  }

  after(sequence: number): ReceivedWebhook[] {
    return this.#webhooks.filter((webhook) => webhook.sequence > sequence);
  }

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
}

/** All receivers by name. A receiver is created by the first request that names it. */
export class Sink {
  readonly #hooks = new Map<string, Hook>();
  #sequence = 0;

  hook(name: string): Hook {
    const known = this.#hooks.get(name);
    if (known !== undefined) return known;
    const hook = new Hook(name);
    this.#hooks.set(name, hook);
    forgetOldest(this.#hooks, hooksKept);
    return hook;
  }

  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** The webhooks after a sequence number, to one receiver or all, in order. */
  after(sequence: number, name: string | null): ReceivedWebhook[] {
    const hooks = name === null ? [...this.#hooks.values()] : [this.hook(name)];
    return hooks.flatMap((hook) => hook.after(sequence)).sort((a, b) => a.sequence - b.sequence);
  }

  overview(): ReturnType<Hook['overview']>[] {
    return [...this.#hooks.values()].map((hook) => hook.overview());
  }

  forget(name: string | null): void {
    for (const hook of name === null ? this.#hooks.values() : [this.hook(name)]) hook.forget();
  }
}

function forgetOldest<Key>(map: Map<Key, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
