import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../support/db/database.js';
import { FailingCommits } from '../../../../support/faults/failing-commits.js';
import { namesOf, toldDuring } from '../../../../support/webhooks/told-events.js';
import type { TestWorkspace } from '../../../../support/workspace/factories.js';

/** One way to change something, and what receivers are told of it. */
export interface PathCase {
  path: string;
  /** What has to be there before; whatever it returns, `act` is given. */
  given?: () => Promise<number>;
  act: (id: number) => Promise<object | undefined>;
  told: readonly string[];
  /** It is refused; all others are answered well. */
  refused?: boolean;
}

/**
 * That each path tells what it should, once, as declared; and where its transaction fails at the very end, nothing, of
 * which nothing is left.
 */
export function describePaths(
  suite: { readonly database: TestDatabase; readonly workspace: TestWorkspace },
  cases: readonly PathCase[],
): void {
  let commits: FailingCommits;
  beforeAll(async () => {
    commits = await FailingCommits.prepare(suite.database);
  });
  afterAll(() => commits.close());

  describe.each(cases)('$path', ({ given, act, told, refused = false }) => {
    it(`tells ${told.length === 0 ? 'nothing' : told.join(', ')}`, async () => {
      const id = (await given?.()) ?? 0;

      let answer: object | undefined;
      const events = await toldDuring(suite.workspace, async () => {
        answer = await act(id);
      });

      expect(namesOf(events)).toEqual(told);
      if (answer !== undefined && 'status' in answer) expect(Number(answer.status) >= 400).toBe(refused);
    });

    if (told.length === 0) return;
    it('leaves nothing where its transaction fails as it commits', async () => {
      const id = (await given?.()) ?? 0;
      const stored = await commits.stored();

      expect(await commits.during(() => act(id))).toBe(stored);
      const events = await toldDuring(suite.workspace, () => act(id));
      expect(namesOf(events)).toEqual(told);
    });
  });
}
