import { problemOfImage, problemOfLink } from './addresses.js';

/** One attribute of a node or a mark. */
export interface AttributeRule {
  /** The value if none is given; undefined: one has to be given. */
  default?: unknown;
  /** Why a value is refused; undefined: it is accepted. */
  problem(value: unknown): string | undefined;
  /** Editors write it, and it has no effect: it is checked and not stored. */
  ignored?: boolean;
}

export type AttributeRules = Readonly<Record<string, AttributeRule>>;

export function integer(minimum: number, maximum: number, byDefault: number | null): AttributeRule {
  return {
    default: byDefault,
    problem: (value) =>
      (value === null && byDefault === null) ||
      (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum)
        ? undefined
        : `must be an integer from ${minimum} to ${maximum}`,
  };
}

export function flag(): AttributeRule {
  return {
    default: false,
    problem: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  };
}

/** A text that is shown, or none. */
export function text(maxLength: number): AttributeRule {
  return {
    default: null,
    problem: (value) =>
      value === null || (typeof value === 'string' && value.length <= maxLength)
        ? undefined
        : `must be a text of at most ${maxLength} characters`,
  };
}

/** One of some values, or none. */
export function oneOf(...values: string[]): AttributeRule {
  return {
    default: null,
    problem: (value) =>
      value === null || values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`,
  };
}

export function matching(pattern: RegExp, form: string): AttributeRule {
  return {
    default: null,
    problem: (value) =>
      value === null || (typeof value === 'string' && value.length <= 100 && pattern.test(value))
        ? undefined
        : `must be ${form}`,
  };
}

export const linkAddress: AttributeRule = {
  problem: (value) => (typeof value === 'string' ? problemOfLink(value) : 'must be a text'),
};

export const imageAddress: AttributeRule = {
  problem: (value) => (typeof value === 'string' ? problemOfImage(value) : 'must be a text'),
};

/** The widths of the columns below a cell, in pixels, by which editors draw a table. */
export const columnWidths: AttributeRule = {
  default: null,
  problem: (value) =>
    value === null ||
    (Array.isArray(value) &&
      value.length <= maxColumns &&
      value.every((width) => width === null || (Number.isInteger(width) && width >= 0 && width <= 10_000)))
      ? undefined
      : `must be up to ${maxColumns} widths in pixels`,
};

export const maxColumns = 50;

export function ignored(rule: AttributeRule): AttributeRule {
  return { ...rule, ignored: true };
}
