import { beforeEach, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { addRecords } from '../../../support/records/add-records.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';

const { workspace, asAdmin } = useApi();
let ruleId: number;
let recordId: number;
let deliveryId: number;

/** A data record with a failed delivery. */
beforeEach(async () => {
  const { id: typeId } = await addRecordType(workspace, true);
  ruleId = (await addEventRule(workspace, { eventType: 'data_record:created' })).id;
  await addRecords(workspace, typeId, [{ fieldValues: { reason: 'A visit' } }]);
  [recordId, deliveryId] = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
    const now = new Date();
    const failed = { status: 'failed', completed_at: now, next_attempt_at: null };
    const [delivery] = await tx('webhook_deliveries')
      .where({ event_rule_id: ruleId })
      .update(failed)
      .returning('id');
    const [record] = await tx('data_records').where({ data_type_id: typeId }).select('id');
    return [record.id, delivery.id];
  });
});

/** Deletes the record in a transaction that holds its lock before the request arrives. */
async function whileDeleting(request: () => Promise<{ status: number; body: unknown }>) {
  const { database, workspaceId } = workspace;
  const asked = await database.inWorkspace(workspaceId, async (tx) => {
    await tx('data_records').where({ id: recordId }).forUpdate().select('id');
    const asking = request();
    await whenWaitedFor(tx);
    // Lock the delivery as a concurrent attempt does, so that the deletion may have to wait for it.
    await tx.raw('select from event_rules where id = ? for share nowait', [ruleId]);
    await tx('data_records').where({ id: recordId }).del();
    return { asking };
  });
  return asked.asking;
}

const call = (path: string, body?: object) => asAdmin('POST', `/event-rules/${ruleId}${path}`, body);

it('returns 404 for redelivering an event whose record is being deleted', async () => {
  const { status } = await whileDeleting(() => call(`/deliveries/${deliveryId}/redeliver`));

  expect(status).toBe(404);
});

it('omits an event whose record is being deleted from redelivering all failed ones', async () => {
  const { status, body } = await whileDeleting(() =>
    call('/redeliveries', { since: new Date(0).toISOString() }),
  );

  expect({ status, body }).toEqual({ status: 201, body: { redelivered: 0, more: false } });
});
