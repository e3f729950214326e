/** What a field for numbers shows; nothing where there is none, or where it is being written. */
export const numberText = (value: number | null | undefined): number | string =>
  value === null || value === undefined || Number.isNaN(value) ? '' : value;
