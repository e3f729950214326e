import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { findEmailOptOut, insertEmailOptOut } from '../../../db/channels/email-opt-outs.js';
import { findPersonErasure, type PersonErasureRow } from '../../../db/person-data/person-erasures.js';
import type { Tx } from '../../../db/tx.js';
import { receiveSms } from '../../../domain/conversations/chats/receive-sms.js';
import { eraseMember } from '../../../domain/person-data/erase-member.js';
import { checkAgainAfterMs, erasePerson } from '../../../domain/person-data/erase-person.js';
import { finishExport, reserveArchive } from '../../../domain/person-data/exports/build-export.js';
import { getExport } from '../../../domain/person-data/exports/read-export.js';
import { requestExport } from '../../../domain/person-data/exports/request-export.js';
import type { ErasureStep } from '../../../workflows/contracts/steps.js';
import { useConnection } from '../../support/db/use-database.js';
import { addFile } from '../../support/files/add-file.js';
import { createMemoryStore } from '../../support/files/memory-store.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { attachForParticipant } from '../../support/person-data/attach-for-participant.js';
import { columnsWith, personalTextColumns, plantPerson } from '../../support/person-data/plant-person.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addMember, addMemberRow, uniquePhone } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace({ storesEvents: true });
const query = useConnection(() => stage.database.superuserUrl);
const clock = new MovedClock();
const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const whole = { isOver: () => false };

const begin = (memberId: number) =>
  eraseMember(stage.workspace.context(undefined, clock), memberId, { confirm: String(memberId) });
const step = (erasure: Pick<PersonErasureRow, 'id'>, slice = whole): Promise<ErasureStep> =>
  erasePerson(
    { db: stage.database.database, clock },
    { workspaceId: stage.workspace.workspaceId, erasureId: erasure.id },
    slice,
  );

/** Steps until nothing is left. */
async function erase(erasure: PersonErasureRow): Promise<ErasureStep> {
  for (;;) {
    const next = await step(erasure);
    if (next.kind === 'finished' || (next.kind === 'wait' && next.for === 'look')) return next;
  }
}

const erasureNow = (id: number) =>
  stage.database.database.inWorkspace(stage.workspace.workspaceId, (tx) => findPersonErasure(tx, id));

describe('an erasure', () => {
  const [erased, other] = [
    { id: 900_001, marker: 'zqerasedx', uuid: uuidOf(900_001) },
    { id: 900_002, marker: 'zqotherx', uuid: uuidOf(900_002) },
  ];
  let before: { erased: string[]; other: string[] };
  beforeAll(async () => {
    for (const person of [erased, other]) await plantPerson(query, stage.workspace, person);
    before = {
      erased: await columnsWith(query, erased.marker),
      other: await columnsWith(query, other.marker),
    };
  });

  it('begins with the marker in every personal column', async () => {
    const columns = await personalTextColumns(query);
    expect(columns.length).toBeGreaterThan(40);
    expect(before.erased).toEqual(columns);
  });

  it('leaves nothing of the person in any column of any table, and all of another one', async () => {
    const erasure = await begin(erased.id);
    await erase(erasure);

    expect(await columnsWith(query, erased.marker)).toEqual([]);
    expect(await columnsWith(query, other.marker)).toEqual(before.other);
    const { counts, erasedAt } = (await erasureNow(erasure.id)) ?? {};
    expect(counts).toMatchObject({ 'public.messages': 1, 'public.data_records': 1, 'public.files': 1 });
    expect(erasedAt).toBeInstanceOf(Date);
  });

  it('dooms the bytes of its files and archives', async () => {
    const { rows } = await query('select state from stored_objects where id = $1', [erased.id]);
    expect(rows).toEqual([{ state: 'doomed' }]);
  });

  it('looks once more a day later, erases what came since, and knows no identifier from then on', async () => {
    const { rows } = await query<{ id: number }>('select id from person_erasures where member_id = $1', [
      erased.id,
    ]);
    const erasure = { id: rows[0]?.id ?? 0 };
    await query(`update messages set content = '"zqerasedx, late"' where id = $1`, [erased.id]);
    expect(await step(erasure)).toMatchObject({ kind: 'wait', for: 'look' });

    clock.advance(checkAgainAfterMs + 1);
    expect(await step(erasure)).toEqual({ kind: 'again', erased: 1 });
    expect(await columnsWith(query, erased.marker)).toEqual([]);
    const digests = () => query('select 1 from erased_identifiers where erasure_id = $1', [erasure.id]);
    expect((await digests()).rows.length).toBeGreaterThan(0);
    expect(await step(erasure)).toEqual({ kind: 'finished', erased: 0 });
    expect(await step(erasure)).toEqual({ kind: 'finished', erased: 0 });
    expect((await digests()).rows).toEqual([]);
  });
});

describe('an archive of an erased member', () => {
  it('is deleted in the transaction that the erasure begins in, and cannot be completed any more', async () => {
    const { workspace } = stage;
    const context = workspace.context(undefined, clock);
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const complete = async () => {
      const { id: exportId } = await requestExport(context, id, { keptDays: 7 });
      const ref = { workspaceId: workspace.workspaceId, exportId };
      const reserved = await reserveArchive(context, ref, { bytes: 1, sha256: 'ab' });
      return { ref, objectId: reserved?.objectId ?? 0 };
    };
    const counts = { rowCount: 1, fileCount: 0, leftOutCount: 0 };
    const stored = await complete();
    expect(await finishExport(context, stored.ref, { objectId: stored.objectId, counts })).toBe(true);
    const open = await complete();

    await begin(id);

    const { rows } = await query('select state from stored_objects where id = any($1)', [
      [stored.objectId, open.objectId],
    ]);
    expect(rows).toEqual([{ state: 'doomed' }, { state: 'doomed' }]);
    expect(await finishExport(context, open.ref, { objectId: open.objectId, counts })).toBe(false);
    expect(await getExport(context, id)).toMatchObject({ state: 'failed', failureReason: 'member_erased' });
    await expect(requestExport(context, id, { keptDays: 7 })).rejects.toMatchObject({
      code: 'member_erased',
    });
  });
});

describe('an answer that is stored for an Idempotency-Key', () => {
  it('is erased with the member whose file it names, although it is about another', async () => {
    const { workspace } = stage;
    const addOne = () => addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const [patient, other] = [await addOne(), await addOne()];
    const { id } = await addFile(workspace, createMemoryStore(), { filename: 'media-1.jpg' });
    await query('update files set owner_member_id = $2 where id = $1', [id, patient.id]);
    const answerWith = (fileId: number) =>
      JSON.stringify({ uuid: uuidOf(1), memberId: other.id, files: [{ id: fileId, title: 'zqtitle' }] });
    const { rows } = await query<{ id: number }>(
      `insert into idempotency_keys (workspace_id, digest, operation, fingerprint, status, answer, created_at)
       select $1, sha256(answer::bytea), 'createDataRecord', sha256(answer::bytea), 201, answer, now()
       from unnest($2::text[]) answer returning id`,
      [workspace.workspaceId, [answerWith(id), answerWith(id + 1_000_000)]],
    );

    await erase(await begin(patient.id));

    const kept = await query(
      'select answer is null as erased from idempotency_keys where id = any($1) order by id',
      [rows.map((row) => row.id)],
    );
    expect(kept.rows).toEqual([{ erased: true }, { erased: false }]);
  });
});

describe('an erasure of a colleague who takes part in chats of others', () => {
  it('leaves what they sent', async () => {
    const { workspace } = stage;
    const addOne = () => addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const [patient, colleague] = [await addOne(), await addOne()];
    const stored = createMemoryStore();
    const { id } = await addFile(workspace, stored, { filename: 'media-1.jpg' });
    await query('update files set owner_member_id = $2 where id = $1', [id, patient.id]);
    const { rows } = await query('select object_id from file_versions where file_id = $1', [id]);
    await attachForParticipant(query, { objectId: rows[0]?.object_id, patient, colleague });

    await erase(await begin(colleague.id));
    const left = await query('select member_id from file_attachments where file_id = $1', [id]);
    expect(left.rows).toEqual([{ member_id: patient.id }]);

    await erase(await begin(patient.id));
    expect((await query('select from files where id = $1', [id])).rows).toEqual([]);
    await stored.close();
  });
});

/** Steps that are cut off after each batch, until nothing is left. @returns how many these were */
async function eraseInCuts(erasure: PersonErasureRow, most: number): Promise<number> {
  for (let steps = 1; ; steps += 1) {
    const next = await waitFor('no transaction of another test is older', async () => {
      const taken = await step(erasure, { isOver: () => true });
      return taken.kind === 'wait' && taken.for === 'older' ? undefined : taken;
    });
    if (next.kind === 'wait') return steps;
    expect(steps).toBeLessThan(most);
  }
}

describe('an erasure that is cut off after each batch', () => {
  it('goes on where it stopped, and ends with nothing left', async () => {
    const person = { id: 900_003, marker: 'zqcutoffx', uuid: uuidOf(900_003) };
    await plantPerson(query, stage.workspace, person);
    const { rows } = await query('select count(*)::int as count from information_schema.tables');
    await eraseInCuts(await begin(person.id), rows[0]?.count ?? 0);
    expect(await columnsWith(query, person.marker)).toEqual([]);
  });

  it('ends beside answers of more bytes than a statement can look at, and leaves those of others', async () => {
    const { workspace } = stage;
    const addOne = () => addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const [patient, other] = [await addOne(), await addOne()];
    const answers = 1_500;
    await query(
      `insert into idempotency_keys (workspace_id, digest, operation, fingerprint, status, answer, created_at)
       select $1, sha256(('large' || n)::bytea), 'writeDataRecords', 'f', 200, large.answer, now()
       from generate_series(1, $2::int) n, (
         select json_build_object('memberId', $3::bigint, 'items',
           json_agg(json_build_object('id', 5000000000 + i, 'status', 'created')))::text as answer
         from generate_series(1, 1000) i) large`,
      [workspace.workspaceId, answers, other.id],
    );
    await query(
      `insert into idempotency_keys (workspace_id, digest, operation, fingerprint, status, answer, created_at)
       select $1, sha256(answer::bytea), 'updateMember', 'f', 200, answer, now()
       from unnest($2::text[]) answer`,
      [workspace.workspaceId, [`{"zq":1,"id":${patient.id}}`, `{"zq":2,"byId":${patient.id},"x":3}`]],
    );

    await eraseInCuts(await begin(patient.id), 200);

    const { rows } = await query(
      `select count(*)::int as count, count(answer)::int as kept, count(*) filter (where answer like '%zq%')::int as left
       from idempotency_keys where operation in ('writeDataRecords', 'updateMember')`,
    );
    expect(rows).toEqual([{ count: answers + 2, kept: answers, left: 0 }]);
  }, 60_000);
});

describe('an erasure of rows that take too long', () => {
  it('erases them in smaller batches', async () => {
    const { workspace } = stage;
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    await query(
      `insert into events (workspace_id, uuid, event_type, body, member_id, created_at)
       select $1, gen_random_uuid(), 'member:updated', '{}', $2, now() from generate_series(1, 20)`,
      [workspace.workspaceId, id],
    );
    await query(`create function take_too_long() returns trigger language plpgsql as $$ begin
        if (select count(*) from gone) > 4 then raise 'too long' using errcode = '57014'; end if;
        return null;
      end $$`);
    await query(`create trigger take_too_long after delete on events
      referencing old table as gone for each statement execute function take_too_long()`);

    const erasure = await begin(id);
    await erase(erasure);

    expect((await query('select from events where member_id = $1', [id])).rows).toEqual([]);
    expect((await erasureNow(erasure.id))?.counts).toMatchObject({ 'public.events': 20 });
    await query('drop trigger take_too_long on events; drop function take_too_long()');
  });
});

describe('an SMS that arrives in the middle of an erasure', () => {
  it('leaves nothing behind if its transaction is older, and begins a new member if it is younger', async () => {
    const { workspace } = stage;
    const number = await addPhoneNumber(workspace);
    const phone = uniquePhone();
    const { memberId } = await addMember(workspace, { role: workspace.roles.member, values: { phone } });
    const sms = (carrierMessageId: string, body: string) =>
      receiveSms(workspace.context(undefined, clock), {
        carrierMessageId,
        from: phone,
        to: number.number,
        body,
      });
    await sms('SM-first', 'zqsmsx before');

    // A transaction that has seen the member and writes on after the erasure has begun.
    await query('begin');
    await query(
      `insert into chats (workspace_id, channel, chat_type, member_id, title) values ($1, 'phone-sms', 'simple', $2, $3)`,
      [workspace.workspaceId, memberId, 'zqsmsx meanwhile'],
    );
    const erasure = await begin(memberId);
    expect(await step(erasure)).toMatchObject({ kind: 'wait', for: 'older' });
    await query('commit');
    await erase(erasure);
    expect(await columnsWith(query, 'zqsmsx')).toEqual([]);
    expect(await columnsWith(query, phone)).toEqual([]);

    await sms('SM-first', 'zqsmsx before');
    expect(await columnsWith(query, 'zqsmsx')).toEqual([]);
    await sms('SM-later', 'zqlaterx');
    const { rows } = await query('select id from members where phone = $1', [phone]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.id).not.toBe(memberId);
  });

  it('keeps that the address has unsubscribed as a digest, where nothing was ever sent to it', async () => {
    const { workspace } = stage;
    const email = `zqmail-${randomUUID()}@example.org`;
    const { memberId } = await addMember(workspace, { role: workspace.roles.member, values: { email } });
    const inside = <T>(work: (tx: Tx) => Promise<T>) =>
      stage.database.database.inWorkspace(workspace.workspaceId, work);
    await inside((tx) =>
      insertEmailOptOut(tx, { recipient: email, optedOutAt: clock.now(), source: 'link' }),
    );
    await erase(await begin(memberId));

    expect(await columnsWith(query, email)).toEqual([]);
    expect(await inside((tx) => findEmailOptOut(tx, email, clock.now()))).toBe('link');
  });

  it('does not lift the opt-out of the erased number', async () => {
    const { workspace } = stage;
    const number = await addPhoneNumber(workspace);
    const phone = uniquePhone();
    const { memberId } = await addMember(workspace, { role: workspace.roles.member, values: { phone } });
    const sms = { carrierMessageId: 'SM-stop', from: phone, to: number.number, body: 'STOP' };
    await receiveSms(workspace.context(undefined, clock), sms);
    await erase(await begin(memberId));

    expect(await columnsWith(query, phone)).toEqual([]);
    const { hasOptedOut } = await import('../../../db/channels/sms-opt-outs.js');
    const optedOut = await stage.database.database.inWorkspace(workspace.workspaceId, (tx) =>
      hasOptedOut(tx, phone),
    );
    expect(optedOut).toBe(true);
  });
});
