import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../api/http/error-codes.js';
import { HttpProblem, toProblem } from '../../../api/http/problem.js';
import { routes } from '../../../api/resources/index.js';
import { deliveryFailureReasons } from '../../../domain/channels/deliveries/failure-reasons.js';
import { Conflict, InvalidInput } from '../../../domain/lib/errors.js';

const tables = ['domain/lib/error-codes.ts', 'api/http/error-codes.ts'];

describe('the error codes', () => {
  it('are declared once per status, in the form of a code, each with a sentence', () => {
    const keys = errorCodes.map(({ status, code }) => `${status} ${code}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { code, meaning } of errorCodes) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(meaning, code).toMatch(/^[A-Z`].*\.$/);
    }
  });

  it('do not compile unless they are declared for the kind of the error', () => {
    // @ts-expect-error not declared
    const undeclared = new Conflict('no_such_code', 'No.');
    // @ts-expect-error declared for conflicts only
    const ofAnotherKind = new InvalidInput('workflow_archived', 'No.');
    // @ts-expect-error declared for 400 only
    const ofAnotherStatus = new HttpProblem(413, 'malformed_body', 'No.');
    for (const error of [undeclared, ofAnotherKind, ofAnotherStatus]) expect(error).toBeInstanceOf(Error);
  });

  it('are all used', () => {
    const files = ['api', 'domain', 'media', 'providers', 'runtime', 'workflows'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    );
    const sources = files
      .filter((file) => file.endsWith('.ts') && !tables.includes(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const unused = errorCodes.filter(({ code }) => !new RegExp(`['"]${code}['"]`).test(sources));
    expect(unused.map(({ code }) => code)).toEqual([]);
  });

  it('that the documentation of a route names are declared for that status', () => {
    for (const { operationId, errors } of routes) {
      for (const [status, text = ''] of Object.entries(errors)) {
        for (const [, code] of text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)) {
          expect(errorCodes, operationId).toContainEqual(
            expect.objectContaining({ status: Number(status), code }),
          );
        }
      }
    }
  });

  it('include the codes of failures', () => {
    const busy = Object.assign(new Error(), { code: '57014' });
    const lost = Object.assign(new Error(), { code: 'ECONNREFUSED' });
    for (const failure of [new Error('x'), busy, lost]) {
      const { status, code } = toProblem(failure, 'request-0001').problem;
      expect(errorCodes).toContainEqual(expect.objectContaining({ status, code }));
    }
  });

  /** `npx vitest run test/api/http/error-codes.test.ts -u` writes the page anew. */
  it('are listed in docs/errors.md', async () => {
    const statuses = [...new Set(errorCodes.map(({ status }) => status))];
    await expect([head, ...statuses.map(partOf), failures].join('\n')).toMatchFileSnapshot(
      '../../../docs/errors.md',
    );
  });
});

function partOf(status: number): string {
  const codes = errorCodes.filter((one) => one.status === status);
  return `## ${status}\n\n${codes.map(({ code, meaning }) => `- \`${code}\`: ${meaning}\n`).join('')}`;
}

const head = `# Error codes

For who handles answers of the API: every \`code\` of an error (\`application/problem+json\`), by HTTP status. A code is
stable, and a later version may add some; the words of \`detail\` may change. With 429, and where a 503 passes,
\`Retry-After\` says when to try again. The same list is \`x-error-codes\` in the OpenAPI document. It is generated from
\`domain/lib/error-codes.ts\` and \`api/http/error-codes.ts\`.
`;

const failures = `## Why a message did not reach the member

\`initialMessageError\` of a chat, \`smsDeliveryFailureReason\` of a message and \`failureReason\` of a message that is sent later,
known at once or after the report of the provider (\`domain/channels/deliveries/failure-reasons.ts\`):

${deliveryFailureReasons.map((code) => `- \`${code}\``).join('\n')}
`;
