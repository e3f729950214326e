import type { AssistantRow } from '../../db/conversations/assistants.js';
import type { AllowedTool } from '../../db/definitions/mcp-tools.js';
import type { Machine } from '../assignments/machine/machine.js';
import type { AbilityInForce } from '../definitions/task-tree/inherited-abilities.js';
import type { TaskNode } from '../definitions/task-tree/types.js';
import type { CallerQuestion } from '../definitions/voice-identity/caller-questions.js';
import type { CelContext } from '../lib/cel.js';
import type { FieldDefinition } from '../records/field-values.js';
import type { Choice } from './choices.js';
import type { Hearing } from './hearer.js';

type Fields = readonly FieldDefinition[];

/** What tools are offered by. */
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
  remoteTools: readonly AllowedTool[];
  /** Whether the model may propose answers with its reply, for the ability suggest_answers. */
  mayPropose: boolean;
  /** Whether an email would be beside the chat: in a chat by email, replies are emails. */
  mayEmail: boolean;
  /** Whether the member is on the phone, with this agent. */
  onCall: boolean;
  /** What is asked of a caller who has not proved yet who they are. */
  questions: readonly CallerQuestion[];
}

/** What the agent's prompt and tools are built from. */
export interface Situation extends ToolSituation, Hearing {
  now: Date;
  assistant: AssistantRow | null;
  /** The active assignment, if any. */
  machine: Machine | undefined;
  /** Of expressions; undefined without an assignment. */
  context: CelContext | undefined;
  /** The same for texts that the agent is told, who may repeat them to the caller. */
  told: CelContext | undefined;
  /** Names of required tasks that were skipped; empty until the current task is complete. */
  remainingRequired: string[];
  /** How the agent listens and speaks in calls, as far as the definition says. */
  realtimeModelConfig: Record<string, unknown>;
  /** Answers that the member may choose from. */
  suggestions: string[];
}
