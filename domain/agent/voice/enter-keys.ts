import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import type { Tx } from '../../../db/tx.js';
import { lockEnteringMachine } from '../../assignments/machine/machine.js';
import { defaultAgentBudgets } from '../../kernel/agent-budgets.js';
import type { OutreachContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { enterIdentityKeys } from '../identity/prove-identity.js';
import { readSituation } from '../read-situation.js';
import { saveData } from '../tools/save-data.js';
import type { LockedBridgedCall } from './bridged-call.js';

const notExpected =
  'The keys were not expected any more, and are not stored. Ask again if something is missing.';

/**
 * Stores the value of a sensitive field that the caller has entered by keys, as the tool of the task does, but in the record alone.
 * @returns what the model is told, which does not have the value
 */
export async function enterKeys(
  tx: Tx,
  { chat }: LockedBridgedCall,
  { slug, digits }: { slug: string; digits: string },
  { now, defaultRegion, outreach, agentBudgets: budgets = defaultAgentBudgets }: EnteringContext,
): Promise<string> {
  const proof = await enterIdentityKeys(await readSituation(tx, chat, now), { slug, digits }, defaultRegion);
  if (proof !== undefined) return proof;
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status !== 'active') return notExpected;
  const machine = await lockEnteringMachine(tx, assignment.id, { outreach, now, ofRun: false });
  const situation = await readSituation(tx, chat, now, machine);
  const field = situation.collects?.fields.find((one) => one.slug === slug && one.sensitive === true);
  if (machine === undefined || machine.isHeld || field === undefined) return notExpected;
  const name = JSON.stringify(field.name);
  const value = field.fieldType === 'text' ? digits : Number(digits);
  const performer = { by: 'agent', memberId: chat.assistantMemberId, inTurn: true } as const;
  try {
    if (digits === '' || Number.isNaN(value)) throw InvalidInput.field(`/${slug}`, 'is no number');
    await saveData.perform({ ...situation, machine, defaultRegion, performer, budgets }, { [slug]: value });
    return `The caller has entered ${name} by keys. It is stored, and you do not see it. Go on.`;
  } catch (error) {
    // Its message may quote the value.
    if (!(error instanceof InvalidInput)) throw error;
    return `What the caller has entered for ${name} does not fit. Ask for it once more, by keys.`;
  }
}

interface EnteringContext extends Omit<OutreachContext, 'db' | 'clock'> {
  now: Date;
  /** Of phone numbers without a country code. */
  defaultRegion: string;
}
