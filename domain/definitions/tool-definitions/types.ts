import type { JsonSchema } from '../../lib/json-schema.js';
import type { FieldDefinition } from '../../records/field-values.js';
import type { AbilityInForce } from '../task-tree/inherited-abilities.js';
import type { TaskNode } from '../task-tree/types.js';

export const toolNames = [
  'select_task',
  'complete_task',
  'save_data',
  'read_data',
  'send_sms',
  'schedule_follow_up',
  'handoff',
  'conclude',
] as const;
export type ToolName = (typeof toolNames)[number];

/** A tool as it is offered to the model. */
export interface ToolDefinition {
  name: ToolName;
  description: string;
  /** JSON Schema of the arguments, an object. */
  parameters: JsonSchema;
}

/** A child task the agent may take, and what is said about it. */
export interface Choice {
  uuid: string;
  text: string;
}

/** A data type as far as tools need it. */
export interface ToolDataType {
  slug: string;
  name: string;
  fields: readonly FieldDefinition[];
}

/** What decides which tools the agent has in a turn. */
export interface ToolSituation {
  task: TaskNode;
  /** The eligible children, see `describeChoice`. */
  choices: readonly Choice[];
  abilities: readonly AbilityInForce[];
  /** What the task gathers, if it is a collect task. */
  collects: {
    dataTypeName: string;
    fields: readonly FieldDefinition[];
    missing: readonly FieldDefinition[];
  } | null;
  /** The workspace's data types, for save_data and read_data as abilities. */
  dataTypes: readonly ToolDataType[];
}
