import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A text that colleagues insert into their answers. */
export class MessageTemplateModel extends tenantTable('message_templates', {
  uuid: column<string>(),
  name: column<string>('configuration'),
  shortcut: column<string | null>('configuration'),
  text: column<string>('configuration'),
  /** The text in further languages, by the language of a locale. */
  translations: json<Record<string, string>>('configuration'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type MessageTemplateRow = RowOf<MessageTemplateModel>;
