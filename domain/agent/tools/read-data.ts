import { findDataTypeBySlug } from '../../../db/records/data-types.js';
import { mayHearRecords } from '../../calls/identity/caller-identity.js';
import { newestRecords } from '../../records/data-records/queries/newest-records.js';
import { canReadAll } from '../../records/data-records/record-access.js';
import { configOf } from './config-of.js';
import { type CallSituation, closed, type Tool } from './tool.js';
import type { ToolResult } from './tool-result.js';

/** Limits on the result of one call, which the model receives and the chat stores. */
const readBounds = { maxRecords: 20, maxBytes: 64 * 1_024 };

/** Leaves out records that are hidden from the member, because the agent may repeat what it reads. */
export const readData: Tool = {
  colleague: 'data:read',

  isCovered: (actor, _situation, input) => canReadAll(actor, { slug: String(input.dataType) }),

  /** A data type that was deleted gives no tool. */
  offer(situation) {
    const config = configOf(situation, 'read_data');
    if (config === undefined) return undefined;
    const { dataTypeSlug: only } = config;
    const readable = situation.dataTypes.filter(({ slug }) => only === undefined || slug === only);
    if (readable.length === 0) return undefined;
    const lines = readable.map(({ slug, name }) => `${slug}: ${name}`);
    return {
      description: ["Read the member's records of one of these types:", ...lines].join('\n'),
      parameters: closed({
        dataType: {
          type: 'string',
          enum: readable.map(({ slug }) => slug),
          description: 'The slug of the type.',
        },
      }),
    };
  },

  async perform(situation, input) {
    const refused = refusalOf(situation);
    if (refused !== undefined) return refused;
    const { tx, chat } = situation;
    const dataType = await findDataTypeBySlug(tx, String(input.dataType));
    if (dataType === undefined) return { ok: false, error: 'not_found' };
    const of = { memberId: chat.memberId, withHidden: false };
    const [found] = await newestRecords(tx, [dataType], of, readBounds);
    const { records = [], isPartial = false } = found ?? {};
    return { ok: true, records, ...(isPartial ? { note: 'Only the newest records are here.' } : {}) };
  },
};

/**
 * A number, a name or a voice proves nobody's identity: records are read to a caller who has proved it, and in no chat that
 * another than the member may read.
 */
function refusalOf({ identity, isWithheld, performer }: CallSituation): ToolResult | undefined {
  if (performer.by !== 'agent') return undefined;
  if (identity === undefined) return isWithheld ? readByAnother : undefined;
  if (mayHearRecords(identity)) return undefined;
  if (identity.kind === 'closed') {
    const note = 'On the phone nothing is told that is stored. Hand over to a person where it is needed.';
    return { ok: false, error: 'identity_not_configured', note };
  }
  const note = 'Have the caller prove who they are first, by prove_identity.';
  return { ok: false, error: 'identity_required', note };
}

const readByAnother: ToolResult = {
  ok: false,
  error: 'unproved_address',
  note: 'Another person may read this chat. Nothing is told that is stored. Hand over to a person where it is needed.',
};
