import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Status } from '../kit/page.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Call, isLive } from './queries.js';
import { useCallTexts } from './texts.js';

/** Who is on the other side, as far as one may know. */
export function CallLink({ call }: { call: Call }): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/calls/$callId" params={{ workspace: uuid, callId: String(call.id) }}>
      <span dir="auto">{nameOf(call) ?? texts.unknown}</span>
    </Link>
  );
}

export const nameOf = ({ member }: Call): string | undefined => member?.name ?? member?.phone ?? undefined;

export function CallState({ call }: { call: Call }): ReactNode {
  const texts = useCallTexts();
  const tone = isLive(call) ? 'done' : call.status === 'failed' ? 'danger' : 'quiet';
  return <Status tone={tone}>{texts.states[call.status]}</Status>;
}

/** How a call came out; a reason that the console has no word for is shown as the API calls it. */
export function useOutcome(): (call: Call) => string | undefined {
  const texts = useCallTexts();
  return ({ terminationReason: reason }) => (reason === null ? undefined : wordsOf(reason, texts.outcomes));
}
