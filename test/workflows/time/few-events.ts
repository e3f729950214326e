/** After how many events the runs of `impatient-runs.ts` continue as new. */
export const fewEvents = 200;
