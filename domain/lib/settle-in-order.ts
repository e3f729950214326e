/**
 * Awaits what was asked for together. Where several of them fail, the first in their order tells why, whichever
 * failed first in time: what is reported does not depend on how they are asked.
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
