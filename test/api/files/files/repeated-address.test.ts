import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../../api/resources/index.js';
import { useApi } from '../../../support/api/use-api.js';
import { sendFile } from '../../../support/files/send-file.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';

const clock = new MovedClock();
const { api, workspace, asAdmin } = useApi({ clock });
const keyed = () => ({ headers: { 'Idempotency-Key': randomUUID() } });
const codeAt = async (address: string) => {
  const answer = await fetch(address);
  return answer.status === 200 ? 200 : ((await answer.json()) as { code: string }).code;
};

describe('the address in a repeated answer', () => {
  it('is a new one when the first has expired, and the rest is as it was', async () => {
    const once = keyed();
    const first = (await sendFile(api, workspace, once)).body;
    await asAdmin('PUT', `/files/${first.id}`, { title: 'Changed since' });
    clock.advance(minutes(30));
    expect(await codeAt(first.cdnUrl)).toBe('address_expired');

    const again = (await sendFile(api, workspace, once)).body;
    expect({ ...again, cdnUrl: '' }).toEqual({ ...first, cdnUrl: '' });
    expect(await codeAt(again.cdnUrl)).toBe(200);
  });

  it('opens nothing to a caller who cannot read the file any more', async () => {
    const once = { ...keyed(), by: workspace.member };
    const first = (await sendFile(api, workspace, once)).body;
    const { database, workspaceId, admin } = workspace;
    await database.inWorkspace(workspaceId, (tx) =>
      tx('files').where({ id: first.id }).update({ owner_member_id: admin.memberId }),
    );
    const again = await sendFile(api, workspace, once);
    expect(again.status).toBe(201);
    expect(await codeAt(again.body.cdnUrl)).toBe('address_expired');
  });

  it('is not stored with the answer', async () => {
    await sendFile(api, workspace, keyed());
    const kept = await workspace.within((tx) => tx('idempotency_keys').select('answer'));
    expect(kept.length).toBeGreaterThan(0);
    for (const { answer } of kept) expect(String(answer)).not.toContain('signature');
  });

  it('is made anew by every operation whose answer is stored and has one', () => {
    const withAddress = routes.filter(
      ({ idempotent, response }) =>
        idempotent === true && JSON.stringify(response.schema ?? {}).includes('"cdnUrl"'),
    );
    expect(withAddress.map(({ operationId }) => operationId)).toContain('uploadFile');
    expect(
      withAddress.filter(({ renew }) => renew === undefined).map(({ operationId }) => operationId),
    ).toEqual([]);
  });
});
