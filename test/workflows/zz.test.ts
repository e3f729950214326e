import { afterAll, beforeAll, it } from 'vitest';
import { clinicIntake, intakeDataType } from '../../dev/seed/clinic-intake.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system.js';
let system: TestSystem;
let workspace: SmsWorkspace;
let definitionId: number;
beforeAll(async () => {
  const t = Date.now();
  system = await startSystem();
  console.log('start', Date.now() - t);
  workspace = await createSmsWorkspace(system);
  await workspace.addDataType(intakeDataType);
  definitionId = await workspace.publish(clinicIntake);
});
afterAll(() => system.stop());
it('x', async () => {
    const intake = await workspace.begin(definitionId);
    const t = Date.now();
    try {
    for (const [q, a] of [['Shall we', 'yes'], ['Full name', 'Sam Example'], ['Date of birth', '1990-02-03'], ['Reason for the visit', 'A sore knee'], ['Pain from', '4'], ['Do you agree', 'yes, I agree']] as const) {
      await intake.heard(q);
      console.log(q, Date.now() - t);
      await intake.write(a);
    }
    await intake.heard('Your visit is prepared.');
    } finally {
    console.log(Date.now() - t);
    for (const m of await intake.history()) console.log(m.role, JSON.stringify(m.content), JSON.stringify(m.toolCalls), m.smsDeliveryStatus);
    console.log(await intake.currentTask(), await intake.assignment());
    const rq = (await system.model.requests()).at(-1) as any; const re = await fetch(system.model.url + '/v1/chat/completions', {method:'POST', headers:{authorization:'Bearer x'}, body: JSON.stringify(rq.body)}); console.log(re.status, await re.text()); console.log(JSON.stringify(rq.body.tools?.map((t: any) => t.function.name)), rq.body.messages.map((m: any)=>JSON.stringify(m)).join('\n'));
    const h = await system.run('runAssignment', intake.assignmentUuid).fetchHistory();
    if (0) for (const e of h.events ?? []) console.log(String(e.eventId), Object.keys(e).find(k => k.endsWith('Attributes') && (e as any)[k]), JSON.stringify((e as any).activityTaskFailedEventAttributes ?? (e as any).markerRecordedEventAttributes?.failure ?? '').slice(0,600));
    }
}, 60000);
