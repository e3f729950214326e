import type { ModelAnswer } from '../../agent/store-model-answer.js';
import { maxLabelsGiven, maxSummaryLength, maxTitleLength, summaryToolName } from './summary-prompt.js';

export interface Summary {
  title: string;
  summary: string;
  /** As the model wrote them: they may not exist. */
  labelIds: number[];
}

/** Reads what the model answered, by the tool or as JSON; undefined if it is no summary. */
export function readSummary({
  toolCalls,
  content,
}: Pick<ModelAnswer, 'toolCalls' | 'content'>): Summary | undefined {
  const call = toolCalls.find(({ name }) => name === summaryToolName);
  const written = parse(call?.arguments ?? content ?? '');
  const title = plain(written.title, maxTitleLength).replaceAll('\n', ' ');
  const summary = plain(written.summary, maxSummaryLength);
  if (title === '' || summary === '') return undefined;
  const { labelIds } = written;
  const ids = Array.isArray(labelIds) ? labelIds.filter((id): id is number => Number.isSafeInteger(id)) : [];
  return { title, summary, labelIds: [...new Set(ids)].slice(0, maxLabelsGiven) };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** All but line ends of what moves the cursor, hides text or changes its direction. */
const unwanted = /[^\P{C}\n\u200c\u200d]/gu;

/** A text of the model for people: without control characters, trimmed, and cut after so many characters. */
function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const text = value
    .slice(0, 4 * most)
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, ' ')
    .replace(unwanted, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
