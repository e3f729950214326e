import type { FollowUpView } from '../../../../domain/conversations/chats/list-follow-ups.js';
import type { FollowUpResponse } from './schemas.js';

export function presentFollowUp(followUp: FollowUpView): FollowUpResponse {
  return {
    id: followUp.id,
    uuid: followUp.uuid,
    chatId: followUp.chatId,
    status: statusOf(followUp),
    dueAt: followUp.dueAt.toISOString(),
    instructions: followUp.instructions,
    scheduledByMemberId: followUp.scheduledByMemberId,
    createdAt: followUp.createdAt.toISOString(),
    firedAt: followUp.firedAt?.toISOString() ?? null,
    cancelledAt: followUp.cancelledAt?.toISOString() ?? null,
    cancelledByMemberId: followUp.cancelledByMemberId,
  };
}

function statusOf({ firedAt, cancelledAt }: FollowUpView): FollowUpResponse['status'] {
  if (firedAt !== null) return 'fired';
  return cancelledAt === null ? 'pending' : 'cancelled';
}
