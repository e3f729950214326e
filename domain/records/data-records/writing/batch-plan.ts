import type { DataRecordRow } from '../../../../db/records/data-records.js';
import { foundRecord } from './merge-record.js';
import type { FoundRecord, RecordToSave } from './write-options.js';

/** The change of a record by one item, which creates it where `before` is undefined. */
export interface RecordStep {
  item: RecordToSave;
  before: DataRecordRow | undefined;
  after: DataRecordRow;
}

/** A record as it is after all steps. */
export interface RecordWrite {
  record: DataRecordRow;
  steps: RecordStep[];
}

/** The records that the items of a batch lead to, each with the changes of the items applied so far. */
export class BatchPlan {
  readonly #writes = new Map<number, RecordWrite>();
  readonly #byExternalId = new Map<string, RecordWrite>();
  readonly #singles = new Map<number, RecordWrite>();

  /** @param stored every record that the keys of the items lead to */
  constructor(stored: readonly DataRecordRow[]) {
    for (const record of stored) this.#put({ record, steps: [] });
  }

  get writes(): RecordWrite[] {
    return [...this.#writes.values()].filter(({ steps }) => steps.length > 0);
  }

  find({ record, externalId, memberId }: RecordToSave): FoundRecord | undefined {
    const known = externalId == null ? undefined : this.#byExternalId.get(externalId);
    return foundRecord(record && this.latest(record), known?.record, this.#singles.get(memberId)?.record);
  }

  /** The record after the changes so far. */
  latest(record: DataRecordRow): DataRecordRow {
    return this.#writeOf(record).record;
  }

  create(item: RecordToSave, record: DataRecordRow): void {
    this.#put({ record, steps: [{ item, before: undefined, after: record }] });
  }

  change(item: RecordToSave, before: DataRecordRow, after: DataRecordRow): void {
    const write = this.#writeOf(before);
    if (before.externalId !== after.externalId) {
      if (before.externalId !== null) this.#byExternalId.delete(before.externalId);
      if (after.externalId !== null) this.#byExternalId.set(after.externalId, write);
    }
    if (after.isSingle) {
      this.#singles.delete(before.memberId);
      this.#singles.set(after.memberId, write);
    }
    write.steps.push({ item, before, after });
    write.record = after;
  }

  #writeOf(record: DataRecordRow): RecordWrite {
    return this.#writes.get(record.id) ?? this.#put({ record, steps: [] });
  }

  #put(write: RecordWrite): RecordWrite {
    const { id, externalId, memberId, isSingle, retiredAt } = write.record;
    this.#writes.set(id, write);
    if (externalId !== null) this.#byExternalId.set(externalId, write);
    if (isSingle && retiredAt === null) this.#singles.set(memberId, write);
    return write;
  }
}
