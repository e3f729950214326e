import { fileLabelTable, replaceFileLabels } from '../../../db/files/file-labels.js';
import type { Tx } from '../../../db/tx.js';
import { type LabelKind, unknownLabels } from '../../kernel/labels.js';
import { InvalidInput } from '../../lib/errors.js';

/** Labels of files. The commands are those of all labels (`domain/kernel/labels.ts`). */
export const fileLabels: LabelKind = {
  title: 'File',
  table: fileLabelTable,
  writing: 'files:write',
  hasDescription: true,
  unknown: 'names no file label of this workspace',
};

/**
 * Replaces the labels of a file. The caller pins the labels. @returns whether that changed any
 * @throws InvalidInput for each id that is not a label of the workspace
 */
export async function labelFile(
  tx: Tx,
  fileId: number,
  labelIds: readonly number[],
  existing: ReadonlySet<number>,
): Promise<boolean> {
  const errors = unknownLabels(fileLabels, labelIds, existing);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return replaceFileLabels(tx, fileId, [...existing]);
}
