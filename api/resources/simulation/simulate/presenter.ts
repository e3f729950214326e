import type { Entry, Simulation } from '../../../../domain/simulation/entries.js';
import { omitNullish } from '../../../http/omit-nullish.js';
import type { EntryResponse, SimulationResponse } from './schemas.js';

export function presentSimulation(simulation: Simulation): SimulationResponse {
  const { entries, endsAt, waitsFor, outcome, outcomeReason, needsResponseReason, ...rest } = simulation;
  return {
    ...rest,
    entries: entries.map(presentEntry),
    endsAt: endsAt.toISOString(),
    ...omitNullish({ outcome, outcomeReason, needsResponseReason }),
    ...(waitsFor === undefined ? {} : { waitsFor: withTimes(waitsFor) }),
  };
}

function presentEntry(entry: Entry): EntryResponse {
  return omitNullish({ ...withTimes(entry), at: entry.at.toISOString() }) as EntryResponse;
}

function withTimes<Value extends object & { until?: Date }>({ until, ...value }: Value) {
  return { ...value, ...(until === undefined ? {} : { until: until.toISOString() }) };
}
