import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { webhookHeaders } from '../../domain/webhooks/sign-webhook.js';

const page = await readFile('docs/webhooks.md', 'utf8');

it('shows a delivery as it is', () => {
  const [, head = '', body = ''] = /```http\nPOST .*\n([^`]*?)\n\n(.*)\n```/.exec(page) ?? [];
  const shown = Object.fromEntries(head.split('\n').map((line) => line.split(': ', 2)));
  const [secret = ''] = /whsec_[\w+/=]{20,}/.exec(page) ?? [];
  const { id, createdAt } = JSON.parse(body) as { id: string; createdAt: string };
  expect(shown).toEqual({
    ...webhookHeaders({ eventUuid: id, body, secrets: [secret], at: new Date(createdAt) }),
    'Content-Type': 'application/json',
    'User-Agent': 'workspace-engagement-service',
  });
  expect(new Webhook(secret).sign(id, new Date(createdAt), body)).toBe(shown['webhook-signature']);
});
