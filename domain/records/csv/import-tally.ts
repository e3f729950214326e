import type { DomainError } from '../../lib/errors.js';

/** What became of one row. What `writeRecords` tells of a record is one. */
export type RowOutcome =
  | { status: 'created' | 'updated' | 'unchanged' }
  | { status: 'failed'; errors: readonly { message: string }[] };

/** A row that a command refused. */
export function failedBy(refusal: DomainError): RowOutcome & { status: 'failed' } {
  return { status: 'failed', errors: refusal.errors.length > 0 ? refusal.errors : [refusal] };
}

/** How far an import is (specification, member import 2). */
export interface ImportCounts {
  total: number;
  success: number;
  failed: number;
  created: number;
  updated: number;
  unchanged: number;
}

export interface ImportProgress extends ImportCounts {
  type: 'progress';
  /** Rows that were gone through. */
  current: number;
}

/** What became of an import (specification, member import 3). */
export interface ImportResult extends ImportCounts {
  type: 'complete';
  /** What was wrong, row by row, each beginning with `Row 7:`; of the first rows that failed, a thousand at most. */
  errors: string[];
  /** Every row that failed. */
  failedRows: number[];
}

/** The result of a file whose columns are told as well. */
export interface FileImportResult extends ImportResult {
  /** Which columns were passed over, and why. */
  columnsPassedOver: string[];
}

/** Nobody reads more of them; which rows failed is told of all. */
export const mostErrorsListed = 1_000;
const longestErrorTold = 500;

/** Counts what becomes of the rows of an import. */
export class ImportTally {
  readonly #counts = { created: 0, updated: 0, unchanged: 0 };
  readonly #failedRows: number[] = [];
  readonly #errors: string[] = [];
  readonly #total: number;

  constructor(total: number) {
    this.#total = total;
  }

  add(row: number, outcome: RowOutcome): void {
    if (outcome.status !== 'failed') {
      this.#counts[outcome.status] += 1;
      return;
    }
    this.#failedRows.push(row);
    if (this.#errors.length === mostErrorsListed) return;
    const why = outcome.errors.map(({ message }) => message).join('; ');
    this.#errors.push(`Row ${row}: ${why}`.slice(0, longestErrorTold));
  }

  progress(): ImportProgress {
    const counts = this.#sums();
    return { type: 'progress', current: counts.success + counts.failed, ...counts };
  }

  result(): ImportResult {
    return { type: 'complete', ...this.#sums(), errors: this.#errors, failedRows: this.#failedRows };
  }

  #sums(): ImportCounts {
    const { created, updated, unchanged } = this.#counts;
    const success = created + updated + unchanged;
    return { total: this.#total, success, failed: this.#failedRows.length, created, updated, unchanged };
  }
}
