import type { FieldValues } from '../../records/field-values.js';

/** Who signs up, as their workspace knows them. Null says as little as what is left out. */
export interface SignUpMember {
  email?: string | null;
  phone?: string | null;
  name?: string | null;
  /** `YYYY-MM-DD` */
  dateOfBirth?: string | null;
  externalId?: string | null;
  /** A role's name; the first non-admin role where it is left out. */
  role?: string | null;
  locale?: string | null;
  tosAccepted?: boolean | null;
  /** Slugs. */
  labels?: readonly string[] | null;
}

/** A record of who signs up. */
export interface SignUpRecord {
  externalId?: string | null;
  values: FieldValues;
}

export interface SignUpInput {
  member: SignUpMember;
  /** By the slug of the data type. */
  data?: Readonly<Record<string, SignUpRecord>>;
}
