import { agentTables } from '../agent/person-data.js';
import { assignmentsTables } from '../assignments/person-data.js';
import { callsTables } from '../calls/person-data.js';
import { channelsTables } from '../channels/person-data.js';
import { conversationsTables } from '../conversations/person-data.js';
import { definitionsTables } from '../definitions/person-data.js';
import { eventsTables } from '../events/person-data.js';
import { filesTables } from '../files/person-data.js';
import { identityTables } from '../identity/person-data.js';
import { nameOf, type PersonTable, type PersonTables, personalColumns } from '../lib/person-data.js';
import { peopleTables } from '../people/person-data.js';
import { recordsTables } from '../records/person-data.js';
import { sitesTables } from '../sites/person-data.js';
import { personDataTables } from './person-tables.js';

/**
 * All tables, by area, in the order in which they are erased: a table whose rows are found by another one comes before
 * it.
 */
export const tablesByArea: Readonly<Record<string, PersonTables>> = {
  'person-data': personDataTables,
  events: eventsTables,
  files: filesTables,
  calls: callsTables,
  channels: channelsTables,
  agent: agentTables,
  conversations: conversationsTables,
  records: recordsTables,
  assignments: assignmentsTables,
  sites: sitesTables,
  definitions: definitionsTables,
  identity: identityTables,
  people: peopleTables,
};

export interface NamedTable extends PersonTable {
  /** With its schema. */
  name: string;
  area: string;
  /** What becomes of columns when a row is emptied: SQL expressions by column. */
  emptied: Readonly<Record<string, string>>;
}

/** The tables that hold something about members. */
export const personTables: readonly NamedTable[] = Object.entries(tablesByArea).flatMap(
  ([area, { aboutMembers }]) =>
    aboutMembers.map((table) => ({ ...table, name: nameOf(table.model), area, emptied: emptiedOf(table) })),
);

function emptiedOf({ model, erased }: PersonTable): Record<string, string> {
  if (erased.by !== 'empty') return {};
  const personal = personalColumns(model).map((name) => [name, 'null']);
  return { ...Object.fromEntries(personal), ...erased.columns };
}

/** What stays after an erasure, by table. */
export const keptByErasure: readonly { table: string; what: string }[] = personTables.flatMap(
  ({ name, erased }) =>
    'kept' in erased && erased.kept !== undefined ? [{ table: name, what: erased.kept }] : [],
);
