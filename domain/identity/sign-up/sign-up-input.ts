import type { FieldValues } from '../../records/field-values.js';

/** The person who signs up, as the workspace knows them. Null means the same as a field that is left out. */
export interface SignUpMember {
  email?: string | null;
  phone?: string | null;
  name?: string | null;
  /** `YYYY-MM-DD` */
  dateOfBirth?: string | null;
  externalId?: string | null;
  /** The name of a role; by default the first non-admin role. */
  role?: string | null;
  locale?: string | null;
  tosAccepted?: boolean | null;
  /** Slugs. */
  labels?: readonly string[] | null;
}

/** A data record of the person who signs up. */
export interface SignUpRecord {
  externalId?: string | null;
  values: FieldValues;
}

export interface SignUpInput {
  member: SignUpMember;
  /** By the slug of the data type. */
  data?: Readonly<Record<string, SignUpRecord>>;
}
