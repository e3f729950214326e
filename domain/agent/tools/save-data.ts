import { collectionOf } from '../../assignments/machine/collected.js';
import { completeTask } from '../../assignments/machine/enter-task.js';
import { currentTask, rowOf } from '../../assignments/machine/machine.js';
import { writeRecord } from '../../records/data-records/write-record.js';
import { enteringAs } from './performer.js';
import type { Tool } from './tool.js';

/**
 * Writes values to the member's record: of the data type of the collect task, or else of the data type that the ability
 * names. A collect task writes in every access mode, because the definition asks for the data; the ability writes only
 * where the member may. Completes a collect task once its required fields have values.
 */
export const saveData: Tool = async (situation, input) => {
  const { tx, now, chat, machine, task, defaultRegion, performer } = situation;
  const collects = machine !== undefined && task.taskType === 'collect';
  const dataTypeSlug = collects ? String(task.configuration.dataTypeSlug) : abilityTypeSlug(situation);
  if (dataTypeSlug === undefined) return { ok: false, error: 'tool_not_available' };

  await writeRecord(tx, {
    dataTypeSlug,
    memberId: chat.memberId,
    values: input,
    assignmentTaskId: machine === undefined ? null : rowOf(machine, task).id,
    isCollecting: collects,
    asMember: !collects,
    defaultRegion,
    actorMemberId: performer.memberId,
    now,
  });
  if (!collects) return { ok: true, saved: Object.keys(input) };

  const missing = (await collectionOf(machine, task))?.missing ?? [];
  if (missing.length === 0 && rowOf(machine, task).completedAt === null) {
    await completeTask(machine, task, enteringAs(performer));
  }
  return {
    ok: true,
    saved: Object.keys(input),
    missing: missing.map((field) => field.slug),
    currentTask: currentTask(machine).name,
    status: machine.assignment.status,
  };
};

function abilityTypeSlug({ abilities }: Parameters<Tool>[0]): string | undefined {
  const found = abilities.find(({ ability }) => ability.abilityType === 'save_data');
  const slug = found?.ability.config.dataTypeSlug;
  return typeof slug === 'string' ? slug : undefined;
}
