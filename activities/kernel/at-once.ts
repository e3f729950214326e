/** Runs `work` for all items, at most `limit` at a time. Fails with the first failure. */
export async function atOnce<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const takeTurns = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeTurns));
}
