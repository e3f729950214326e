import type { Schemas } from '../kit/api.js';

type Participant = Schemas['ChatParticipantResponse'];

/** The member that a chat is about; undefined once it was deleted. */
export function memberOf({
  participants,
}: Pick<Schemas['ChatResponse'], 'participants'>): Participant | undefined {
  return participants.find(({ role, memberType }) => role === 'user' && memberType === 'human');
}
