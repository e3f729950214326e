import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { webhookFailureReasons } from '../../api/resources/events/webhook-deliveries/schemas.js';
import { defaultRetryDelaysMs } from '../../domain/events/webhook-deliveries/schedule.js';
import { webhookHeaders } from '../../domain/events/webhooks/sign-webhook.js';
import { webhookFailureCodes } from '../../providers/webhook/webhook-sender.js';
import { blocksIn, firstCells, readPage } from '../readme/markdown.js';

const page = await readPage('docs/webhooks.md');

it('documents a delivery exactly as it is sent', () => {
  const [example = ''] = blocksIn(page, 'http');
  const [head = '', body = ''] = example.split('\n\n');
  const [, ...lines] = head.split('\n');
  const [secret = ''] = /whsec_[\w+/=]{20,}/.exec(page.text) ?? [];
  const { id, createdAt } = JSON.parse(body) as { id: string; createdAt: string };
  const at = new Date(createdAt);

  const shown = Object.fromEntries(lines.map((line) => line.split(': ', 2)));
  expect(shown).toEqual({
    ...webhookHeaders({ eventUuid: id, body, secrets: [secret], at }),
    'Content-Type': 'application/json',
    'User-Agent': 'workspace-engagement-service',
  });
  expect(new Webhook(secret).sign(id, at, body)).toBe(shown['webhook-signature']);
});

it('documents every failure code of a webhook attempt', () => {
  expect(firstCells(page, 'Answers and retries')).toEqual([
    ...webhookFailureCodes,
    'lost',
    'lost_repeatedly',
    'secret_unreadable',
  ]);
});

it('documents every failure reason of a webhook delivery', () => {
  expect(firstCells(page, 'Redelivery and missed events')).toEqual([...webhookFailureReasons]);
});

it('documents the retry schedule of webhooks', () => {
  const lengths = { second: 1_000, minute: 60_000, hour: 3_600_000 };
  const rows = [...page.text.matchAll(/^\| \d+ \| (\d+)(?: (second|minute|hour)s?)? \|/gm)];
  const delays = rows.map(
    ([, count, unit = 'second']) => Number(count) * lengths[unit as keyof typeof lengths],
  );
  expect(delays).toEqual(defaultRetryDelaysMs);
});
