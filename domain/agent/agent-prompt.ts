import { describeLocalTime } from '../lib/local-time.js';
import type { Choice } from './choices.js';

export interface PromptParts {
  assistantInstructions: string;
  /** Those of the assistant in this chat. */
  additionalInstructions?: string;
  memberName?: string | null;
  locale: string | null;
  channel: 'web-chat' | 'phone-sms' | 'phone-voice' | 'email';
  now: Date;
  timezone: string;
  /** The current task's ancestors, the root first. */
  ancestors: readonly { name: string; renderedPrompt: string }[];
  currentTask: { name: string; renderedPrompt: string };
  /** Names of the fields that a collect task still needs. */
  missingFields: readonly string[];
  choices: readonly Choice[];
  /** Names of required tasks that were not visited, once nothing else is left to do. */
  remainingRequired: readonly string[];
}

const channelHints: Record<PromptParts['channel'], string> = {
  'phone-sms': 'The chat is over SMS: write plain text, two or three short sentences, no markdown.',
  'phone-voice': 'This is a phone call: speak in short sentences, one question at a time, no lists.',
  'web-chat': 'The chat is on a web page: be brief; simple markdown is shown.',
  email: 'The chat is by email: write a complete, friendly message in simple markdown.',
};

/** The system prompt of a turn. Tests and simulators rely on the line `## Current task: <name>`. */
export function composeSystemPrompt(parts: PromptParts): string {
  return [
    parts.assistantInstructions.trim(),
    (parts.additionalInstructions ?? '').trim(),
    section('Situation', situationLines(parts)),
    ...parts.ancestors.map(({ name, renderedPrompt }) =>
      section(`Background: ${oneLine(name)}`, [renderedPrompt.trim()]),
    ),
    `## Current task: ${oneLine(parts.currentTask.name)}\n${parts.currentTask.renderedPrompt.trim()}`.trim(),
    section('Still missing', bullets(parts.missingFields)),
    section('Where to go next', choiceLines(parts.choices)),
    section('Required tasks that remain', bullets(parts.remainingRequired)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function situationLines({ memberName, locale, channel, now, timezone }: PromptParts): string[] {
  return [
    ...(memberName ? [`You are talking with ${quoted(memberName)}.`] : []),
    ...(locale ? [`Answer in the language of the locale ${oneLine(locale)}, unless they use another.`] : []),
    channelHints[channel],
    `It is ${describeLocalTime(now, timezone)}. Times that the member names are in this time zone.`,
    `In UTC it is ${now.toISOString()}.`,
  ];
}

function choiceLines(choices: readonly Choice[]): string[] {
  if (choices.length === 0) return [];
  return [
    'Take one of these with select_task as soon as it fits:',
    ...choices.map(({ uuid, text }) => `- ${uuid}: ${oneLine(text)}`),
  ];
}

function bullets(items: readonly string[]): string[] {
  return items.map((item) => `- ${oneLine(item)}`);
}

function section(title: string, lines: readonly string[]): string {
  const text = lines.filter((line) => line !== '').join('\n');
  return text === '' ? '' : `## ${title}\n${text}`;
}

/** Quotes text that the member chose, so that it cannot close the quotation marks. */
function quoted(text: string): string {
  return JSON.stringify(oneLine(text));
}

/** Names come from users: a line break in a name must not start a section of the prompt. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
