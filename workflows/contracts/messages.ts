import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CancelRequest, CancelResult, SelectTaskRequest, SelectTaskResult } from './commands.js';

/** A poke: something in the database has changed. It has no payload; the run reads the change from the database. */
export const pokeSignal = defineSignal('poke');

export const selectTaskUpdate = defineUpdate<SelectTaskResult, [SelectTaskRequest]>('selectTask');

export const cancelUpdate = defineUpdate<CancelResult, [CancelRequest]>('cancel');
