/** The processor time that `work` takes, in milliseconds: a busy machine does not lengthen it. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return since(before);
}

/** The same for work that takes turns; what else this process does meanwhile counts as well. */
export async function processorMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return since(before);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
