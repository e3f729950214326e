import { labelColumns } from '../../lib/labels.js';
import { column, tenantTable } from '../../lib/table.js';

export class FileLabelModel extends tenantTable('file_labels', {
  ...labelColumns,
  description: column<string>('configuration'),
}) {}

export class FileLabelLinkModel extends tenantTable('file_label_links', {
  fileId: column<number>(),
  fileLabelId: column<number>(),
  createdAt: column<Date>(),
}) {}
