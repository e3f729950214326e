import { agentTables } from '../agent/personal-data-inventory.js';
import { assignmentsTables } from '../assignments/personal-data-inventory.js';
import { callsTables } from '../calls/personal-data-inventory.js';
import { channelsTables } from '../channels/personal-data-inventory.js';
import { conversationsTables } from '../conversations/personal-data-inventory.js';
import { definitionsTables } from '../definitions/personal-data-inventory.js';
import { eventsTables } from '../events/personal-data-inventory.js';
import { filesTables } from '../files/personal-data-inventory.js';
import { identityTables } from '../identity/personal-data-inventory.js';
import {
  nameOf,
  type PersonalDataInventory,
  type PersonTable,
  personalColumns,
} from '../lib/personal-data-inventory.js';
import { peopleTables } from '../people/personal-data-inventory.js';
import { recordsTables } from '../records/personal-data-inventory.js';
import { sitesTables } from '../sites/personal-data-inventory.js';
import { personDataTables } from './person-tables.js';

/**
 * All tables, by area, in the order in which they are erased: a table whose rows are found by another one comes before
 * it.
 */
export const tablesByArea: Readonly<Record<string, PersonalDataInventory>> = {
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
