import type { AbilityType } from '../../kernel/abilities.js';
import { saveData } from './task-tools.js';
import type { ToolDataType, ToolDefinition, ToolSituation } from './types.js';

type BuildTool = (config: Record<string, unknown>, situation: ToolSituation) => ToolDefinition | null;

const builders: Partial<Record<AbilityType, BuildTool>> = {
  save_data: saveDataAsConfigured,
  read_data: readData,
  send_sms: sendSms,
  schedule_follow_up: scheduleFollowUp,
  handoff,
  conclude,
};

/** The tools of the abilities in force. An ability whose data type was deleted gives no tool. */
export function abilityTools(situation: ToolSituation): ToolDefinition[] {
  return situation.abilities
    .map(({ ability }) => builders[ability.abilityType as AbilityType]?.(ability.config, situation) ?? null)
    .filter((tool) => tool !== null);
}

function saveDataAsConfigured(
  config: Record<string, unknown>,
  situation: ToolSituation,
): ToolDefinition | null {
  const dataType = situation.dataTypes.find(({ slug }) => slug === config.dataTypeSlug);
  if (!dataType) return null;
  const slugs = config.fieldSlugs;
  const fields = Array.isArray(slugs)
    ? dataType.fields.filter(({ slug }) => slugs.includes(slug))
    : dataType.fields;
  return fields.length === 0 ? null : saveData(dataType.name, fields, []);
}

function readData(config: Record<string, unknown>, situation: ToolSituation): ToolDefinition | null {
  const only = config.dataTypeSlug;
  const readable = situation.dataTypes.filter(({ slug }) => only === undefined || slug === only);
  if (readable.length === 0) return null;
  return {
    name: 'read_data',
    description: ["Read the member's records of one of these types:", ...readable.map(describe)].join('\n'),
    parameters: {
      type: 'object',
      properties: {
        dataType: {
          type: 'string',
          enum: readable.map(({ slug }) => slug),
          description: 'The slug of the type.',
        },
      },
      required: ['dataType'],
      additionalProperties: false,
    },
  };
}

function describe(dataType: ToolDataType): string {
  return `${dataType.slug}: ${dataType.name}`;
}

function sendSms(): ToolDefinition {
  return {
    name: 'send_sms',
    description: 'Send the member an SMS, beside the reply in this chat.',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 1_600, description: 'Plain text, short.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
  };
}

function scheduleFollowUp(): ToolDefinition {
  return {
    name: 'schedule_follow_up',
    description: 'Come back to the member later, as agreed with them.',
    parameters: {
      type: 'object',
      properties: {
        after: {
          type: 'string',
          maxLength: 60,
          description: 'An ISO 8601 duration from now: PT2H, P1D, P2W.',
        },
        instructions: { type: 'string', minLength: 1, maxLength: 2_000, description: 'What to do then.' },
      },
      required: ['after', 'instructions'],
      additionalProperties: false,
    },
  };
}

function handoff(): ToolDefinition {
  return {
    name: 'handoff',
    description: 'Hand the chat over to a person of the organisation. You say nothing after it.',
    parameters: {
      type: 'object',
      properties: {
        reason: { type: 'string', minLength: 1, maxLength: 500, description: 'Why, for that person.' },
      },
      required: ['reason'],
      additionalProperties: false,
    },
  };
}

function conclude(config: Record<string, unknown>): ToolDefinition {
  const outcome = Array.isArray(config.outcomes)
    ? { type: 'string', enum: config.outcomes }
    : { type: 'string', minLength: 1, maxLength: 100 };
  return {
    name: 'conclude',
    description: 'End the assignment, when there is nothing left to do.',
    parameters: {
      type: 'object',
      properties: {
        outcome: { ...outcome, description: 'What came of it, in one or two words.' },
        outcomeReason: { type: 'string', minLength: 1, maxLength: 500, description: 'Why, in a sentence.' },
      },
      required: ['outcome'],
      additionalProperties: false,
    },
  };
}
