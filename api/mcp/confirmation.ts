import { createHash } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { derivedKey } from '../../domain/lib/encryption.js';
import type { Tool } from './define-tool.js';
import { text } from './tool-result.js';
import type { Visit } from './visit.js';

/** How long a person may take. */
const patienceSeconds = 600;
const longestShown = 300;

/** What a confirmation is for: a digest of caller, tool and arguments. */
interface Asked {
  call: string;
}

/**
 * Has a person confirm the calls of tools that say so. Clients that can ask do so in between (`input_required`); the
 * others call again with `confirm: true`.
 */
export class Confirmations {
  readonly #codec: RequestStateCodec<Asked>;

  /** @param secret from which the key of all processes is derived */
  constructor(secret: string) {
    const key = derivedKey(secret, 'confirmations of tool calls');
    this.#codec = createRequestStateCodec<Asked>({ key, ttlSeconds: patienceSeconds });
  }

  /** Checks the state that a client brings back. @throws for one that this service has not given */
  readonly verify = (state: string, ctx: ServerContext): Promise<Asked> => this.#codec.verify(state, ctx);

  /** @returns what the call is answered instead of being carried out; undefined if it is confirmed or needs no confirmation */
  async missing(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    { context }: Visit,
    call: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult | undefined> {
    if (tool.confirmed === undefined) return undefined;
    if (!canAsk(call))
      return args.confirm === true ? undefined : refusal(notConfirmed, 'confirmation_required');
    const { confirm: _, ...others } = args;
    const named = JSON.stringify([context.actor.credential.id, context.actor.memberId, tool.name, others]);
    const asked = { call: createHash('sha256').update(named).digest('base64url') };
    const { inputResponses, requestState } = call.mcpReq;
    // An answer without the state that was given for exactly this call confirms nothing.
    if (requestState<Asked>()?.call !== asked.call || inputResponses === undefined) {
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit(question(tool, others)) },
        requestState: await this.#codec.mint(asked, call),
      });
    }
    const given = acceptedContent(inputResponses, 'confirm');
    return given?.confirm === true ? undefined : refusal(declined, 'not_confirmed');
  }
}

/** Whether the client can ask its person within a call (2026-07-28). */
export function canAsk({ mcpReq: { envelope } }: ServerContext): boolean {
  const told = envelope as Record<string, ClientCapabilities | undefined> | undefined;
  const elicitation = told?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation;
  // Without a mode, forms are meant.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function question({ title, confirmed }: Tool, args: object) {
  const shown = JSON.stringify(args);
  const cut = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
  return {
    message: `${title}: ${cut} ${confirmed}`,
    requestedSchema: {
      type: 'object' as const,
      properties: { confirm: { type: 'boolean' as const, title: 'Yes, do this' } },
      required: ['confirm'],
    },
  };
}

const notConfirmed =
  'Nothing was done. Ask the person whether this is to be done, and then call again with confirm: true.';
const declined = 'Nothing was done: the person did not agree.';

function refusal(detail: string, code: string): CallToolResult {
  return { content: [text(JSON.stringify({ code, detail }))], isError: true };
}
