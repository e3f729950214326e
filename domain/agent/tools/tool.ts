import type { AllowedTool } from '../../../db/definitions/mcp-tools.js';
import type { AbilityInForce } from '../../definitions/task-tree/inherited-abilities.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import type { CallerQuestion } from '../../definitions/voice-identity/caller-questions.js';
import type { HttpRequest } from '../../kernel/ability-configs.js';
import type { JsonSchema } from '../../lib/json-schema.js';
import type { FieldDefinition } from '../../records/field-values.js';

export const toolNames = [
  'select_task',
  'complete_task',
  'save_data',
  'read_data',
  'search_files',
  'send_sms',
  'send_email',
  'send_files',
  'suggest_answers',
  'schedule_follow_up',
  'handoff',
  'conclude',
  'place_call',
  'forward_call',
  'end_call',
  'prove_identity',
  'opt_out',
] as const;
export type ToolName = (typeof toolNames)[number];

interface Approvable {
  /** Whether a colleague has to approve each call of the agent. */
  requiresApproval?: boolean;
}

/** A tool as a model is told of it. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments, an object. */
  parameters: JsonSchema;
}

export interface BuiltInTool extends ModelTool, Approvable {
  name: ToolName;
}

/** A request to a web service; its author has named it. */
export interface RequestTool extends ModelTool, Approvable {
  request: HttpRequest;
}

/** A tool of a remote MCP server. */
export interface RemoteTool extends ModelTool, Approvable {
  remote: {
    serverId: number;
    /** What its server calls it. */
    tool: string;
    /** Whether its server says that a second call does no harm. */
    mayRepeat: boolean;
  };
}

export type ToolDefinition = BuiltInTool | RequestTool | RemoteTool;

export function isRequest(tool: ToolDefinition): tool is RequestTool {
  return 'request' in tool;
}

export function isRemote(tool: ToolDefinition): tool is RemoteTool {
  return 'remote' in tool;
}

/** A task that the agent may select, see `describeChoice`. */
export interface Choice {
  uuid: string;
  text: string;
}

type Fields = readonly FieldDefinition[];

export interface ToolSituation {
  task: TaskNode;
  choices: readonly Choice[];
  abilities: readonly AbilityInForce[];
  /** What a collect task gathers; undefined for other tasks. */
  collects: { dataType: { name: string }; fields: Fields; missing: Fields } | undefined;
  /** The data types of the workspace, for the abilities save_data and read_data. */
  dataTypes: readonly { slug: string; name: string; fields: Fields }[];
  /** Files that the agent may send, for the ability send_files. */
  files: readonly { id: number; title: string; mimeType: string }[];
  /** The allowed tools of remote MCP servers that the ability mcp_tools names. */
  remoteTools?: readonly AllowedTool[];
  /** Whether the model may propose answers with its reply, for the ability suggest_answers. */
  mayPropose?: boolean;
  /** Whether an email would be beside the chat: in a chat by email, replies are emails. */
  mayEmail?: boolean;
  /** Whether the member is on the phone, with this agent. */
  onCall?: boolean;
  /** What the caller is asked who has not proved yet who they are. */
  questions?: readonly CallerQuestion[];
}
