/** A value that an expression can read: JSON values, and dates for timestamps. */
export type CelValue =
  | null
  | boolean
  | number
  | string
  | Date
  | readonly CelValue[]
  | { readonly [key: string]: CelValue | undefined };

/** Values of one data record, by field slug. */
export type CelRecord = { readonly [fieldSlug: string]: CelValue | undefined };

/**
 * Limits on the records of a member that are loaded for expressions. A single record of the maximum size always fits.
 */
export const celDataBounds = { maxRecords: 200, maxBytes: 512 * 1_024 };

/**
 * The variables of expressions and templates (design section 6). A context must not change after its first use, because
 * its bounded copy and its results are cached.
 */
export interface CelContext {
  readonly member: {
    readonly id: number;
    readonly name: string | null;
    readonly locale: string | null;
    /** Slugs. */
    readonly labels: readonly string[];
    /** Single records, by data type slug. */
    readonly form_data: { readonly [dataTypeSlug: string]: CelRecord };
    /** Records of collections, oldest first, by data type slug. */
    readonly data: { readonly [dataTypeSlug: string]: readonly CelRecord[] };
    /** Slugs of the data types of which the member has more records than are loaded. The newest records are loaded. */
    readonly partial_data: readonly string[];
  };
  readonly assignment: {
    readonly id: number | null;
    readonly status: string;
    readonly is_test: boolean;
    readonly [key: string]: CelValue | undefined;
  };
  readonly chat: {
    readonly id: number | null;
    readonly channel: string;
    readonly [key: string]: CelValue | undefined;
  };
  /** Names of tasks. */
  readonly tasks: {
    readonly visited: readonly string[];
    readonly completed: readonly string[];
    readonly current: string | null;
  };
  /** The call in progress or just ended, if there is one. */
  readonly call: { readonly [key: string]: CelValue | undefined } | null;
  readonly now: Date;
}

/** The variables that an expression may use. */
export const celVariables = ['member', 'assignment', 'chat', 'tasks', 'call', 'now'] as const;
