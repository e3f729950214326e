import type { Page } from 'playwright-core';

/** Runs in the page: the caches of queries and acts are found by the tree of React. */
const script = `(async () => {
  const place = document.getElementById('console');
  const root = place[Object.keys(place).find((name) => name.startsWith('__reactContainer'))];
  const found = [];
  const walk = (fiber) => {
    for (let one = fiber; one; one = one.sibling) {
      const client = one.memoizedProps?.client;
      if (client?.getMutationCache !== undefined) {
        for (const cache of [client.getQueryCache(), client.getMutationCache()])
          found.push(...cache.getAll().map(({ state }) => state));
      }
      walk(one.child);
    }
  };
  walk(root.child);
  if (found.length === 0) throw new Error('there is no cache of queries');
  return JSON.stringify([
    found,
    [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    await caches.keys(),
    performance.getEntries().map(({ name }) => name),
    { ...localStorage },
    { ...sessionStorage },
    history.state,
    location.href,
  ]);
})()`;

/** Everything that a window of the console keeps: the page, addresses, storage, and what it has read and sent. */
export async function keptByWindow(page: Page): Promise<string> {
  return `${await page.evaluate(script)}${await page.content()}`;
}
