import { pinFileIds } from '../../../../db/files/file-attachments.js';
import type { FileReader } from '../../../../db/files/readable-files.js';
import { findMembers } from '../../../../db/people/members.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { Tx } from '../../../../db/tx.js';
import { InvalidInput } from '../../../lib/errors.js';
import { escapePointer } from '../../../lib/json-schema.js';
import {
  type FieldDefinition,
  type FieldValues,
  idsOf,
  isFileField,
  recordFileLimits,
} from '../../field-values.js';

interface MissingReferences {
  references: readonly FieldDefinition[];
  memberIds: ReadonlySet<number>;
  fileIds: ReadonlySet<number>;
  hasScopeOfFiles: boolean;
}

/**
 * Finds the members that values refer to and that do not exist, and the files that do not exist or that the giver may not
 * read. The other files are kept from deletion until the transaction ends.
 */
export async function findMissing(
  tx: Tx,
  { fields }: Pick<DataTypeRow, 'fields'>,
  values: readonly FieldValues[],
  giver: FileReader | null,
): Promise<MissingReferences> {
  const references = fields.filter((field) => field.fieldType === 'member' || isFileField(field));
  const members = references.filter(({ fieldType }) => fieldType === 'member');
  const memberIds = new Set(members.flatMap(({ slug }) => values.flatMap((given) => idsOf(given[slug]))));
  const files = references.filter(isFileField);
  const fileIds = new Set(values.flatMap((given) => files.flatMap(({ slug }) => idsOfField(given[slug]))));
  const [foundMembers, foundFiles] = await Promise.all([
    memberIds.size === 0 ? [] : findMembers(tx, [...memberIds]),
    giver === null ? [] : pinFileIds(tx, [...fileIds], giver),
  ]);
  for (const { id } of foundMembers) memberIds.delete(id);
  for (const id of foundFiles) fileIds.delete(id);
  return { references, memberIds, fileIds, hasScopeOfFiles: giver !== null };
}

/** A field with too many files is refused by its rules, so that they are not looked up and locked. */
function idsOfField(value: unknown): number[] {
  const ids = idsOf(value);
  return new Set(ids).size > recordFileLimits.ofField ? [] : ids;
}

/** Refuses references to what is missing, except those that the field of the record holds already. @throws InvalidInput */
export function refuseMissing(
  { references, memberIds, fileIds, hasScopeOfFiles }: MissingReferences,
  values: FieldValues,
  before: FieldValues | undefined,
): void {
  const errors = references.flatMap((field) => {
    const { slug, name } = field;
    const missing = isFileField(field) ? fileIds : memberIds;
    const held = idsOf(before?.[slug]);
    if (!idsOf(values[slug]).some((id) => missing.has(id) && !held.includes(id))) return [];
    const pointer = `/fieldValues/${escapePointer(slug)}`;
    if (!isFileField(field)) return [{ pointer, message: `${name} names no member of the workspace` }];
    const needs = hasScopeOfFiles ? '' : ': the credential needs the scope files:read';
    return [{ pointer, message: `${name} names no file that the caller may read${needs}` }];
  });
  if (errors.length > 0) throw InvalidInput.fields(errors);
}
