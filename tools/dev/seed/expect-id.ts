/** The database was not empty, so an object has another id than the examples name. */
export class OtherId extends Error {
  override name = 'OtherId';
}

/** @throws OtherId */
export function expectId(what: string, { id }: { id: number }, expected: number): void {
  if (id !== expected) throw new OtherId(`the example ${what} has the id ${id} instead of ${expected}`);
}
