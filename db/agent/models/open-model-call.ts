import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A call of a model that has begun and is not booked yet, with the usage that it has at least. */
export class OpenModelCallModel extends tenantTable('open_model_calls', {
  callId: column<string>(),
  chatId: column<number>(),
  memberId: column<number>(),
  definitionId: column<number | null>(),
  turnUuid: column<string | null>(),
  modelId: column<string>('code'),
  /** Estimated from the length of the request. */
  promptTokens: column<number>(),
  /** The price of `promptTokens`. */
  credits: column<number>('number'),
  multiplier: column<number>('number'),
  inputMultiplier: column<number>('number'),
  outputMultiplier: column<number>('number'),
  cachedMultiplier: column<number>('number'),
  begunAt: column<Date>(),
}) {}

export type OpenModelCallRow = RowOf<OpenModelCallModel>;
