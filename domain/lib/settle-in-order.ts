/**
 * Awaits promises that were started together. If several of them reject, throws the reason of the first in argument
 * order, so that the reported error does not depend on timing.
 */
export async function settleInOrder<T extends readonly unknown[]>(
  ...asked: T
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  const settled = await Promise.allSettled(asked);
  const values = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  return values as { -readonly [Place in keyof T]: Awaited<T[Place]> };
}
