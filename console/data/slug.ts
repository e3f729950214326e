/** A slug that a name may have. */
export function slugOf(name: string): string {
  const words =
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('_').slice(0, 63);
}
