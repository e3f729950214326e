import { findGatheredRecord } from '../../../db/records/data-records.js';
import { findDataTypeBySlug } from '../../../db/records/data-types.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { type Machine, rowOf } from './machine.js';

/** The fields that a task collects, in the task's order, and those of the required ones that have no value. */
export async function collectionOf(machine: Machine, task: TaskNode) {
  const { dataTypeSlug, fieldSlugs } = task.configuration as { dataTypeSlug: string; fieldSlugs: string[] };
  const dataType = await findDataTypeBySlug(machine.tx, dataTypeSlug);
  if (dataType === undefined) return undefined;
  const fields = fieldSlugs
    .map((slug) => dataType.fields.find((field) => field.slug === slug))
    .filter((field) => field !== undefined);
  // The member's single record or, for a collection, the record that was written for this task.
  const taskRowId = dataType.isCollection ? rowOf(machine, task).id : undefined;
  const record = await findGatheredRecord(machine.tx, dataType.id, machine.assignment.memberId, taskRowId);
  // Without required fields, the task collects all of its fields.
  const required = fields.filter((field) => field.required === true);
  const wanted = required.length > 0 ? required : fields;
  const missing = wanted.filter(({ slug }) => (record?.fieldValues[slug] ?? '') === '');
  return { dataType, fields, missing };
}

/** Whether all required fields have values. */
export async function isCollected(machine: Machine, task: TaskNode): Promise<boolean> {
  return (await collectionOf(machine, task))?.missing.length === 0;
}
