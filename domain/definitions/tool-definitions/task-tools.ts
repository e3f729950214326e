import { type FieldDefinition, fieldSchema } from '../../records/field-values.js';
import type { Choice, ToolDefinition } from './types.js';

/** The tool that selects one of the children of the task. */
export function selectTask(choices: readonly Choice[]): ToolDefinition {
  const lines = choices.map((choice) => `${choice.uuid}: ${choice.text}`);
  return {
    name: 'select_task',
    description: ['Go on to one of these tasks, when it fits what the member says:', ...lines].join('\n'),
    parameters: {
      type: 'object',
      properties: {
        task: {
          type: 'string',
          enum: choices.map((choice) => choice.uuid),
          description: 'The uuid of the task.',
        },
      },
      required: ['task'],
      additionalProperties: false,
    },
  };
}

/** The tool that reports that a conversation has reached its aim, so that the assignment continues by itself. */
export function completeTask(): ToolDefinition {
  return {
    name: 'complete_task',
    description: 'Say that the aim of the current task is reached, and go on to the next one.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  };
}

/**
 * The tool that writes values into the member's record. The model must give the missing fields, see
 * `parseToolArguments`.
 */
export function saveData(
  dataTypeName: string,
  fields: readonly FieldDefinition[],
  missing: readonly FieldDefinition[],
): ToolDefinition {
  return {
    name: 'save_data',
    description: `Save what the member told in the record "${dataTypeName}". Never guess a value.`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.slug, fieldSchema(field)])),
      required: missing.map((field) => field.slug),
      minProperties: 1,
      additionalProperties: false,
    },
  };
}
