/** What an agent may do before a person has to look: little, so that a storm meets these bounds. */
export const agentBounds = { unattendedTurns: 8, unattendedFollowUps: 3, pendingFollowUps: 2 };

/** What a machine answers for a member: a sentence, as a word or two are what people repeat. */
export const absenceNotice = 'I am away until Monday and read no messages.';
