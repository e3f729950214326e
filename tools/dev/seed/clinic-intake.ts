import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import type { NewDataType } from '../../../domain/records/data-types/create-data-type.js';

export const intakeDataType: NewDataType = {
  name: 'Intake',
  slug: 'intake',
  isCollection: false,
  fields: [
    { slug: 'full_name', name: 'Full name', fieldType: 'text', required: true, shouldIndex: true },
    { slug: 'date_of_birth', name: 'Date of birth', fieldType: 'date', required: true },
    { slug: 'reason', name: 'Reason for the visit', fieldType: 'textarea', required: true },
    { slug: 'pain_level', name: 'Pain from 0 to 10', fieldType: 'integer', required: true, min: 0, max: 10 },
  ],
};

/** Who takes calls that the agent transfers. */
export const frontDesk = {
  name: 'front_desk',
  phoneNumber: '+15555550160',
  description: 'Appointments, and whatever else a person has to decide',
};

const nameIsKnown = 'member.form_data.intake.full_name != ""';
const agreed = '"Agreed" in tasks.visited';

/** The demo's workflow: every type of task except calls, with a transfer of calls, guards, conditions and abilities. */
export const clinicIntake: RevisionTask = {
  name: 'Welcome',
  taskType: 'conversation',
  required: true,
  prompt:
    'Greet the member and ask whether they have time now: "Hello, this is the clinic. Shall we prepare your first visit now? It takes two minutes. Please answer yes or no." Answer questions about the clinic from its files, by search_files.',
  abilities: [
    { abilityType: 'handoff' },
    { abilityType: 'schedule_follow_up' },
    { abilityType: 'search_files' },
    { abilityType: 'forward_call', config: { targets: [frontDesk], ringSeconds: 20 } },
  ],
  children: [
    {
      name: 'Begin',
      taskType: 'message',
      choicePrompt: 'Yes, prepare the visit now',
      autoNext: true,
      configuration: { text: 'Thank you. A few questions follow; write STOP at any time to end.' },
      children: [
        {
          name: 'Your details',
          taskType: 'collect',
          required: true,
          autoNext: true,
          prompt: 'Ask for one thing at a time.',
          configuration: {
            dataTypeSlug: 'intake',
            fieldSlugs: ['full_name', 'date_of_birth'],
            atMost: 'P14D',
          },
        },
        {
          name: 'Reason',
          taskType: 'collect',
          required: true,
          autoNext: true,
          celGuard: nameIsKnown,
          prompt: 'Find out why the member wants to come, and how bad the pain is.',
          configuration: { dataTypeSlug: 'intake', fieldSlugs: ['reason', 'pain_level'], atMost: 'P14D' },
        },
        {
          name: 'No answer',
          taskType: 'conclude',
          celCondition: '"Your details" in tasks.timed_out || "Reason" in tasks.timed_out',
          configuration: {
            outcome: 'no_answer',
            outcomeReason: 'The member has not answered for two weeks.',
          },
        },
        {
          name: 'Triage',
          taskType: 'decision',
          autoNext: true,
          celGuard: nameIsKnown,
          children: [
            {
              name: 'Nurse',
              taskType: 'handoff',
              autoNext: true,
              celCondition: 'member.form_data.intake.pain_level >= 8',
              configuration: { reason: 'The pain is 8 or more' },
            },
            {
              name: 'Routine',
              taskType: 'message',
              autoNext: true,
              configuration: {
                text: 'Thank you, {{ member.form_data.intake.full_name }}. A regular appointment will do.',
              },
            },
          ],
        },
        {
          name: 'Consent',
          taskType: 'conversation',
          required: true,
          celGuard: nameIsKnown,
          prompt:
            'Ask for consent: "Do you agree that the clinic keeps these answers for your visit? Please answer yes or no."',
          abilities: [{ abilityType: 'read_data', config: { dataTypeSlug: 'intake' } }],
          children: [
            {
              name: 'Declined',
              taskType: 'conclude',
              choicePrompt: 'No, the member does not agree',
              configuration: { outcome: 'consent_declined', outcomeReason: 'The member did not agree.' },
            },
            {
              name: 'Agreed',
              taskType: 'message',
              choicePrompt: 'Yes, the member agrees',
              autoNext: true,
              configuration: { text: 'Thank you. We are looking for a time for you.' },
            },
          ],
        },
        {
          name: 'Find a time',
          taskType: 'wait',
          autoNext: true,
          celGuard: agreed,
          configuration: { for: 'PT5S' },
        },
        {
          name: 'Appointment',
          taskType: 'message',
          autoNext: true,
          celGuard: agreed,
          configuration: {
            text: 'Your visit is prepared. Someone from the clinic will confirm the day with you.',
          },
        },
        {
          name: 'Done',
          taskType: 'conclude',
          celGuard: agreed,
          configuration: {
            outcome: 'intake_complete',
            outcomeReason: 'Everything for the first visit is known.',
          },
        },
      ],
    },
    {
      name: 'Not now',
      taskType: 'conclude',
      choicePrompt: 'No, not now',
      configuration: { outcome: 'postponed', outcomeReason: 'The member has no time now.' },
    },
  ],
};
