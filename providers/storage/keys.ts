const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const keyForm = new RegExp(`^${uuid}/${uuid}$`);

/** The key, checked: on disk it becomes a path. @throws TypeError */
export function checkedKey(key: string): string {
  if (keyForm.test(key)) return key;
  throw new TypeError('A key of the storage has to be <workspace uuid>/<object uuid>.');
}

export const segmentsPrefix = (key: string): string => `${checkedKey(key)}.segments/`;

/** @throws TypeError */
export function segmentKey(key: string, number: number): string {
  if (Number.isSafeInteger(number) && number >= 1) return `${segmentsPrefix(key)}${number}`;
  throw new TypeError('Segments are numbered from 1.');
}
