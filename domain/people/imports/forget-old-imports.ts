import { removeImportsEndedBefore } from '../../../db/people/member-imports.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type Batch, batchOf } from '../../kernel/retention.js';
import { importLimits } from './limits.js';

const batchSize = 1_000;

/** Deletes a batch of the imports of a workspace that have ended a day ago, of which nobody asks any more what became. */
export async function forgetOldImports({ db, clock }: ServiceContext, workspaceId: number): Promise<Batch> {
  const before = new Date(clock.now().getTime() - importLimits.keptMs);
  const remove = () => db.inWorkspace(workspaceId, (tx) => removeImportsEndedBefore(tx, before, batchSize));
  return batchOf(await remove(), batchSize);
}
