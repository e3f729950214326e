import { AddressPolicy } from '../webhook/address-policy.js';
import { eachAddressMs, type WebhookSenderOptions } from '../webhook/create-webhook-sender.js';
import { type Agents, freshAgents } from '../webhook/keep-alive-agents.js';
import type { Conversation } from './conversation.js';
import type {
  Listing,
  ListOutcome,
  RemoteCall,
  RemoteOutcome,
  RemoteServer,
  RemoteTools,
} from './remote-tools.js';

type Options = Pick<WebhookSenderOptions, 'allowedNetworks' | 'requireHttps' | 'resolve' | 'ca'> & {
  /** Time limits for everything, from the look-up of the name on. */
  listWithinMs?: number;
  callWithinMs?: number;
  /** Of all answers of a conversation. */
  maxBytes?: number;
};

/**
 * Talks to remote MCP servers by Streamable HTTP, each call in a conversation of its own, to no address that the policy refuses,
 * without proxy and redirects. The server gets no capabilities: it can ask neither for a model nor for a person.
 */
export function createRemoteTools(options: Options): RemoteTools {
  return new SdkRemoteTools(options);
}

class SdkRemoteTools implements RemoteTools {
  readonly #policy: AddressPolicy;
  readonly #agents: Agents;
  readonly #limits: { listWithinMs: number; callWithinMs: number; maxBytes: number };

  constructor({ ca, listWithinMs = 10_000, callWithinMs = 40_000, maxBytes, ...addresses }: Options) {
    this.#policy = new AddressPolicy(addresses);
    this.#limits = { listWithinMs, callWithinMs, maxBytes: maxBytes ?? 1024 * 1024 };
    this.#agents = freshAgents({
      lookup: this.#policy.lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: eachAddressMs,
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
    });
  }

  list(server: RemoteServer): Promise<ListOutcome> {
    const { listWithinMs } = this.#limits;
    return this.#converse<ListOutcome>(server, listWithinMs, undefined, notLoaded('failed'), async (talk) => {
      try {
        await talk.open();
        return { kind: 'listed', ...(await talk.listTools()) };
      } catch (error) {
        return { kind: 'failed', ...talk.failureOf(error, true) };
      }
    });
  }

  call({ server, tool, arguments: input, check, signal }: RemoteCall): Promise<RemoteOutcome> {
    const withinMs = this.#limits.callWithinMs;
    const notBegun = notLoaded('not_called');
    return this.#converse<RemoteOutcome>(server, withinMs, signal, notBegun, async (talk) => {
      let listing: Listing | undefined;
      try {
        await talk.open();
        listing = check && (await talk.listTools());
      } catch (error) {
        return { kind: 'not_called', ...talk.failureOf(error, true) };
      }
      const listed = listing === undefined ? {} : { listing };
      const refusal = listing && check?.(listing);
      if (refusal !== undefined) return { kind: 'not_called', code: refusal, ...listed };
      return { ...(await talk.callTool(tool, input)), ...listed };
    });
  }

  close(): void {
    this.#agents.plain.destroy();
    this.#agents.secure.destroy();
  }

  async #converse<Outcome>(
    server: RemoteServer,
    withinMs: number,
    signal: AbortSignal | undefined,
    notBegun: Outcome,
    work: (talk: Conversation) => Promise<Outcome>,
  ): Promise<Outcome> {
    const limits = { withinMs, maxBytes: this.#limits.maxBytes };
    // Most processes talk to no server, and the SDK is large.
    const loaded = await import('./conversation.js').catch((error: Error) => process.emitWarning(error));
    if (loaded === undefined) return notBegun;
    signal?.throwIfAborted();
    const talk = new loaded.Conversation(server, { policy: this.#policy, agents: this.#agents }, limits);
    const abort = () => talk.end(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      return await work(talk);
    } finally {
      signal?.removeEventListener('abort', abort);
      await talk.close();
    }
  }
}

/** What talks to servers could not be loaded: memory or files are short, and the server was not asked. */
const notLoaded = <Kind extends string>(kind: Kind) => ({ kind, code: 'connection_failed' });
