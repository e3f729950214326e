import { removeImportsEndedBefore } from '../../../db/people/member-imports.js';
import type { ServiceContext } from '../../kernel/context.js';
import { importLimits } from './limits.js';

const batchSize = 1_000;

/** Deletes the imports of a workspace that have ended a day ago, of which nobody asks any more what became. */
export async function forgetOldImports(
  { db, clock }: ServiceContext,
  workspaceId: number,
  onBatch: () => void = () => {},
): Promise<void> {
  const before = new Date(clock.now().getTime() - importLimits.keptMs);
  for (let removed = batchSize; removed === batchSize; ) {
    removed = await db.inWorkspace(workspaceId, (tx) => removeImportsEndedBefore(tx, before, batchSize));
    onBatch();
  }
}
