import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';

/** A conversation that says one sentence and waits. */
export const talk = (name: string, sentence: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: `Say "${sentence}"`,
  abilities: [{ abilityType: 'handoff' }],
  ...more,
});

/** A room with three doors, one of them locked until another was used. */
export const doors: RevisionTask = talk('Hall', 'Welcome to the hall.', {
  children: [
    talk('Open', 'You are in the open room.', { choicePrompt: 'The open room' }),
    talk('Locked', 'You are in the locked room.', {
      choicePrompt: 'The locked room',
      celGuard: '"Open" in tasks.visited',
    }),
    { name: 'Exit', taskType: 'conclude', choicePrompt: 'The exit', configuration: { outcome: 'left' } },
  ],
});
