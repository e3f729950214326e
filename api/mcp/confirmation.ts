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

/** What a confirmation is for: a digest of caller, tool and arguments. */
interface Asked {
  call: string;
}

/**
 * Has a person confirm the calls of tools that say so. Clients that can ask do so in between (`input_required`). A call of the
 * others is refused: whatever came with it came from the model, and no model confirms for a person.
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
    if (!canAsk(call)) return refusal(wayOf(tool), 'confirmation_required');
    const named = JSON.stringify([context.actor.credential.id, context.actor.memberId, tool.name, args]);
    const asked = { call: createHash('sha256').update(named).digest('base64url') };
    const { inputResponses, requestState } = call.mcpReq;
    // An answer without the state that was given for exactly this call confirms nothing.
    if (requestState<Asked>()?.call !== asked.call || inputResponses === undefined) {
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit(question(tool, args)) },
        requestState: await this.#codec.mint(asked, call),
      });
    }
    const given = acceptedContent(inputResponses, 'confirm');
    return given?.confirm === true ? undefined : refusal(declined, 'not_confirmed');
  }
}

/** Whether the client can ask its person within a call (2026-07-28). */
function canAsk({ mcpReq: { envelope } }: ServerContext): boolean {
  const told = envelope as Record<string, ClientCapabilities | undefined> | undefined;
  const elicitation = told?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation;
  // Without a mode, forms are meant.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** With all arguments, whole: a person agrees to what it has read. */
function question({ title, confirmed }: Tool, args: object) {
  return {
    message: `${title}: ${JSON.stringify(args)} ${confirmed}`,
    requestedSchema: {
      type: 'object' as const,
      properties: { confirm: { type: 'boolean' as const, title: 'Yes, do this' } },
      required: ['confirm'],
    },
  };
}

/** How the person comes to it without the model. */
const wayOf = ({ route }: Tool) =>
  `Nothing was done: a person has to confirm this, and this client cannot ask one within a call. The person can use a client that can (MCP 2026-07-28 with elicitation), or do it by the API: ${route.method} ${route.path}. Tell the person so; nothing that is sent along confirms it.`;
const declined = 'Nothing was done: the person did not agree.';

function refusal(detail: string, code: string): CallToolResult {
  return { content: [text(JSON.stringify({ code, detail }))], isError: true };
}
