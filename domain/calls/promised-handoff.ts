import { type PhoneCallRow, selectAgentActsOfCall } from '../../db/calls/phone-calls.js';
import type { Tx } from '../../db/tx.js';

/** Words by which an agent says that it connects the caller with a person, or that a person will call, by language. */
const promises: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    /\b(i'?ll|i will|i am|i'?m|let me) ((now|just|going to) )*(connect|transfer|put|hand|pass|forward)(t?ing|r?ing|ing)? (you|this call|your call)\b/,
    /\b(colleague|person|human|representative|somebody|someone)( \w+){0,3} (will|is going to) (take over|answer|call|contact|get back)/,
  ],
  de: [
    /\b(verbinde|stelle|gebe) (ich )?(sie|dich)\b/,
    /\bleite (ich )?(sie|dich|ihren anruf|deinen anruf) .*weiter\b/,
    /\b(kolleg|mitarbeiter)\w* .*(ruft|meldet sich|übernimmt)/,
  ],
  fr: [
    /\bje (vous|te) (transfère|passe|connecte|mets en relation)/,
    /\b(collègue|conseiller|conseillère) .*(rappelle|recontacte|prend le relais)/,
  ],
  es: [/\b(le|te|lo|la) (paso|transfiero|comunico|conecto)\b/, /\b(compañer|colega).* (llamará|contactará)/],
  it: [/\b(la|ti) (passo|trasferisco|collego|metto in contatto)\b/, /\bcolleg.* (richiamerà|contatterà)/],
  pt: [/\b(vou|irei) (transferir|passar|encaminhar)/, /\bcolega.* (ligará|entrará em contato)/],
  nl: [/\b(ik verbind|verbind ik) (u|je)\b/, /\bcollega.* (belt|neemt contact)/],
};
const anyPromise = Object.values(promises).flat();

/** What is asked, or depends on something, is an offer. */
const offer = /\?$|\b(if|wenn|falls|sofern|si|se|als)\b/;

/** Whether an agent promises in these words that a person takes over: a guess, by the wording. */
export function promisesHandoff(text: string): boolean {
  const sentences = text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/(?<=[.!?…])\s+/);
  return sentences.some((one) => !offer.test(one.trim()) && anyPromise.some((promise) => promise.test(one)));
}

/** Whether a tool keeps such a promise: not a transfer that was refused. */
function keeps(tool: string, { transferBlockedReason }: PhoneCallRow): boolean {
  return tool === 'handoff' || (tool === 'forward_call' && transferBlockedReason === null);
}

/** Whether the agent has said in a call that a person takes over, and has called no tool that would have it so. */
export async function hasPromisedInVain(tx: Tx, call: PhoneCallRow): Promise<boolean> {
  if (call.startedAt === null || call.transferStatus !== null) return false;
  if (call.endedBy === 'transfer' || call.endedBy === 'handoff') return false;
  const acts = await selectAgentActsOfCall(tx, call.id);
  const isKept = acts.some(({ tools }) => tools.some((name) => keeps(name, call)));
  return !isKept && acts.some(({ text }) => text !== null && promisesHandoff(text));
}
