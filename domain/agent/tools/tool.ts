import type { EnteringMachine } from '../../assignments/machine/machine.js';
import type { toolsOfTasks } from '../../definitions/task-tree/tools-of-tasks.js';
import type { AbilityType } from '../../kernel/abilities.js';
import type { Actor } from '../../kernel/actor.js';
import type { AgentBudgets } from '../../kernel/agent-budgets.js';
import type { Scope } from '../../kernel/scopes.js';
import type { Encryption } from '../../lib/encryption.js';
import type { FieldError } from '../../lib/errors.js';
import type { JsonSchema } from '../../lib/json-schema.js';
import type { Performer } from '../performer.js';
import type { ClaimedRemoteCall } from '../remote-tools/claim-remote-call.js';
import type { CallAttempt } from '../requests/claim-attempt.js';
import type { ClaimedRequest } from '../requests/claim-request.js';
import type { Situation, ToolSituation } from '../situation.js';
import type { ToolResult } from './tool-result.js';

/** Abilities whose tools authors or other servers have named. */
export type AbilityOfOthers = 'http_request' | 'mcp_tools';
export type ToolName = (typeof toolsOfTasks)[number] | Exclude<AbilityType, AbilityOfOthers>;

/** A tool of the service. Each is a file, listed in `tools.ts` under its name. */
export interface Tool extends Callable {
  /** What the model is told of it in this situation; undefined: it is not offered. */
  offer(situation: ToolSituation): Offer | undefined;
  /** The member has opted out by it: the call is run whatever has happened since, also after a phone call has ended. */
  optsOut?: true;
}

export interface Offer {
  description: string;
  /** JSON Schema of the arguments, an object. */
  parameters: JsonSchema;
  /** Of the arguments that are accepted, if it asks for less than the model is told. */
  accepts?: JsonSchema;
}

/** What is known of a tool apart from what the model is told. */
export interface Callable {
  /**
   * What a colleague needs who uses it in the agent's place, beside the right to speak as the assistant: the permission with which the
   * API lets it do the same (docs/decisions/0224-rights-of-colleagues-who-use-tools.md). `agent`: the agent alone uses it.
   */
  colleague: Scope | 'agent';
  /** Whether less than this permission is enough for a call, as it is in the rest of the API. */
  isCovered?(actor: Actor, situation: Situation, input: Input): boolean | Promise<boolean>;
  /** What is wrong with arguments that match the schema. */
  check?(input: Input): FieldError[];
  /**
   * Runs in the transaction of the call, with arguments that were checked. What is outside of the service is claimed only.
   * @returns what the model is told. @throws InvalidInput before anything is written: the model may correct the call
   */
  perform(call: CallSituation, input: Input): Promise<ToolResult | ClaimedCall>;
}

export type Input = Readonly<Record<string, unknown>>;

/** What is to be done outside of any transaction: a request to a web service, or a call of a remote tool. */
export type ClaimedCall = ClaimedRequest | ClaimedRemoteCall;

/** What a tool is performed with. */
export interface CallSituation extends Situation {
  machine: EnteringMachine | undefined;
  performer: Performer;
  /** Of phone numbers without a country code. */
  defaultRegion: string;
  budgets: AgentBudgets;
  /** The agent's attempt to run the call in its turn; undefined where a colleague sends as the assistant. */
  attempt?: CallAttempt | undefined;
  encryption?: Encryption | undefined;
}

/** A tool as a model is told of it. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export function asTold({ name, description, parameters }: ModelTool): ModelTool {
  return { name, description, parameters };
}

/** A tool as it is offered: one of the service, a request to a web service, or one of a remote MCP server. */
export interface OfferedTool extends ModelTool, Offer, Callable {
  /** Of a tool that is not of the service. */
  ability?: AbilityOfOthers;
  /** Whether a colleague has to approve each call of the agent. */
  requiresApproval: boolean;
}

/** Schema of an object with these properties only; all of them are required unless `required` names fewer. */
export function closed(
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
