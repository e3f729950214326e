import { findGatheredRecord } from '../../../db/records/data-records.js';
import { type DataTypeRow, findDataTypeBySlug } from '../../../db/records/data-types.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { type Machine, rowOf } from './machine.js';

type FieldDefinition = DataTypeRow['fields'][number];

export interface Collection {
  dataType: DataTypeRow;
  /** The fields that the task collects, in the task's order. */
  fields: FieldDefinition[];
  /** The required fields without a value. */
  missing: FieldDefinition[];
}

export async function collectionOf(machine: Machine, task: TaskNode): Promise<Collection | undefined> {
  const { dataTypeSlug, fieldSlugs } = task.configuration as { dataTypeSlug: string; fieldSlugs: string[] };
  const dataType = await findDataTypeBySlug(machine.tx, dataTypeSlug);
  if (dataType === undefined) return undefined;
  const fields = fieldSlugs
    .map((slug) => dataType.fields.find((field) => field.slug === slug))
    .filter((field) => field !== undefined);
  const values = await gatheredValues(machine, task, dataType);
  // Without required fields, the task collects all of its fields.
  const required = fields.filter((field) => field.required === true);
  const wanted = required.length > 0 ? required : fields;
  const missing = wanted.filter((field) => isEmpty(values[field.slug]));
  return { dataType, fields, missing };
}

/** Whether all required fields have values. */
export async function isCollected(machine: Machine, task: TaskNode): Promise<boolean> {
  return (await collectionOf(machine, task))?.missing.length === 0;
}

/** The values of the member's single record, or, for a collection, of the record that was written for this task. */
async function gatheredValues(
  machine: Machine,
  task: TaskNode,
  dataType: DataTypeRow,
): Promise<Record<string, unknown>> {
  const taskRowId = dataType.isCollection ? rowOf(machine, task).id : undefined;
  const record = await findGatheredRecord(machine.tx, dataType.id, machine.assignment.memberId, taskRowId);
  return record?.fieldValues ?? {};
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
