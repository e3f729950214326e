import type { Tx } from '../../../../db/database.js';
import { findMembers } from '../../../../db/people/members.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { InvalidInput } from '../../../lib/errors.js';
import { escapePointer } from '../../../lib/json-schema.js';
import type { FieldDefinition, FieldValues } from '../../field-values.js';

interface MissingReferences {
  references: readonly FieldDefinition[];
  memberIds: ReadonlySet<number>;
  fileIds: ReadonlySet<number>;
}

/** Finds the members and files that the values refer to and that do not exist. */
export async function findMissing(
  tx: Tx,
  { fields }: Pick<DataTypeRow, 'fields'>,
  values: readonly FieldValues[],
): Promise<MissingReferences> {
  const references = fields.filter(({ fieldType }) => fieldType === 'member' || fieldType === 'file');
  const named = (fieldType: string) =>
    references
      .filter((field) => field.fieldType === fieldType)
      .flatMap(({ slug }) => values.flatMap((given) => idOf(given[slug]) ?? []));
  const memberIds = new Set(named('member'));
  const found = memberIds.size === 0 ? [] : await findMembers(tx, [...memberIds]);
  for (const { id } of found) memberIds.delete(id);
  // Workspaces have no files yet, so every file id is missing.
  return { references, memberIds, fileIds: new Set(named('file')) };
}

/** Refuses references to a missing member or file, except those that the record holds already. @throws InvalidInput */
export function refuseMissing(
  { references, memberIds, fileIds }: MissingReferences,
  values: FieldValues,
  before: FieldValues | undefined,
): void {
  const errors = references.flatMap(({ slug, name, fieldType }) => {
    const id = idOf(values[slug]);
    const missing = fieldType === 'member' ? memberIds : fileIds;
    if (id === undefined || !missing.has(id) || before?.[slug] === id) return [];
    const pointer = `/fieldValues/${escapePointer(slug)}`;
    return [{ pointer, message: `${name} names no ${fieldType} of the workspace` }];
  });
  if (errors.length > 0) throw InvalidInput.fields(errors);
}

function idOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
