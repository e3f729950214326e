import type { Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { pokeSignal } from '../../workflows/contracts/messages.js';
import { isRunType, type RunEntry } from '../../workflows/contracts/runs.js';
import { runOptions } from '../temporal/run-options.js';
import type { DueEntry } from './outbox-reader.js';

/** The run type is unknown to this build: waiting does not help. */
export class UnknownRunType extends Error {
  override readonly name = 'UnknownRunType';
}

const deadlineMs = 5_000;

/**
 * Delivers one entry to Temporal: starts the run, or signals it with start (a poke). It is idempotent. A run that has
 * closed for good is `closed`: what it missed is in the database, for the reconciler.
 */
export async function deliverEntry(client: Client, entry: DueEntry): Promise<'delivered' | 'closed'> {
  if (!isOfKnownRun(entry)) throw new UnknownRunType(entry.runType);
  const { runType, action } = entry;
  const options = runOptions(entry);
  try {
    await client.withDeadline(Date.now() + deadlineMs, async () => {
      if (action === 'start') await client.workflow.start(runType, options);
      else await client.workflow.signalWithStart(runType, { ...options, signal: pokeSignal, signalArgs: [] });
    });
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'closed';
    throw error;
  }
}

/** `writeOutbox` gives each entry the input of its run type. */
function isOfKnownRun(entry: DueEntry | RunEntry): entry is RunEntry {
  return isRunType(entry.runType);
}
