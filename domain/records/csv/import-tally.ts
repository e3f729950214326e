import type { DomainError } from '../../lib/errors.js';

/** The outcome of one row. A result of `writeRecords` is one, too. */
export type RowOutcome =
  | { status: 'created' | 'updated' | 'unchanged' }
  | { status: 'failed'; errors: readonly { message: string }[] };

export function failedBy(refusal: DomainError): RowOutcome & { status: 'failed' } {
  return { status: 'failed', errors: refusal.errors.length > 0 ? refusal.errors : [refusal] };
}

interface ImportCounts {
  total: number;
  success: number;
  failed: number;
  created: number;
  updated: number;
  unchanged: number;
}

/** The progress of an import (specification, member import 2). */
export interface ImportProgress extends ImportCounts {
  type: 'progress';
  current: number;
}

/** The result of an import (specification, member import 3). */
export interface ImportResult extends ImportCounts {
  type: 'complete';
  /** Errors of the first 1,000 failed rows, each beginning with `Row 7:`. */
  errors: string[];
  /** Numbers of all failed rows. */
  failedRows: number[];
  /** The rows that failed as a CSV file, with the reason in a last column, where it is asked for. */
  failedRowsFile?: string;
  /** How many rows that file has: the first ones that failed. */
  failedRowsInFile?: number;
}

export interface FileImportResult extends ImportResult {
  /** Messages that name the skipped columns with the reasons. */
  columnsPassedOver: string[];
}

/** Limit for the reported errors. The numbers of failed rows are all reported. */
export const maxErrorsListed = 1_000;
const maxErrorLength = 500;

/** The message for a row that failed. */
export function errorOfRow(row: number, { errors }: RowOutcome & { status: 'failed' }): string {
  const why = errors.map(({ message }) => message).join('; ');
  return `Row ${row}: ${why}`.slice(0, maxErrorLength);
}

export class ImportTally {
  readonly #counts = { created: 0, updated: 0, unchanged: 0 };
  readonly #failedRows: number[] = [];
  readonly #errors: string[] = [];

  constructor(private readonly total: number) {}

  add(row: number, outcome: RowOutcome): void {
    if (outcome.status !== 'failed') {
      this.#counts[outcome.status] += 1;
      return;
    }
    this.#failedRows.push(row);
    if (this.#errors.length === maxErrorsListed) return;
    this.#errors.push(errorOfRow(row, outcome));
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
    return { total: this.total, success, failed: this.#failedRows.length, created, updated, unchanged };
  }
}
