import { collectionOf } from '../../assignments/machine/collected.js';
import { completeTask } from '../../assignments/machine/enter-task.js';
import { currentTask, rowOf } from '../../assignments/machine/machine.js';
import { writeRecord } from '../../records/data-records/write-record.js';
import { enteringAs } from './performer.js';
import type { Tool } from './tool.js';

/**
 * Writes what the member told into its record: of the type the collect task gathers, else of the one the ability
 * names. What the definition gathers is written in every access mode; the ability writes only where the member may itself. A
 * collect task whose required fields are there now is complete.
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
