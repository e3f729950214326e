import type { FileReader } from '../../../db/files/readable-files.js';
import { collectionOf } from '../../assignments/machine/collected.js';
import { completeTask } from '../../assignments/machine/enter-task.js';
import { rowOf } from '../../assignments/machine/machine.js';
import { colleague, noMember } from '../../kernel/who-reads.js';
import type { JsonSchema } from '../../lib/json-schema.js';
import { canWriteAll } from '../../records/data-records/record-access.js';
import { writeRecord } from '../../records/data-records/write-record.js';
import { type FieldDefinition, fieldSchema } from '../../records/field-values.js';
import { hearerOf } from '../hearer.js';
import type { Situation, ToolSituation } from '../situation.js';
import { configOf } from './config-of.js';
import { type CallSituation, closed, type Offer, type Tool } from './tool.js';
import { notAvailable } from './tool-result.js';
import { enteringAs, progressOf } from './walking.js';

/**
 * Writes values to the member's record. A collect task writes in every access mode, because the definition asks for the
 * data, and is complete once its required fields have values; the ability writes only where the member may.
 */
export const saveData: Tool = {
  colleague: 'records:write',

  isCovered: (actor, situation) => canWriteAll(actor, { slug: savedTypeSlug(situation) ?? '' }),

  /** A data type that was deleted gives no tool. */
  offer(situation) {
    const { collects, dataTypes } = situation;
    if (collects) return offerFields(collects.dataType.name, collects.fields, collects.missing);
    const config = configOf(situation, 'save_data');
    const dataType = dataTypes.find(({ slug }) => slug === config?.dataTypeSlug);
    const fields = dataType?.fields.filter(({ slug }) => config?.fieldSlugs?.includes(slug) ?? true);
    return dataType && fields?.length ? offerFields(dataType.name, fields, []) : undefined;
  },

  async perform(situation, input) {
    const { tx, now, chat, machine, task, defaultRegion, performer } = situation;
    const collects = machine !== undefined && task.taskType === 'collect';
    const dataTypeSlug = savedTypeSlug(situation);
    if (dataTypeSlug === undefined) return notAvailable;

    await writeRecord(tx, {
      dataTypeSlug,
      memberId: chat.memberId,
      values: input,
      assignmentTaskId: machine === undefined ? null : rowOf(machine, task).id,
      isCollecting: collects,
      asMember: !collects,
      defaultRegion,
      actorMemberId: performer.memberId,
      fileGiver: await giverOfCall(situation),
      now,
    });
    const saved = Object.keys(input);
    if (!collects) return { ok: true, saved };

    const missing = (await collectionOf(machine, task))?.missing ?? [];
    // The task of a held workflow is completed after the resumption.
    if (missing.length === 0 && rowOf(machine, task).completedAt === null && !machine.isHeld) {
      await completeTask(machine, task, enteringAs(performer));
    }
    return { ok: true, saved, missing: missing.map((field) => field.slug), ...progressOf(machine) };
  },
};

/**
 * The model is told that the missing fields are required, so that it asks for them, but a part of them is accepted. Patterns
 * would run over texts of any length here; writing the record checks them after the length.
 */
export function offerFields(
  dataTypeName: string,
  fields: ToolSituation['dataTypes'][number]['fields'],
  missing: readonly FieldDefinition[],
): Offer {
  const properties = Object.fromEntries(fields.map((field) => [field.slug, fieldSchema(field)]));
  const required = missing.map((field) => field.slug);
  const parameters = { ...closed(properties, required), minProperties: 1 };
  return {
    description: `Save what the member told in the record "${dataTypeName}". Never guess a value.`,
    parameters,
    accepts: { ...withoutPatterns(parameters), required: [] },
  };
}

function withoutPatterns({ pattern: _, ...schema }: JsonSchema): JsonSchema {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (properties === undefined) return schema;
  const entries = Object.entries(properties).map(([name, property]) => [name, withoutPatterns(property)]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** The slug of the data type that is written now. */
function savedTypeSlug(situation: Situation): string | undefined {
  const { machine, task } = situation;
  if (machine !== undefined && task.taskType === 'collect') return String(task.configuration.dataTypeSlug);
  return configOf(situation, 'save_data')?.dataTypeSlug;
}

/**
 * By whose right to read files are put into records: that of the member for its agent, else that of the colleague. No
 * permission counts, because an agent may do what a message has talked it into.
 */
async function giverOfCall(situation: CallSituation): Promise<FileReader> {
  const { chat, performer } = situation;
  if (performer.by === 'operator') return colleague(performer.memberId ?? noMember);
  return { ...(await hearerOf(situation, 'agent', {})), memberId: chat.memberId };
}
